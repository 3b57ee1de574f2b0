/* Functions of a vector field that switch, such as sign, floor and abs: shared by the runtimes.
 *
 * See dyverse.expr.switching for what they are, dyverse.automaton.sides for how their values are
 * decided, and dyverse.flow.follow for how their switches are found. A runtime says how the field
 * takes their values, what it then is, and what the switching functions are. */
#ifndef DX_SWITCHES_H
#define DX_SWITCHES_H

#include "numbers.h"

enum { DX_SIGN = 0, DX_FLOOR = 1, DX_BRANCH = 2, DX_KINK = 3 };
#define DX_TOUCH 1e-12 /* a switching function this close to zero is at zero */
#define DX_PILED 8 /* intervals between switches that shrink before they pile up */

/* Why a run cannot go on beyond a switch. */
enum { DX_GOES_ON = 0, DX_ENDLESS = 1, DX_ACCUMULATES = 2, DX_NO_SIDE = 3, DX_NOT_LINEAR = 4,
       DX_MANY = 5 };

typedef struct {
    int count;       /* functions in the present location */
    int n;           /* variables */
    int loaded;      /* how many of them, the first ones, are of loads on bodies */
    const int *kind; /* of each function */
    double *side;    /* its value in this stretch of time; NaN: it slides */
    double *value;   /* as the field takes it now */
    int slides;      /* how many slide */
    int busy;        /* whether the field is asked for sides, and takes values as they are */

    void *of;
    void (*take)(void *of, const double *values);
    void (*rate)(void *of, double time, const double *x, double *f);
    void (*surfaces)(void *of, double time, const double *x, const double *f, double *s,
                     double *speed);
    void (*state)(void *of, double time, double *x); /* on the step just made */

    double *x, *f, *s, *speed;  /* at one point */
    double *base, *by;          /* the field in the middle, and what each function adds */
    double *middle, *half, *c, *B, *m, *solved, *zero, *offset;
    int *here;                  /* functions that are at their jumps */
    int *crossed;               /* functions that switch where the last search ended */
    int *fixed, *sure;          /* while sides are decided: those that are, and those surely at a jump */
    double *grid, *slope;       /* two signals per function, at the times of a search */
    int *resting;               /* signals that have not risen since the stretch began */
    double *times;              /* of the last switches of each function */
    int *noted;                 /* how many of these there are */
    double last;                /* when there was a switch last */
    int turns;                  /* switches in a row without time */
    long switched;              /* all switches */
    int reason;                 /* why the run cannot go on */
    double end;                 /* when switches accumulate */
} dx_switches;

#endif
