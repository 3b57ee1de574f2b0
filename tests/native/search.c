/* Where a signal that leaves zero by a force alone comes down, by the search on one step of a second:
 * t²(0.05 - t), whose rate at the start is a rounding error. Prints the time for three of these. */
#include "course.c"

#include <stdio.h>

static void hop(void *of, int signal, double t, double *value, double *rate) {
    double rounding = *(double *)of;
    (void)signal;
    if (value) *value = rounding * t + t * t * (0.05 - t) - 1e-11;
    if (rate) *rate = rounding + 0.1 * t - 3 * t * t;
}

int main(void) {
    double roundings[] = {0.0, 2e-16, -2e-16};
    for (int i = 0; i < 3; i++) {
        dv_hunt h = {0};
        dv_curve c;
        h.of = roundings + i;
        h.at = hop;
        h.intervals = 8;
        h.spent = -INFINITY;
        h.depth = 1e-9;
        h.lift = 1e-13;
        h.limit = INFINITY;
        dv_draw(&h, 0.0, 1.0, &c);
        printf("%.17g\n", dv_scan(&h, &c, 0, 0));
    }
    return 0;
}
