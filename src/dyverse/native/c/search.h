/* The search for zeros and minima of one signal on a step: what it takes and gives. */
#ifndef DV_SEARCH_H
#define DV_SEARCH_H

#include "numbers.h"

#define DV_POINTS 65    /* samples of a curve, at most */
#define DV_NEAR_ROOM 64 /* near misses of one step that are kept */

/* A near miss, kept until the step's event is known. */
typedef struct {
    double time, value;
    int signal;
} dv_near;

typedef struct {
    int count;
    dv_near miss[DV_NEAR_ROOM];
} dv_nears;

/* Samples of a signal, and its rates there. */
typedef struct {
    double t[DV_POINTS], v[DV_POINTS], r[DV_POINTS];
} dv_curve;

/* The hunt for one signal. */
typedef struct {
    void *of;
    int signal;
    /* Its value and its rate at a time of the step; either may be NULL. What is no number is minus
     * infinity. */
    void (*at)(void *of, int signal, double time, double *value, double *rate);
    /* Whether a minimum that is not above the floor is zero; NULL: it is. */
    int (*meets)(void *of, int signal, double time);
    double floor;
    double spent; /* a value so low is zero by itself: to follow it further down is pointless */
    int intervals;
    double graze, depth, lift; /* dyverse.flow.events.Detection */
    double start; /* of the step */
    double limit; /* crossings later than this do not matter */
    dv_nears *near; /* where near misses are told, or NULL */
    int risen;    /* whether a resting signal had a top between samples */
} dv_hunt;

static inline double dv_defined(double value) {
    return isnan(value) ? -INFINITY : value;
}

/* Where sample i of `count` intervals is. */
static inline double dv_time_of(double start, double end, int i, int count) {
    return i == count ? end : start + (end - start) / count * i;
}

/* How deep inside a property a run has been: the least depth, when that was, and when the property
 * first failed, or NaN. */
typedef struct {
    double *least, *when, *failed;
} dv_lowest;

#endif
