/* What a model costs in Co-Simulation through FMI 2.0, and what the same run costs in one piece:
 * export_loop STEPS REPEAT. Out go processor seconds of one run: in one piece, by our own engine in so
 * many steps, and in as many communication steps; after each step all states are read. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/fmi/fmi2.h"
#include "runtime/model/dyverse_model.h"

#define SHORT 0.01 /* s: of a run, below which ten are measured at once */
#define LEAST 3    /* times that each is measured, */
#define ENOUGH 2.0 /* and processor seconds after which no more are */

static void log_nothing(void *of, const char *name, fmi2Status status, const char *category,
                        const char *message, ...) {
    (void)of;
    (void)name;
    (void)status;
    (void)category;
    (void)message;
}

static void in_one_piece(dyverse_model *model, double until) {
    dyverse_reset(model);
    dyverse_begin(model, 0.0);
    dyverse_advance(model, until);
}

static void in_own_steps(dyverse_model *model, int steps, double until, double *x) {
    dyverse_reset(model);
    dyverse_begin(model, 0.0);
    for (int i = 0; i < steps; i++) {
        dyverse_advance(model, until * i / steps + until / steps);
        dyverse_state(model, x);
    }
}

static void in_steps(fmi2Component c, int steps, double until, int states, double *x) {
    static unsigned int reference[4096];
    for (int i = 0; i < states; i++)
        reference[i] = (unsigned int)(dyverse_describe()->settings + i);
    fmi2Reset(c);
    fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0);
    fmi2EnterInitializationMode(c);
    fmi2ExitInitializationMode(c);
    for (int i = 0; i < steps; i++) {
        fmi2DoStep(c, until * i / steps, until / steps, 1);
        fmi2GetReal(c, reference, (size_t)states, x);
    }
}

static double seconds(clock_t began) {
    return (double)(clock() - began) / CLOCKS_PER_SEC;
}

int main(int count, char **arguments) {
    const dyverse_facts *facts = dyverse_describe();
    int steps = count > 1 ? atoi(arguments[1]) : 100, repeat = count > 2 ? atoi(arguments[2]) : 10;
    fmi2CallbackFunctions calls = {log_nothing, calloc, free, NULL, NULL};
    fmi2Component c = fmi2Instantiate("one", fmi2CoSimulation, facts->identity, "", &calls, 0, 0);
    dyverse_model *model = dyverse_create();
    double *x = calloc((size_t)facts->states + 1, sizeof *x), least[3] = {1e300, 1e300, 1e300};
    if (!c || !model || !x || facts->states > 4096) return 1;
    clock_t first = clock();
    in_one_piece(model, facts->horizon);
    int runs = seconds(first) > SHORT ? 1 : 10;
    /* by turns: a busy machine slows down all of them */
    for (int i = 0; i < repeat && (i < LEAST || seconds(first) < ENOUGH); i++) {
        clock_t began = clock();
        for (int k = 0; k < runs; k++) in_one_piece(model, facts->horizon);
        least[0] = seconds(began) < least[0] ? seconds(began) : least[0];
        began = clock();
        for (int k = 0; k < runs; k++) in_own_steps(model, steps, facts->horizon, x);
        least[1] = seconds(began) < least[1] ? seconds(began) : least[1];
        began = clock();
        for (int k = 0; k < runs; k++) in_steps(c, steps, facts->horizon, facts->states, x);
        least[2] = seconds(began) < least[2] ? seconds(began) : least[2];
    }
    printf("%.9g %.9g %.9g\n", least[0] / runs, least[1] / runs, least[2] / runs);
    return 0;
}
