/* See switches.h. */
#ifndef DX_SWITCHES_C
#define DX_SWITCHES_C

#include "course.h"

#define DX_MOMENT 1e-6  /* s: what does not move now has by then; what is not seen by then hardly moves, */
#define DX_LATER 1e-4   /* and may by then */
#define DX_HELD 1e-9    /* one that rests there by what is written has left it when it is this far */
#define DX_ZERO 1e-10   /* share of the largest rate below which a rate is none */
#define DX_LINEAR 1e-6  /* the same, by which a field may differ from one that is linear */
#define DX_STILL 1e-9   /* 1/s: a function of loads on bodies that changes more slowly stays */
#define DX_SWEEPS 500
#define DX_LIFT 1e-13   /* a resting signal above this has risen */
#define DX_DEPTH 1e-9   /* and one below minus this sinks, and fires */
#define DX_POINTS 9     /* samples of a search */
#define DX_PARTS 4      /* how often a step is divided on which a function swings too fast */
#define DX_IDLE 50      /* switches in a row without time before a run is taken to be stuck */
#define DX_SHRINK 0.97  /* an interval that shrinks is at most this share of the one before */
#define DX_SOON 1e-4    /* s: where no more is left until switches have piled up, a run ends */

static size_t dx_room(void **share, char *memory, size_t *used, size_t count, size_t size) {
    *share = memory ? memory + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return *used;
}

/* Memory for so many functions of so many variables, from `memory` on; without it, only counted. */
size_t dx_lay_out(dx_switches *w, int count, int n, char *memory) {
    size_t used = 0, k = (size_t)count, v = (size_t)n;
    double **vectors[] = {&w->side, &w->value, &w->s, &w->speed, &w->middle, &w->half,
                          &w->c,    &w->m,     &w->solved, &w->zero, &w->offset};
    double **points[] = {&w->x, &w->f, &w->base};
    int **flags[] = {&w->here, &w->crossed, &w->noted, &w->fixed, &w->sure};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        dx_room((void **)vectors[i], memory, &used, k, sizeof(double));
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        dx_room((void **)points[i], memory, &used, v, sizeof(double));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        dx_room((void **)flags[i], memory, &used, k, sizeof(int));
    dx_room((void **)&w->resting, memory, &used, 2 * k, sizeof(int));
    dx_room((void **)&w->by, memory, &used, k * v, sizeof(double));
    dx_room((void **)&w->B, memory, &used, 2 * k * (k + 1), sizeof(double));
    dx_room((void **)&w->grid, memory, &used, 2 * k * DX_POINTS * (DX_PARTS + 2), sizeof(double));
    dx_room((void **)&w->slope, memory, &used, 2 * k * DX_POINTS * (DX_PARTS + 2), sizeof(double));
    dx_room((void **)&w->times, memory, &used, k * (DX_PILED + 1), sizeof(double));
    w->n = n;
    return used;
}

/* An impact: what switches between bounces piles up where these do, and they may rest. */
void dx_forget(dx_switches *w) {
    for (int i = 0; i < w->count; i++) w->noted[i] = 0;
}

/* A run begins. */
void dx_begin(dx_switches *w) {
    w->slides = w->turns = w->reason = w->busy = 0;
    w->switched = 0;
    w->last = -INFINITY;
    w->end = NAN;
    dx_forget(w);
}

static double dx_sign(double s) {
    return (double)((s > 0.0) - (s < 0.0));
}

static double dx_written(int kind, double s) {
    if (kind == DX_SIGN) return dx_sign(s);
    if (kind == DX_FLOOR) return floor(s);
    return s >= 0.0 ? 1.0 : -1.0;
}

/* Where the nearest jump of a switching function is. */
double dx_jump(int kind, double s) {
    return kind == DX_FLOOR ? rint(s) : 0.0;
}

void dx_take(dx_switches *w) {
    w->take(w->of, w->value);
}

