/* A stand-in for a solver with a fixed step of the fourth order, which halves the step in which a zero
 * crossing changes its sign until that is located. It calls a block as Simulink does: outputs,
 * derivatives and zero crossings in minor steps, an update after each major one. Prints the last time,
 * the number of resets, and all outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *room(int count) {
    return calloc((size_t)count + 1, sizeof(double));
}

static void slope(SimStruct *S, double time, const double *x, double *f) {
    S->time = time;
    memcpy(S->x, x, (size_t)S->states * sizeof(double));
    mdlOutputs(S, 0);
    mdlDerivatives(S);
    memcpy(f, S->dx, (size_t)S->states * sizeof(double));
}

/* From (t, x) a step on, by the classical method of Runge and Kutta, into `out`. */
static void leap(SimStruct *S, double t, const double *x, double h, double *out, double *work) {
    int n = S->states;
    double *k[4] = {work, work + n, work + 2 * n, work + 3 * n}, *y = work + 4 * n;
    static const double at[] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) y[i] = x[i] + (s ? at[s] * h * k[s - 1][i] : 0.0);
        slope(S, t + at[s] * h, y, k[s]);
    }
    for (int i = 0; i < n; i++)
        out[i] = x[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static int crosses(SimStruct *S, double time, const double *x) {
    int any = 0;
    S->time = time;
    memcpy(S->x, x, (size_t)S->states * sizeof(double));
    mdlOutputs(S, 0);
    mdlZeroCrossings(S);
    for (int i = 0; i < S->crossings; i++) any |= !(S->z[i] > 0.0);
    return any;
}

/* The longest step up to `h` that ends at most a moment behind a crossing. */
static double located(SimStruct *S, double t, const double *x, double h, double *out, double *work) {
    double low = 0.0, high = h;
    leap(S, t, x, h, out, work);
    if (!crosses(S, t + h, out)) return h;
    while (high - low > 1e-13 * (1.0 + t)) {
        double middle = low + (high - low) / 2;
        leap(S, t, x, middle, out, work);
        if (crosses(S, t + middle, out)) high = middle;
        else low = middle;
    }
    leap(S, t, x, high, out, work);
    return high;
}

int main(int count, char **arguments) {
    SimStruct block, *S = &block;
    double until = strtod(arguments[1], NULL), step = strtod(arguments[2], NULL), t = 0.0;
    int resets = 0;
    memset(S, 0, sizeof *S);
    mdlInitializeSizes(S);
    S->parameter.numbers = room(count);
    for (int i = 3; i < count; i++, S->parameter.count++)
        S->parameter.numbers[i - 3] = strtod(arguments[i], NULL);
    S->x = room(S->states);
    S->dx = room(S->states);
    S->u = room(S->input_width);
    S->y = room(S->output_width);
    S->z = room(S->crossings);
    double *x = room(S->states), *out = room(S->states), *work = room(5 * S->states);
    mdlInitializeSampleTimes(S);
    mdlStart(S);
    if (!S->error) mdlInitializeConditions(S);
    while (!S->error && !S->stop && t < until) {
        memcpy(x, S->x, (size_t)S->states * sizeof(double));
        double h = until - t < step ? until - t : step;
        t += located(S, t, x, h, out, work);
        if (until - t < 1e-14 * until) t = until;
        S->time = t;
        memcpy(S->x, out, (size_t)S->states * sizeof(double));
        mdlOutputs(S, 0);
        S->reset = 0;
        mdlUpdate(S, 0);
        resets += S->reset;
    }
    if (S->error) fprintf(stderr, "%s\n", S->error);
    printf("%.17g %d", t, resets);
    if (!S->error) mdlOutputs(S, 0);
    for (int i = 0; i < S->output_width; i++) printf(" %.17g", S->y[i]);
    puts("");
    int code = S->error ? 1 : 0;
    mdlTerminate(S);
    double *all[] = {S->parameter.numbers, S->x, S->dx, S->u, S->y, S->z, x, out, work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return code;
}
