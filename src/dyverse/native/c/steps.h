/* Adaptive steps of Runge-Kutta methods with dense output: what an engine keeps of them.
 *
 * Two methods of Dormand and Prince: of order 5(4), and of order 8(5,3), which takes fewer steps where
 * much accuracy is asked for. Where all rates change at constant rates a step is a parabola. The
 * engine says what the rates are. */
#ifndef DV_STEPS_H
#define DV_STEPS_H

#include "numbers.h"

#define DV_STAGES 16
#define DV_POWERS 7 /* of the dense output, at most */
#define DV_FINE 1e-7 /* of relative tolerances: below it order 8 pays where few events are */
#define DV_SHORT 2   /* steps that errors made short before another method is tried */
#define DV_LONGER 3.0 /* by which its steps may be longer at first */
#define DV_WIDE 8   /* rows of numbers are filled up to multiples of this */

/* A sum of stages, without those that have no weight. */
typedef struct {
    int count;
    int stage[DV_STAGES];
    double weight[DV_STAGES];
} dv_sum;

typedef struct {
    int last;     /* the stage that is the rate at the end of a step */
    int stages;   /* with those of the dense output alone */
    int sums;     /* of stages in the dense output */
    double order; /* of the estimated error, as steps grow by it */
    double most;  /* by which a step may be longer than the last */
    const double *node;
    const dv_sum *row;
    const dv_sum *error; /* one estimate, or two of which the second is coarser */
    const dv_sum *dense;
} dv_tableau;

/* What goes on from step to step, and how many there were. */
typedef struct {
    long made, rejected;
    double proposal; /* length of step to try next; 0: none yet */
    double relaxing; /* how fast the field pulls together (1/s) */
    int stiff;       /* steps in a row that were as long as this allows */
    int limited;     /* and since the method was chosen, that were as long as their error allows */
    int high;        /* whether the last one was of order 8 */
    int counted;     /* steps since it was last seen whether they crawl, */
    double since;    /* at this time */
} dv_pace;

/* Why no step could be made. */
enum { DV_AT_START = 0, DV_AFTER_STEP = 1, DV_TOO_SHORT = 2, DV_TOO_MANY_STEPS = 3 };

/* The code of a run that ends by it. */
#define DV_NO_STEP(s) ((s)->reason == DV_TOO_MANY_STEPS ? DV_CRAWLING : DV_SOLVER)

/* So many steps in a row that take less than this each (s) crawl: dyverse.flow.step. */
#define DV_CRAWL_STEPS 2000
#define DV_CRAWL 1e-9

typedef struct {
    int n;
    double relative, absolute, longest;
    const dv_tableau *method;
    int chooses; /* whether each stretch of time begins with order 5, and goes on with order 8 */

    void *of;
    void (*rate)(void *of, double time, const double *x, double *out);
    /* If all rates change at constant rates (`steady`): these, from the rates. NULL: not at all. */
    void (*second)(void *of, const double *rate, double *out);
    /* What else limits a step, if it is not NULL: an error over what is tolerated; the last rate was
     * that of y1. */
    double (*own_error)(void *of, const double *error);
    /* How fast the field pulls together at y1 (1/s), if it is not NULL: see chebyshev.c. */
    double (*relaxation)(void *of);
    /* A first length of steady steps, if it is not NULL. */
    double (*first_length)(void *of);

    int steady;
    double *x, *y1, *yt, *other; /* at the start and the end of the step; for anyone to use */
    double *spare, *zero;
    double *stage[DV_STAGES];
    double *dense[DV_POWERS + 1]; /* x(θ) = d0 + θ(d1 + (1-θ)(d2 + θ(d3 + (1-θ)(d4 + …)))) */
    int powers;                   /* how many of these there are beside d0 */
    double start, length, end;    /* of the step just made */
    dv_pace pace;
    int fresh;                    /* whether stage[0] is the rate at x */
    int reason, variable;         /* why none could be made; whose rate is to blame, or -1 */
} dv_steps;

/* How many numbers the rows of so many variables take. */
static inline int dv_row_length(int n) {
    return (n + DV_WIDE - 1) / DV_WIDE * DV_WIDE;
}

static inline double dv_share(const dv_steps *s, double time) {
    return (time - s->start) / s->length;
}

/* A ten-millionth of the step before and after `time`, for differences. */
static inline void dv_around(const dv_steps *s, double time, double *before, double *after) {
    double ulp = dv_ulp(dv_max(fabs(s->start), fabs(s->end)));
    double small = dv_max(1e-7 * (s->end - s->start), 64 * ulp);
    *before = dv_max(time - small, s->start);
    *after = dv_min(time + small, s->end);
}

/* One variable at a share of the step. */
static inline double dv_dense_entry(const dv_steps *s, double share, int i) {
    double rest = 1.0 - share, sum = s->dense[s->powers][i];
    if (s->powers == 2) return s->dense[0][i] + share * (s->dense[1][i] + rest * sum);
    for (int k = s->powers - 1; k > 0; k--) sum = s->dense[k][i] + (k % 2 ? rest : share) * sum;
    return s->dense[0][i] + share * sum;
}

#endif