/* The field with the values that were taken, and the switching functions there. */
static void dx_point(dx_switches *w, double time, const double *x, double *f) {
    dx_take(w);
    w->rate(w->of, time, x, f);
    w->surfaces(w->of, time, x, f, w->s, w->speed);
}

/* Values as they are written of functions that are not fixed; later ones may use those of earlier ones. */
static void dx_write(dx_switches *w, double time, const double *x) {
    for (int i = 0; i < w->n; i++) w->f[i] = 0.0;
    for (int turn = 0; turn <= w->count; turn++) {
        int changed = 0;
        dx_take(w);
        w->surfaces(w->of, time, x, w->f, w->s, w->speed);
        for (int i = 0; i < w->count; i++) {
            double fresh = w->fixed[i] ? w->value[i] : dx_written(w->kind[i], w->s[i]);
            changed |= fresh != w->value[i];
            w->value[i] = fresh;
        }
        if (!changed) break;
    }
    dx_take(w);
}

/* All values as they are written. */
void dx_literal(dx_switches *w, double time, const double *x) {
    for (int i = 0; i < w->count; i++) w->value[i] = w->fixed[i] = 0;
    dx_write(w, time, x);
}

/* A share of the largest rate of a function in `here`; where contacts hold bodies still, that may be a
 * rounding error. */
static double dx_share_of(const dx_switches *w, int count, int j, double share) {
    double most = fabs(w->c[j]);
    for (int k = 0; k < count; k++) most += fabs(w->B[j * count + k]);
    return fmax(share * most, w->here[j] < w->loaded ? DX_STILL : 0.0);
}

/* Values between m = -1 and 1 for `count` functions in `here`, s' = c + B m for them. */
static void dx_linear(dx_switches *w, int count, double time, const double *x) {
    for (int j = 0; j < count; j++) {
        int i = w->here[j], floors = w->kind[i] == DX_FLOOR;
        w->middle[j] = floors ? dx_jump(DX_FLOOR, w->s[i]) - 0.5 : 0.0;
        w->half[j] = floors ? 0.5 : 1.0;
    }
    for (int j = 0; j < count; j++) w->value[w->here[j]] = w->middle[j];
    dx_point(w, time, x, w->base);
    for (int j = 0; j < count; j++) w->c[j] = w->speed[w->here[j]];
    for (int k = 0; k < count; k++) {
        double *by = w->by + (size_t)k * (size_t)w->n;
        w->value[w->here[k]] = w->middle[k] + w->half[k];
        dx_point(w, time, x, by);
        w->value[w->here[k]] = w->middle[k];
        for (int i = 0; i < w->n; i++) by[i] -= w->base[i];
        for (int j = 0; j < count; j++) w->B[j * count + k] = w->speed[w->here[j]] - w->c[j];
    }
    for (int j = 0; j < count; j++) w->zero[j] = dx_share_of(w, count, j, DX_ZERO);
}

