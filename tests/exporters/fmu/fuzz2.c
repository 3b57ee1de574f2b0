/* Random calls of FMI 2.0 in any order, with good and bad numbers: fuzz2 CALLS SEED. */
#include "fuzz.h"
#include "runtime/fmi/fmi2.h"

static void hear(fmi2ComponentEnvironment of, fmi2String name, fmi2Status status, fmi2String kind,
                 fmi2String form, ...) {
    (void)of;
    (void)status;
    logged += name != NULL && kind != NULL && form != NULL;
}

/* One call. */
static void call(fmi2Component c, unsigned all, fmi2FMUstate *kept) {
    const dyverse_facts *facts = dyverse_describe();
    fmi2EventInfo info;
    fmi2Boolean event, over;
    fmi2Integer whole[4] = {7, -1, (fmi2Integer)below(100), -9};
    fmi2String texts[4];
    double time = 0.0;
    size_t count = some_references(all), size = 0;
    fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time);
    for (size_t i = 0; i < 8; i++) numbers[i] = number();
    switch (below(34)) {
    case 0: fmi2SetupExperiment(c, below(2) != 0, number(), below(3) ? 0.0 : number(), 0, 0.0); break;
    case 1: case 2: fmi2EnterInitializationMode(c); break;
    case 3: case 4: fmi2ExitInitializationMode(c); break;
    case 5: if (!below(10)) fmi2Terminate(c); break;
    case 6: if (!below(4)) fmi2Reset(c); break;
    case 7: case 8: fmi2GetReal(c, references, count, numbers); break;
    case 9: fmi2GetInteger(c, references, count, whole); break;
    case 10: fmi2GetBoolean(c, references, count, whole); break;
    case 11: fmi2GetString(c, references, count, texts); break;
    case 12: case 13: fmi2SetReal(c, references, count, numbers); break;
    case 14: fmi2SetInteger(c, references, count, whole); break;
    case 15: fmi2GetFMUstate(c, kept); break;
    case 16: fmi2SetFMUstate(c, *kept); break;
    case 17: fmi2FreeFMUstate(c, kept); break;
    case 18:
        if (fmi2SerializedFMUstateSize(c, *kept, &size) == fmi2OK) {
            char *bytes = malloc(size);
            fmi2SerializeFMUstate(c, *kept, bytes, size);
            if (below(2)) bytes[below((unsigned)size)] ^= (char)(1 + below(255));
            fmi2FreeFMUstate(c, kept);
            fmi2DeSerializeFMUstate(c, bytes, below(9) ? size : size / 2, kept);
            free(bytes);
        }
        break;
    case 19: fmi2EnterEventMode(c); break;
    case 20: case 21: fmi2NewDiscreteStates(c, &info); break;
    case 22: case 23: fmi2EnterContinuousTimeMode(c); break;
    case 24: fmi2CompletedIntegratorStep(c, 1, &event, &over); break;
    case 25: fmi2SetTime(c, below(9) ? time + (double)below(100) / 1000.0 : number()); break;
    case 26:
        fmi2GetContinuousStates(c, numbers, (size_t)facts->states);
        if (facts->states) numbers[below((unsigned)facts->states)] += below(9) ? 0.001 : number();
        fmi2SetContinuousStates(c, numbers, some_count(facts->states));
        break;
    case 27: fmi2GetDerivatives(c, numbers, some_count(facts->states)); break;
    case 28: fmi2GetEventIndicators(c, numbers, some_count(facts->indicators)); break;
    case 29: fmi2GetNominalsOfContinuousStates(c, numbers, some_count(facts->states)); break;
    case 30: case 31: fmi2DoStep(c, time, step(), 1); break;
    case 32: fmi2GetBooleanStatus(c, fmi2Terminated, &event); break;
    default:
        fmi2GetDirectionalDerivative(c, references, count, references, count, numbers, numbers + 8);
    }
}

int main(int count, char **arguments) {
    const dyverse_facts *facts = dyverse_describe();
    long calls = count > 1 ? atol(arguments[1]) : 1000;
    unsigned all = (unsigned)(facts->settings + facts->states + facts->outputs + facts->indicators + 1);
    fmi2CallbackFunctions hears = {hear, NULL, NULL, NULL, NULL};
    fmi2Component made[2] = {NULL, NULL};
    fmi2FMUstate kept[2] = {NULL, NULL};
    state = 88172645463325252ull + (count > 2 ? strtoull(arguments[2], NULL, 10) : 0);
    for (long i = 0; i < calls; i++) {
        unsigned which = below(2);
        if (made[which] && !below(200)) {
            fmi2FreeFMUstate(made[which], &kept[which]);
            fmi2FreeInstance(made[which]);
            made[which] = NULL;
        }
        if (!made[which])
            made[which] = fmi2Instantiate("fuzz", below(2) ? fmi2ModelExchange : fmi2CoSimulation,
                                          facts->identity, "", &hears, 0, 0);
        call(made[which], all, &kept[which]);
    }
    for (int k = 0; k < 2; k++) {
        if (made[k]) fmi2FreeFMUstate(made[k], &kept[k]);
        fmi2FreeInstance(made[k]);
    }
    printf("%ld complaints\n", logged);
    return 0;
}
