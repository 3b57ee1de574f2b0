/* Numbers and rows of them: what every file of the runtime uses. */
#ifndef DV_NUMBERS_H
#define DV_NUMBERS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The larger, or b if one is not a number; without the call that fmax is. */
static inline double dv_max(double a, double b) {
    return a > b ? a : b;
}

static inline double dv_min(double a, double b) {
    return a < b ? a : b;
}

static inline void dv_copy(double *to, const double *from, int n) {
    memcpy(to, from, (size_t)n * sizeof(double));
}

static inline void dv_zero(double *to, int n) {
    memset(to, 0, (size_t)n * sizeof(double));
}

/* Of a vector in a plane; hypot guards against numbers that do not occur here. */
static inline double dv_length(double a, double b) {
    return sqrt(a * a + b * b);
}

/* Four sums at once: one would wait for itself. */
static inline double dv_dot(const double *a, const double *b, int n) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/* to += share * from, which do not overlap. */
static inline void dv_add_times(double *restrict to, double share, const double *restrict from,
                                int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        to[i] += share * from[i];
        to[i + 1] += share * from[i + 1];
        to[i + 2] += share * from[i + 2];
        to[i + 3] += share * from[i + 3];
    }
    for (; i < n; i++) to[i] += share * from[i];
}

static inline double dv_dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double dv_largest(const double *a, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = dv_max(most, fabs(a[i]));
    return most;
}

/* The distance to the next number, by counting its bits up: without the call that nextafter is. */
static inline double dv_ulp(double number) {
    double here = fabs(number), next;
    unsigned long long bits;
    memcpy(&bits, &here, sizeof bits);
    bits++;
    memcpy(&next, &bits, sizeof next);
    return next - here;
}

#endif