/* Solve A y = b by elimination, in place; 0 if A has no inverse. */
static int dx_solve(int n, double *A, double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        if (!(fabs(A[best * n + k]) > 0.0)) return 0;
        for (int j = 0; j < n && best != k; j++) {
            double kept = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = k + 1; i < n; i++) {
            double share = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= share * A[k * n + j];
            b[i] -= share * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return 1;
}

/* m of one function, the others given: s' = rest + own m. */
static double dx_one(double rest, double own, double zero, double begun, double written) {
    if (own < -zero) return fmin(fmax(-rest / own, -1.0), 1.0);
    double low = fmin(rest - own, rest + own), high = fmax(rest - own, rest + own);
    if (low > zero) return 1.0;
    if (high < -zero) return -1.0;
    if (fmax(fabs(low), fabs(high)) <= zero) return written; /* it stays whatever its value is */
    double speed = rest + own * begun;
    return fabs(speed) <= zero ? begun : dx_sign(speed);
}

static double dx_row(const double *row, const double *m, int count) {
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += row[k] * m[k];
    return sum;
}

/* m of the functions that slide, exactly; marks in `slides` say which. 0 if there is none. */
static int dx_polish(dx_switches *w, int count, const int *slides) {
    double *A = w->B + (size_t)count * (size_t)(count + 1), *b = w->solved;
    int inner = 0;
    for (int j = 0; j < count; j++) {
        if (!slides[j]) continue;
        int column = 0, many = 0;
        for (int k = 0; k < count; k++) many += slides[k];
        b[inner] = -w->c[j];
        for (int k = 0; k < count; k++) {
            if (slides[k])
                A[inner * many + column++] = w->B[j * count + k];
            else
                b[inner] -= w->B[j * count + k] * w->m[k];
        }
        inner++;
    }
    if (inner == 0) return 1;
    if (!dx_solve(inner, A, b)) return 0;
    for (int j = 0, at = 0; j < count; j++)
        if (slides[j]) w->m[j] = b[at++];
    return 1;
}

/* m of all functions that are at their jumps; `crossed` is free to use for marks. */
static int dx_between(dx_switches *w, int count) {
    int *slides = w->crossed;
    for (int j = 0; j < count; j++) {
        double written = w->kind[w->here[j]] == DX_SIGN ? 0.0 : 1.0;
        w->solved[j] = w->offset[j] != 0.0 ? dx_sign(w->offset[j]) : written;
        w->m[j] = w->B[j * count + j] < -w->zero[j] ? 0.0 : w->solved[j];
    }
    for (int sweep = 0; sweep < DX_SWEEPS; sweep++) {
        double most = 0.0;
        for (int j = 0; j < count; j++) {
            double own = w->B[j * count + j], before = w->m[j];
            double written = w->kind[w->here[j]] == DX_SIGN ? 0.0 : 1.0;
            double rest = w->c[j] + dx_row(w->B + j * count, w->m, count) - own * before;
            w->m[j] = dx_one(rest, own, w->zero[j], w->solved[j], written);
            most = fmax(most, fabs(w->m[j] - before));
        }
        if (most <= 1e-15) break;
    }
    for (int j = 0; j < count; j++)
        slides[j] = w->B[j * count + j] < -w->zero[j] && fabs(w->m[j]) < 1.0;
    if (!dx_polish(w, count, slides)) return DX_NO_SIDE;
    for (int j = 0; j < count; j++) {
        double speed = w->c[j] + dx_row(w->B + j * count, w->m, count);
        int pulls = w->B[j * count + j] < -w->zero[j];
        if (fabs(w->m[j]) > 1.0 + DX_ZERO) return DX_NO_SIDE;
        if (slides[j] && fabs(speed) > w->zero[j]) return DX_NO_SIDE;
        if (pulls && !slides[j] && w->m[j] * speed < -w->zero[j]) return DX_NO_SIDE;
    }
    return DX_GOES_ON;
}

/* Whether the field is linear in the values that were found. */
static int dx_is_linear(dx_switches *w, int count, double time, const double *x) {
    for (int j = 0; j < count; j++)
        w->value[w->here[j]] = w->middle[j] + w->half[j] * w->m[j];
    dx_point(w, time, x, w->f);
    for (int j = 0; j < count; j++) {
        double meant = w->c[j] + dx_row(w->B + j * count, w->m, count);
        double most = dx_share_of(w, count, j, DX_LINEAR);
        if (!(fabs(w->speed[w->here[j]] - meant) <= most)) return 0;
    }
    return 1;
}

/* The field at a point, on the sides of this stretch: those that slide take the values that keep
 * them on their jumps. */
void dx_field(dx_switches *w, double time, const double *x, double *f) {
    int count = 0, *all = w->here;
    for (int i = 0; i < w->count; i++) {
        w->value[i] = isnan(w->side[i]) ? 0.0 : w->side[i];
        if (isnan(w->side[i])) all[count++] = i;
    }
    w->busy++;
    if (count) {
        dx_take(w);
        for (int i = 0; i < w->n; i++) w->f[i] = 0.0;
        w->surfaces(w->of, time, x, w->f, w->s, w->speed); /* which jump a floor is at */
        dx_linear(w, count, time, x);
        memcpy(w->B + (size_t)count * (size_t)(count + 1), w->B,
               (size_t)(count * count) * sizeof(double));
        for (int j = 0; j < count; j++) w->m[j] = -w->c[j];
        if (!dx_solve(count, w->B + (size_t)count * (size_t)(count + 1), w->m))
            for (int j = 0; j < count; j++) w->m[j] = 0.0;
        for (int j = 0; j < count; j++)
            w->value[w->here[j]] = w->middle[j] + w->half[j] * w->m[j];
        dx_take(w);
        memcpy(f, w->base, (size_t)w->n * sizeof(double));
        for (int j = 0; j < count; j++)
            for (int i = 0; i < w->n; i++) f[i] += w->m[j] * w->by[(size_t)j * (size_t)w->n + (size_t)i];
    } else {
        dx_take(w);
        w->rate(w->of, time, x, f);
    }
    w->busy--;
}

/* Kinks go the way their functions move. Leaves marks of those that hardly do in `at`; the fastest of these,
 * or less than zero. */
static double dx_bend_at(dx_switches *w, double time, const double *x, int *at) {
    double fastest = -1.0;
    dx_field(w, time, x, w->f);
    w->surfaces(w->of, time, x, w->f, w->s, w->speed);
    for (int i = 0; i < w->count; i++) {
        double speed = fabs(w->speed[i]);
        at[i] = at[i] && w->kind[i] == DX_KINK;
        if (at[i] && speed > 0.0) w->side[i] = dx_sign(w->speed[i]);
        at[i] = at[i] && !(speed * DX_MOMENT > DX_TOUCH);
        if (at[i]) fastest = fmax(fastest, speed);
    }
    return fastest;
}

/* The same; functions that hardly move are looked at again a moment later, before they have left zero by
 * what is seen. One that turns back until then would be found to sink at once, for ever. */
static void dx_bend(dx_switches *w, double time, const double *x, int *at) {
    int any = 0;
    for (int i = 0; i < w->count; i++) any |= at[i] && w->kind[i] == DX_KINK;
    if (!any) return;
    double fastest = dx_bend_at(w, time, x, at), moment = DX_MOMENT;
    if (fastest < 0.0 || w->slides) return;
    if (fastest > 0.0) moment = fmin(DX_TOUCH / fastest, DX_LATER);
    for (int i = 0; i < w->n; i++) w->base[i] = x[i] + moment * w->f[i];
    dx_bend_at(w, time + moment, w->base, at);
}

/* Which functions are at their jumps, in `here` those that leap: how many. Those that are sure are, whatever
 * rounding has made of it. */
static int dx_find_jumps(dx_switches *w, int *at) {
    int count = 0;
    for (int i = 0; i < w->count; i++) {
        double jump = dx_jump(w->kind[i], w->s[i]);
        at[i] = !w->fixed[i] && (w->sure[i] || fabs(w->s[i] - jump) <= DX_TOUCH * (1 + fabs(jump)));
        if (at[i] && w->kind[i] != DX_KINK) w->here[count++] = i;
    }
    return count;
}

/* Leave in `here` functions that do not change where another of them changes sides: how many. Those that
 * do may be far from their own jumps when the other is known, so they are not sure to be there. */
static int dx_leave_leaders(dx_switches *w, int count, double time, const double *x) {
    double *s = w->grid, *low = s + w->count, *high = low + w->count;
    int *follows = w->crossed, leaders = 0;
    memcpy(s, w->s, (size_t)w->count * sizeof(double));
    for (int i = 0; i < w->n; i++) w->f[i] = 0.0;
    for (int i = 0; i < w->count; i++) follows[i] = 0;
    for (int j = 0; j < count; j++) {
        int i = w->here[j], floors = w->kind[i] == DX_FLOOR;
        double kept = w->value[i], up = floors ? dx_jump(DX_FLOOR, s[i]) : 1.0;
        w->value[i] = floors ? up - 1.0 : -1.0;
        dx_take(w);
        w->surfaces(w->of, time, x, w->f, low, w->speed);
        w->value[i] = up;
        dx_take(w);
        w->surfaces(w->of, time, x, w->f, high, w->speed);
        w->value[i] = kept;
        for (int k = 0; k < w->count; k++) follows[k] |= low[k] != high[k];
    }
    dx_take(w);
    memcpy(w->s, s, (size_t)w->count * sizeof(double));
    for (int i = 0; i < w->count; i++) w->sure[i] &= !follows[i];
    for (int j = 0; j < count; j++)
        if (!follows[w->here[j]]) w->here[leaders++] = w->here[j];
    return leaders ? leaders : count;
}

/* Where a function with a value m goes a moment later; zero if it hardly moves then. */
static double dx_way_later(dx_switches *w, int j, double m, double time, const double *x, double moment) {
    int i = w->here[j];
    w->value[i] = w->middle[j] + w->half[j] * m;
    dx_take(w);
    w->rate(w->of, time, x, w->f);
    for (int k = 0; k < w->n; k++) w->base[k] = x[k] + moment * w->f[k];
    dx_point(w, time + moment, w->base, w->f);
    w->value[i] = w->middle[j] + w->half[j] * w->m[j];
    return fabs(w->speed[i]) > fmax(DX_TOUCH, i < w->loaded ? DX_STILL : 0.0) ? dx_sign(w->speed[i]) : 0.0;
}

/* Functions that hardly move are looked at again a moment later: one that then moves the same way whatever
 * its value is goes that way. It has touched its jump and turned back, or passes it slowly. */
static void dx_look_later(dx_switches *w, int count, double time, const double *x) {
    for (int j = 0; j < count; j++)
        w->value[w->here[j]] = w->middle[j] + w->half[j] * w->m[j];
    for (int j = 0; j < count; j++) {
        double own = w->B[j * count + j], moment = DX_MOMENT;
        double rest = w->c[j] + dx_row(w->B + j * count, w->m, count) - own * w->m[j];
        double fastest = fabs(rest) + fabs(own);
        if (own < -w->zero[j] || fastest * DX_MOMENT > DX_TOUCH) continue;
        if (fastest > 0.0) moment = fmin(DX_TOUCH / fastest, DX_LATER);
        double low = dx_way_later(w, j, -1.0, time, x, moment);
        double high = dx_way_later(w, j, 1.0, time, x, moment);
        if (low != high || low == 0.0) continue;
        w->side[w->here[j]] = w->middle[j] + w->half[j] * low;
    }
}

/* The sides of `count` functions in `here`, which are at their jumps; they are fixed then. */
static int dx_resolve(dx_switches *w, int count, double time, const double *x) {
    int *slides = w->crossed, any = count > 1;
    for (int j = 0; j < count; j++) {
        double s = w->s[w->here[j]];
        w->offset[j] = s - dx_jump(w->kind[w->here[j]], s);
    }
    dx_linear(w, count, time, x);
    int reason = dx_between(w, count);
    for (int j = 0; j < count && reason == DX_GOES_ON; j++) {
        w->side[w->here[j]] = slides[j] ? NAN : w->middle[j] + w->half[j] * w->m[j];
        w->slides += slides[j];
        any |= slides[j];
    }
    if (reason == DX_GOES_ON && any && !dx_is_linear(w, count, time, x)) reason = DX_NOT_LINEAR;
    if (reason == DX_GOES_ON) dx_look_later(w, count, time, x);
    for (int j = 0; j < count; j++) {
        int i = w->here[j], known = reason == DX_GOES_ON && !isnan(w->side[i]);
        w->value[i] = known ? w->side[i] : w->middle[j] + w->half[j] * w->m[j];
        w->fixed[i] = 1;
    }
    return reason;
}

/* The sides from a point on; functions marked in `crossed`, if it is not NULL, are at their jumps. */
int dx_decide(dx_switches *w, double time, const double *x, const int *crossed) {
    int count, reason = DX_GOES_ON, *at = w->resting + w->count; /* free to use until the end */
    for (int i = 0; i < w->count; i++) {
        w->sure[i] = crossed && crossed[i];
        w->value[i] = w->fixed[i] = 0;
    }
    w->slides = 0;
    w->busy++;
    dx_write(w, time, x);
    while ((count = dx_find_jumps(w, at)) > 0) {
        reason = w->slides ? DX_NOT_LINEAR : DX_GOES_ON;
        if (reason == DX_GOES_ON) {
            count = dx_leave_leaders(w, count, time, x);
            reason = dx_resolve(w, count, time, x);
        }
        if (reason != DX_GOES_ON) break;
        dx_write(w, time, x);
    }
    for (int i = 0; i < w->count; i++) {
        if (!w->fixed[i]) w->side[i] = w->value[i];
        w->crossed[i] = w->fixed[i];
    }
    w->busy--;
    if (reason == DX_GOES_ON) dx_bend(w, time, x, at);
    w->reason = reason;
    return reason;
}

/* Two signals of each function at a point, positive until it switches; of one that slides, how far
 * it is from leaving its jump, with an unknown rate. */
void dx_signals(dx_switches *w, double time, const double *x, double *v, double *r) {
    dx_field(w, time, x, w->f);
    w->busy++;
    w->surfaces(w->of, time, x, w->f, w->s, w->speed);
    w->busy--;
    for (int i = 0, inner = 0; i < w->count; i++) {
        double side = w->side[i], s = w->s[i], speed = w->speed[i];
        v[2 * i + 1] = 1.0;
        r[2 * i + 1] = 0.0;
        if (isnan(side)) {
            v[2 * i] = 1.0 - fabs(w->m[inner++]);
            r[2 * i] = NAN;
        } else if (w->kind[i] == DX_FLOOR) {
            v[2 * i] = s - side;
            r[2 * i] = speed;
            v[2 * i + 1] = side + 1.0 - s;
            r[2 * i + 1] = -speed;
        } else if (fabs(side) < 1.0) {
            v[2 * i] = DX_HELD - fabs(s);
            r[2 * i] = -dx_sign(s) * speed;
        } else {
            v[2 * i] = side * s;
            r[2 * i] = side * speed;
        }
        for (int k = 0; k < 2; k++)
            if (isnan(v[2 * i + k])) v[2 * i + k] = -INFINITY;
    }
}

/* A stretch of time begins at a point, on sides that are decided: which signals rest. */
void dx_rest(dx_switches *w, double time, const double *x) {
    if (w->count == 0) return;
    dx_signals(w, time, x, w->grid, w->slope);
    for (int j = 0; j < 2 * w->count; j++) w->resting[j] = w->grid[j] <= DX_TOUCH;
}

/* The search on a step from `start` to `end`. */
typedef struct {
    dx_switches *w;
    double start, end;
} dx_hunt;

static void dx_at(dx_hunt *h, double time, double *v, double *r) {
    h->w->state(h->w->of, time, h->w->x);
    dx_signals(h->w, time, h->w->x, v, r);
}

/* Values and rates at a time; unknown rates by differences. */
static void dx_sample(dx_hunt *h, double time, double *v, double *r) {
    dx_switches *w = h->w;
    double *low = w->grid + 2 * w->count * DX_POINTS * (DX_PARTS + 1), *other = low + 2 * w->count;
    int unknown = 0;
    dx_at(h, time, v, r);
    for (int j = 0; j < 2 * w->count; j++) unknown |= isnan(r[j]);
    if (!unknown) return;
    double small = 1e-7 * (h->end - h->start), before = fmax(time - small, h->start);
    double after = fmin(time + small, h->end), *high = other + 2 * w->count;
    dx_at(h, before, low, other);
    dx_at(h, after, high, other);
    for (int j = 0; j < 2 * w->count; j++)
        if (isnan(r[j])) r[j] = (high[j] - low[j]) / (after - before);
}

static double dx_value(dx_hunt *h, int signal, double time, int rate) {
    double *v = h->w->grid + 2 * h->w->count * (DX_POINTS * (DX_PARTS + 1) + 4), *r = v + 2 * h->w->count;
    dx_sample(h, time, v, r);
    return rate ? r[signal] : v[signal];
}

/* Where a signal, or its rate, changes sign between a and b; on the side that is not positive. */
static double dx_root(dx_hunt *h, int signal, int rate, double a, double fa, double b, double fb) {
    for (int turn = 0; turn < 200 && fabs(b - a) > 0.0; turn++) {
        double x = turn % 3 == 2 || !isfinite(fa - fb) ? a + (b - a) / 2 : a + (b - a) * fa / (fa - fb);
        if (!(x > fmin(a, b) && x < fmax(a, b))) x = a + (b - a) / 2;
        if (x == a || x == b) break;
        double f = dx_value(h, signal, x, rate);
        if ((f > 0.0) == (fa > 0.0)) {
            a = x;
            fa = f;
        } else {
            b = x;
            fb = f;
        }
        if (f == 0.0) break;
    }
    return fa > 0.0 ? b : a;
}

/* Whether signals change between samples as their rates there say. */
static int dx_is_resolved(const dx_switches *w, const double *v, const double *r, double length) {
    int width = 2 * w->count;
    for (int j = 0; j < width; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < DX_POINTS; k++) {
            low = fmin(low, v[k * width + j]);
            high = fmax(high, v[k * width + j]);
        }
        for (int k = 1; k < DX_POINTS; k++) {
            double r0 = r[(k - 1) * width + j], r1 = r[k * width + j], v1 = v[k * width + j];
            double most = length / 2 * (fabs(r0) + fabs(r1)), little = 1e-6 * fabs(v1) + 1e-12;
            double missed = fabs(v1 - v[(k - 1) * width + j] - length / 2 * (r0 + r1));
            if (!(missed <= 0.2 * most + little) || !(most <= high - low + little)) return 0;
        }
    }
    return 1;
}

