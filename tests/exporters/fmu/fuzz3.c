/* Random calls of FMI 3.0 in any order, with good and bad numbers: fuzz3 CALLS SEED. */
#include "fuzz.h"
#include "runtime/fmi/fmi3.h"

static fmi3Instance inside; /* whose intermediate update it is */
static double known[2];     /* the last time that each instance has told */

static void hear(fmi3InstanceEnvironment of, fmi3Status status, fmi3String kind, fmi3String text) {
    (void)of;
    (void)status;
    logged += kind != NULL && text != NULL;
}

static void show(fmi3InstanceEnvironment of, fmi3Float64 time, fmi3Boolean set, fmi3Boolean get,
                 fmi3Boolean done, fmi3Boolean may, fmi3Boolean *stop, fmi3Float64 *when) {
    (void)of;
    (void)set;
    (void)done;
    references[0] = below(9);
    if (get) fmi3GetFloat64(inside, references, 1, numbers, 1);
    *stop = may && !below(3);
    *when = below(9) ? time : number();
}

static fmi3Instance made_one(const char *token) {
    if (below(2)) return fmi3InstantiateModelExchange("fuzz", token, "", false, false, NULL, hear);
    return fmi3InstantiateCoSimulation("fuzz", token, "", false, false, below(2) != 0,
                                       below(2) != 0, NULL, 0, NULL, hear, below(2) ? show : NULL);
}

/* Values of types that no variable has, and calls for what is not there. */
static void call_in_vain(fmi3Instance c, size_t count) {
    fmi3Float32 small[4] = {0};
    fmi3Int32 whole[4] = {0};
    fmi3UInt64 wide[4] = {0};
    fmi3Boolean truths[4] = {false};
    fmi3String texts[4] = {NULL};
    fmi3Binary bytes[4] = {NULL};
    fmi3DependencyKind kinds[4];
    fmi3ValueReference on[4];
    size_t sizes[4] = {0};
    switch (below(12)) {
    case 0: fmi3GetFloat32(c, references, count, small, count); break;
    case 1: fmi3SetFloat32(c, references, count, small, count); break;
    case 2: fmi3GetInt32(c, references, count, whole, count); break;
    case 3: fmi3SetUInt64(c, references, count, wide, count); break;
    case 4: fmi3GetBoolean(c, references, count, truths, count); break;
    case 5: fmi3GetString(c, references, count, texts, count); break;
    case 6: fmi3GetBinary(c, references, count, sizes, bytes, count); break;
    case 7: fmi3GetClock(c, references, count, truths); break;
    case 8: fmi3GetNumberOfVariableDependencies(c, references[0], sizes); break;
    case 9: fmi3GetVariableDependencies(c, references[0], sizes, on, sizes, kinds, count); break;
    case 10: fmi3EnterConfigurationMode(c); break;
    default: fmi3ActivateModelPartition(c, references[0], number());
    }
}

static void serialise(fmi3Instance c, fmi3FMUState *kept) {
    size_t size = 0;
    if (fmi3SerializedFMUStateSize(c, *kept, &size) != fmi3OK) return;
    fmi3Byte *bytes = malloc(size);
    fmi3SerializeFMUState(c, *kept, bytes, size);
    if (below(2)) bytes[below((unsigned)size)] ^= (fmi3Byte)(1 + below(255));
    fmi3FreeFMUState(c, kept);
    fmi3DeserializeFMUState(c, bytes, below(9) ? size : size / 2, kept);
    free(bytes);
}

/* One call. */
static void call(fmi3Instance c, unsigned all, fmi3FMUState *kept, double *time) {
    const dyverse_facts *facts = dyverse_describe();
    fmi3Boolean told[5];
    fmi3Int64 whole[4] = {7, -1, (fmi3Int64)below(100), -9};
    double next = 0.0;
    size_t count = some_references(all), size = 0, other = below(20) ? count : below(4);
    for (size_t i = 0; i < 8; i++) numbers[i] = number();
    inside = c;
    switch (below(32)) {
    case 0: case 1: case 2:
        if (fmi3EnterInitializationMode(c, below(2) != 0, number(), below(3) ? 0.0 : number(),
                                        below(2) != 0, number()) == fmi3OK)
            *time = 0.0;
        break;
    case 3: case 4: fmi3ExitInitializationMode(c); break;
    case 5: if (!below(10)) fmi3Terminate(c); break;
    case 6: if (!below(4)) fmi3Reset(c); break;
    case 7: case 8: fmi3GetFloat64(c, references, count, numbers, other); break;
    case 9: fmi3GetInt64(c, references, count, whole, other); break;
    case 10: case 11: fmi3SetFloat64(c, references, count, numbers, other); break;
    case 12: fmi3SetInt64(c, references, count, whole, other); break;
    case 13: fmi3GetFMUState(c, kept); break;
    case 14: fmi3SetFMUState(c, *kept); break;
    case 15: fmi3FreeFMUState(c, kept); break;
    case 16: serialise(c, kept); break;
    case 17: fmi3EnterEventMode(c); break;
    case 18: case 19:
        fmi3UpdateDiscreteStates(c, told, told + 1, told + 2, told + 3, told + 4, &next);
        break;
    case 20: fmi3EnterContinuousTimeMode(c); break;
    case 21: fmi3EnterStepMode(c); break;
    case 22: fmi3CompletedIntegratorStep(c, true, told, told + 1); break;
    case 23:
        next = below(9) ? *time + (double)below(100) / 1000.0 : number();
        if (fmi3SetTime(c, next) == fmi3OK) *time = next;
        break;
    case 24:
        fmi3GetContinuousStates(c, numbers, (size_t)facts->states);
        if (facts->states) numbers[below((unsigned)facts->states)] += below(9) ? 0.001 : number();
        fmi3SetContinuousStates(c, numbers, some_count(facts->states));
        break;
    case 25: fmi3GetContinuousStateDerivatives(c, numbers, some_count(facts->states)); break;
    case 26: fmi3GetEventIndicators(c, numbers, some_count(facts->indicators)); break;
    case 27: fmi3GetNumberOfEventIndicators(c, &size); break;
    case 28: case 29:
        if (fmi3DoStep(c, *time, step(), true, told, told + 1, told + 2, &next) == fmi3OK)
            *time = next;
        break;
    case 30:
        fmi3GetDirectionalDerivative(c, references, count, references, count, numbers, other,
                                     numbers + 8, count);
        break;
    default: call_in_vain(c, count);
    }
}

int main(int count, char **arguments) {
    const dyverse_facts *facts = dyverse_describe();
    long calls = count > 1 ? atol(arguments[1]) : 1000;
    unsigned all = (unsigned)(facts->settings + facts->states + facts->outputs + facts->indicators + 1);
    fmi3Instance made[2] = {NULL, NULL};
    fmi3FMUState kept[2] = {NULL, NULL};
    state = 88172645463325252ull + (count > 2 ? strtoull(arguments[2], NULL, 10) : 0);
    for (long i = 0; i < calls; i++) {
        unsigned which = below(2);
        if (made[which] && !below(200)) {
            fmi3FreeFMUState(made[which], &kept[which]);
            fmi3FreeInstance(made[which]);
            made[which] = NULL;
        }
        if (!made[which]) made[which] = made_one(facts->identity);
        call(made[which], all, &kept[which], &known[which]);
    }
    for (int k = 0; k < 2; k++) {
        if (made[k]) fmi3FreeFMUState(made[k], &kept[k]);
        fmi3FreeInstance(made[k]);
    }
    printf("%ld complaints\n", logged);
    return 0;
}
