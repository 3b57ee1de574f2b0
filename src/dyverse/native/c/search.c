/* The first event on one step: a watched signal that stops being positive.
 *
 * See dyverse.flow.events, which this follows line by line. Between two positive samples a signal has
 * crossed and come back only if its rate changed from falling to rising: that minimum is found, not
 * guessed from the ends, so no collision is stepped over. A signal that was just reset to zero is
 * resting: it cannot fire before it has risen above `lift`; if it sinks below -depth without having
 * risen, it fires at the start of the step. */
#ifndef DV_SEARCH_C
#define DV_SEARCH_C

#include "course.h"

#define DV_REACH 4 /* a dip is looked at if an end's tangent, this many intervals long, meets zero */
#define DV_LEVELS 3 /* how often an interval with an inflection is divided */
#define DV_HALVINGS 60
#define DV_LEVEL 1e-14 /* how far above its lowest value a signal is as low as it gets */

double dv_value(const dv_hunt *h, double time) {
    double value;
    h->at(h->of, h->signal, time, &value, NULL);
    return value;
}

static double dv_slope(const dv_hunt *h, double time) {
    double rate;
    h->at(h->of, h->signal, time, NULL, &rate);
    return rate;
}

static double dv_next_share(double x1, double f1, double x2, double f2, double x3, double f3) {
    if (f3 == f1 || f3 == f2 || !isfinite(f1 + f2 + f3)) return 0.5;
    double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    if (phi * phi >= xi || (1 - phi) * (1 - phi) >= 1 - xi) return 0.5;
    return f1 / (f2 - f1) * f3 / (f2 - f3) +
           (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
}

/* Shrink [a, b] around a sign change of the signal, or of its rate, to the last digits
 * [chandrupatla1997]. Returns the end that is not positive, and what is there. */
static double dv_bracket(const dv_hunt *h, int rate, double a, double fa, double b, double fb,
                         double fine, double *found) {
    double x1 = b, f1 = fb, x2 = a, f2 = fa, share = 0.5;
    for (int turn = 0; turn < 200; turn++) {
        double x = x1 + share * (x2 - x1), f = rate ? dv_slope(h, x) : dv_value(h, x), x3, f3;
        if ((f > 0) == (f1 > 0)) {
            x3 = x1;
            f3 = f1;
        } else {
            x3 = x2;
            f3 = f2;
            x2 = x1;
            f2 = f1;
        }
        x1 = x;
        f1 = f;
        double least = (DBL_EPSILON * fabs(x1) + fine) / fabs(x2 - x1);
        if (least > 0.5 || f1 == 0.0) break;
        share = dv_min(dv_max(dv_next_share(x1, f1, x2, f2, x3, f3), least), 1 - least);
    }
    *found = f1 > 0 ? f2 : f1;
    return f1 > 0 ? x2 : x1;
}

/* Where a signal gets down to `level` to stay, as that of a guard at rest on a border. */
static double dv_first_low(const dv_hunt *h, double above, double low, double level) {
    for (int i = 0; i < DV_HALVINGS; i++) {
        double middle = (above + low) / 2;
        if (!(above < middle && middle < low)) break;
        if (dv_value(h, middle) > level)
            above = middle;
        else
            low = middle;
    }
    return low;
}

/* The crossing between two times, on the side that is not positive. */
static double dv_root(const dv_hunt *h, double a, double fa, double b, double fb) {
    double found;
    if (fa <= 0.0) return a;
    double time = dv_bracket(h, 0, a, fa, b, fb, 1e-18 * (b - a), &found);
    if (found == 0.0 && dv_slope(h, time) == 0.0) return dv_first_low(h, a, time, 0.0);
    return time;
}

/* Where the rate changes sign on interval i. */
static double dv_turn(const dv_hunt *h, const dv_curve *c, int i) {
    double found;
    if (c->r[i + 1] == 0.0) return c->t[i + 1];
    return dv_bracket(h, 1, c->t[i], c->r[i], c->t[i + 1], c->r[i + 1],
                      1e-14 * (c->t[i + 1] - c->t[i]), &found);
}

static void dv_tell_near(dv_hunt *h, double time, double value) {
    dv_near miss = {time, value, h->signal};
    if (h->near && value <= h->graze && h->near->count < DV_NEAR_ROOM)
        h->near->miss[h->near->count++] = miss;
}

/* A falling, then rising signal, positive at both ends: a crossing, a graze or nothing. */
static double dv_dip(dv_hunt *h, const dv_curve *c, int i) {
    double bottom = dv_turn(h, c, i), value = dv_value(h, bottom);
    if (value <= 0.0) return dv_root(h, c->t[i], c->v[i], bottom, value);
    if (value <= h->floor && (!h->meets || h->meets(h->of, h->signal, bottom))) {
        int flat = c->r[i + 1] == 0.0;
        return flat ? dv_first_low(h, c->t[i], bottom, value + DV_LEVEL) : bottom;
    }
    dv_tell_near(h, bottom, value);
    return INFINITY;
}

/* A resting signal that rises, then falls: it comes down after its top, if it had one. */
static double dv_hop(dv_hunt *h, const dv_curve *c, int i) {
    double top = dv_turn(h, c, i), value = dv_value(h, top), end = c->v[i + 1];
    if (value > h->lift) {
        h->risen = 1;
        return end <= 0.0 ? dv_root(h, top, value, c->t[i + 1], end) : INFINITY;
    }
    return end < -h->depth ? h->start : INFINITY;
}

/* A resting signal that falls from the start: it fires there if it sinks too deep. */
static double dv_sinking(dv_hunt *h, const dv_curve *c, int i) {
    double lowest = c->v[i + 1];
    if (c->r[i + 1] >= 0.0) lowest = dv_min(lowest, dv_value(h, dv_turn(h, c, i)));
    return lowest < -h->depth ? h->start : INFINITY;
}

/* Where a resting signal that sinks has left a standstill at zero, if it was in one. */
static double dv_standstill(dv_hunt *h, const dv_curve *c, int i) {
    int first = i > 0 && c->r[i - 1] == 0.0 ? i - 1 : i;
    if (c->v[i + 1] >= -h->depth || c->r[first] != 0.0) return INFINITY;
    double begin = c->t[first], value = c->v[first];
    double low = dv_first_low(h, begin, c->t[i + 1], value - DV_LEVEL);
    return dv_value(h, (begin + low) / 2) == value ? low : INFINITY;
}

void dv_draw(dv_hunt *h, double start, double end, dv_curve *c) {
    for (int k = 0; k <= h->intervals; k++) {
        c->t[k] = dv_time_of(start, end, k, h->intervals);
        h->at(h->of, h->signal, c->t[k], c->v + k, c->r + k);
    }
}


/* Look closer at an interval on which the signal must have turned more than once. */
static double dv_divide(dv_hunt *h, const dv_curve *c, int i, int armed, int level) {
    dv_curve finer;
    if (level == DV_LEVELS) return !armed && c->v[i + 1] < -h->depth ? h->start : INFINITY;
    dv_draw(h, c->t[i], c->t[i + 1], &finer);
    return dv_scan(h, &finer, armed, level + 1);
}

/* Whether a signal that falls at both ends may have risen between them: one that leaves zero upwards
 * may fall there by a rounding error, and come down behind its top. */
static int dv_may_wave(const dv_curve *c, int i) {
    double chord = (c->v[i + 1] - c->v[i]) / (c->t[i + 1] - c->t[i]);
    return c->r[i + 1] < 0.0 && dv_min(c->r[i], c->r[i + 1]) < 3 * chord;
}

static double dv_examine(dv_hunt *h, const dv_curve *c, int i, int armed, int level) {
    int rises = c->r[i] > 0.0, falls = c->r[i] < 0.0;
    if (armed && c->v[i + 1] <= 0.0) {
        int later = h->limit < c->t[i + 1] && dv_value(h, h->limit) > 0.0;
        return later ? INFINITY : dv_root(h, c->t[i], c->v[i], c->t[i + 1], c->v[i + 1]);
    }
    if (armed && falls && c->r[i + 1] >= 0.0) return dv_dip(h, c, i);
    if (armed && c->v[i + 1] <= h->spent) return c->t[i + 1];
    double left = armed ? INFINITY : dv_standstill(h, c, i);
    if (left < INFINITY) return left;
    if (!armed && rises && c->r[i + 1] < 0.0) return dv_hop(h, c, i);
    if (!armed && falls && !dv_may_wave(c, i)) return dv_sinking(h, c, i);
    return dv_divide(h, c, i, armed, level);
}

/* Whether the signal comes near enough to zero on interval i to be looked at. */
int dv_is_near(const dv_hunt *h, const dv_curve *c, int i) {
    double reach = DV_REACH * (c->t[1] - c->t[0]);
    double low = h->near ? dv_max(h->floor, h->graze) : h->floor;
    return c->v[i + 1] <= 0.0 || (c->r[i] < 0.0 && c->v[i] + reach * c->r[i] <= low) ||
           (c->r[i + 1] > 0.0 && c->v[i + 1] - reach * c->r[i + 1] <= low);
}

/* Whether it might have crossed there. A cubic through these values and rates is sure to be monotone
 * if no rate is over three times the slope of its chord [fritsch1980]. */
static int dv_is_suspect(const dv_hunt *h, const dv_curve *c, int i, int armed) {
    double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
    double length = c->t[1] - c->t[0], chord = 3 * (v1 - v0) / length;
    int wavy = (r0 < 0 && r1 < 0 && dv_min(r0, r1) < chord) ||
               (r0 >= 0 && r1 > 0 && dv_max(r0, r1) > chord);
    int turning = r0 < 0 && r1 >= 0;
    if (armed && v1 <= h->spent) return 1;
    if (armed) return dv_is_near(h, c, i) && (v1 <= 0 || turning || wavy);
    int hops = r0 > 0 && v0 + length * r0 > h->lift && (v1 <= h->lift || wavy);
    return hops || v1 < -h->depth || (turning && v0 + DV_REACH * length * r0 < -h->depth);
}

/* The first crossing on a curve of samples, or infinity. */
double dv_scan(dv_hunt *h, const dv_curve *c, int armed, int level) {
    for (int i = 0; i < h->intervals && !(h->limit < c->t[i]); i++) {
        armed |= (i > 0 && c->v[i] > h->lift) || h->risen;
        if (!dv_is_suspect(h, c, i, armed)) continue;
        double time = dv_examine(h, c, i, armed, level);
        if (time < INFINITY) return time;
    }
    return INFINITY;
}

#include "depths.c"

#endif