/* The first zero of a signal on interval k of a grid, or infinity. */
static double dx_on(dx_hunt *h, int j, double a, double b, const double *v, const double *r) {
    dx_switches *w = h->w;
    int width = 2 * w->count;
    double v0 = v[j], v1 = v[width + j], r0 = r[j], r1 = r[width + j];
    if (w->resting[j]) {
        if (r0 > 0.0 && r1 < 0.0 && v1 <= DX_LIFT) { /* it may rise and come down in between */
            double top = dx_root(h, j, 1, a, r0, b, r1), high = dx_value(h, j, top, 0);
            if (high > DX_LIFT) {
                w->resting[j] = 0;
                return v1 <= 0.0 ? dx_root(h, j, 0, top, high, b, v1) : INFINITY;
            }
        }
        if (v1 > DX_LIFT) w->resting[j] = 0;
        return v1 < -DX_DEPTH ? h->start : INFINITY;
    }
    if (v0 <= 0.0) return a;
    if (v1 <= 0.0) return dx_root(h, j, 0, a, v0, b, v1);
    if (r0 < 0.0 && r1 >= 0.0) {
        double bottom = dx_root(h, j, 1, b, r1, a, r0), low = dx_value(h, j, bottom, 0);
        if (low <= 0.0) return dx_root(h, j, 0, a, v0, bottom, low);
    }
    return INFINITY;
}

