/* Random numbers, good and bad, for calls of FMI in any order. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/model/dyverse_model.h"

enum { MOST = 4096 };
static unsigned long long state;
static double numbers[MOST];
static uint32_t references[MOST];
static long logged;

static unsigned below(unsigned most) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % most;
}

static double number(void) {
    static const double odd[] = {0.0, -1.0, 1e-300, 1e300, 1e3, -1e-9};
    unsigned kind = below(40);
    if (kind == 0) return NAN;
    if (kind == 1) return below(2) ? INFINITY : -INFINITY;
    if (kind < 8) return odd[below(6)];
    return (double)below(4000) / 1000.0 - 1.0;
}

/* A step of time: not so long that a run takes minutes. */
static double step(void) {
    static const double odd[] = {0.0, -1.0, NAN, INFINITY, 1e-300};
    return below(9) ? (double)below(50) / 1000.0 : odd[below(5)];
}

static size_t some_references(unsigned all) {
    size_t count = below(4);
    for (size_t i = 0; i < count; i++)
        references[i] = below(20) ? below(all) : below(2) ? 4000000000u : all + below(9);
    return count;
}

static size_t some_count(int right) {
    return below(10) ? (size_t)right : (size_t)below((unsigned)right + 2);
}