/* The first switch between two times of the step, or infinity; in parts if need be. */
static double dx_scan(dx_hunt *h, double a, double b, int level) {
    dx_switches *w = h->w;
    int width = 2 * w->count;
    double *v = w->grid + width * DX_POINTS * level, *r = w->slope + width * DX_POINTS * level;
    double length = (b - a) / (DX_POINTS - 1);
    for (int k = 0; k < DX_POINTS; k++)
        dx_sample(h, k == DX_POINTS - 1 ? b : a + length * k, v + width * k, r + width * k);
    int fine = level == DX_PARTS || dx_is_resolved(w, v, r, length);
    for (int k = 1; k < DX_POINTS; k++) {
        double from = a + length * (k - 1), to = k == DX_POINTS - 1 ? b : a + length * k;
        double first = INFINITY;
        if (!fine) {
            first = dx_scan(h, from, to, level + 1);
        } else {
            for (int j = 0; j < width; j++) {
                double time = dx_on(h, j, from, to, v + width * (k - 1), r + width * (k - 1));
                first = fmin(first, time);
            }
        }
        if (first < INFINITY) return first;
    }
    return INFINITY;
}

/* When the first function switches on the step just made, or infinity; marks it in `crossed`, with
 * those that do so within 1e-9 s. */
double dx_first(dx_switches *w, double start, double end) {
    if (w->count == 0 || !(end > start)) return INFINITY;
    dx_hunt hunt = {w, start, end};
    double first = dx_scan(&hunt, start, end, 0);
    if (!(first < INFINITY)) return first;
    double *v = w->grid, *r = w->slope, soon = fmin(1e-9, 0.01 * (end - start));
    int any = 0;
    dx_sample(&hunt, first, v, r);
    for (int i = 0; i < w->count; i++) {
        w->crossed[i] = 0;
        for (int k = 2 * i; k < 2 * i + 2; k++)
            w->crossed[i] |= (!w->resting[k] || first == start) && v[k] + soon * fmin(r[k], 0.0) <= 0.0;
        any |= w->crossed[i];
    }
    for (int i = 0; i < w->count && !any; i++) w->crossed[i] = w->resting[2 * i]; /* it sank */
    return first;
}

/* When switches of a function accumulate, if that is near; NaN if not. */
static double dx_piles_up(const dx_switches *w, int function) {
    const double *t = w->times + function * (DX_PILED + 1);
    if (w->noted[function] < DX_PILED + 1) return NAN;
    for (int k = 2; k <= DX_PILED; k++)
        if (!(t[k] - t[k - 1] <= DX_SHRINK * (t[k - 1] - t[k - 2]))) return NAN;
    double last = t[DX_PILED] - t[DX_PILED - 1], before = t[DX_PILED - 1] - t[DX_PILED - 2];
    double share = before > 0.0 ? last / before : 0.0, left = last * share / (1 - share);
    return left <= DX_SOON ? t[DX_PILED] + left : NAN;
}

/* A switch at a time: count it, and decide on which sides the run goes on, if it can. */
int dx_switch(dx_switches *w, double time, const double *x, long most) {
    int *crossed = w->crossed;
    w->turns = time == w->last ? w->turns + 1 : 0;
    w->last = time;
    w->switched++;
    for (int i = 0; i < w->count; i++) {
        double *t = w->times + i * (DX_PILED + 1);
        if (!crossed[i]) continue;
        if (w->noted[i] == DX_PILED + 1)
            memmove(t, t + 1, DX_PILED * sizeof(double));
        else
            w->noted[i]++;
        t[w->noted[i] - 1] = time;
        w->end = dx_piles_up(w, i);
        if (!isnan(w->end)) return w->reason = DX_ACCUMULATES;
    }
    if (w->turns > DX_IDLE) return w->reason = DX_ENDLESS;
    if (w->switched > most) return w->reason = DX_MANY;
    return dx_decide(w, time, x, crossed);
}

#endif
