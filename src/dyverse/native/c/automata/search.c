/* The first event on one step: a watched signal that stops being positive.
 *
 * See dyverse.flow.events, which this follows line by line. Between two positive samples a signal has
 * crossed and come back only if its rate changed from falling to rising: that minimum is found, not
 * guessed from the ends. A signal that was just reset to zero is resting: it cannot fire before it
 * has risen above `lift`; if it sinks below -depth without having risen, it fires at the start. */

/* Samples of one signal. Numbers from `columns` on are properties. A minimum at or below the floor
 * has got to zero. */
typedef struct {
    double t[DA_POINTS], v[DA_POINTS], r[DA_POINTS], floor;
} da_curve;

static int da_is_outside(const da_engine *e, int signal) {
    return signal < e->columns && e->column[signal].kind == DA_OUTSIDE;
}

/* A guard that is missed by less than a touch is met. */
static double da_floor(const da_engine *e, int signal) {
    if (da_is_outside(e, signal)) return e->floor[e->column[signal].watch];
    const da_column *c = e->column + signal;
    if (signal >= e->columns || e->outside.rates || !da_is_guard(c) || c->turned) return 0.0;
    return e->options.touch;
}

/* Whether a signal that is below its floor at a time counts as zero: its guard holds there. */
static int da_meets(da_engine *e, int signal, double time) {
    if (da_is_outside(e, signal)) return 1;
    dv_dense_state(&e->step, time, e->step.yt);
    da_put(e, time, e->step.yt);
    da_rates_here(e);
    return da_guard_holds(e, e->column + signal, da_is_here);
}

/* Whether its near misses are events. */
static int da_is_told(const da_engine *e, int signal) {
    if (e->now.waiting) return 0;
    return !da_is_outside(e, signal) || !e->quiet[e->column[signal].watch];
}

static double da_defined(double value) {
    return isnan(value) ? -INFINITY : value;
}

/* One signal or property at a time of the step, and its rate if it is asked for. */
static double da_at(da_engine *e, int signal, double time, double *rate) {
    double value, slope;
    dv_dense_state(&e->step, time, e->step.yt);
    da_put(e, time, e->step.yt);
    if (rate) da_rates_here(e);
    if (signal < e->columns) {
        da_signal(e, signal, &value, &slope);
    } else {
        int watch = e->s.watches - e->s.properties + signal - e->columns;
        da_look(e, watch);
        value = e->inside[watch];
        slope = e->inside_rate[watch];
    }
    if (rate) *rate = slope;
    return value;
}

static double da_value(da_engine *e, int signal, double time) {
    return da_defined(da_at(e, signal, time, NULL));
}

/* A ten-millionth of the step before and after `time`, for differences. */
static void da_around(const da_engine *e, double time, double *before, double *after) {
    double small = dv_max(1e-7 * (e->step.end - e->step.start),
                          64 * dv_ulp(dv_max(fabs(e->step.start), fabs(e->step.end))));
    *before = dv_max(time - small, e->step.start);
    *after = dv_min(time + small, e->step.end);
}

/* The rate, by differences where it is not known. */
static double da_slope(da_engine *e, int signal, double time) {
    double rate;
    da_at(e, signal, time, &rate);
    if (!isnan(rate)) return rate;
    double before, after;
    da_around(e, time, &before, &after);
    return (da_at(e, signal, after, NULL) - da_at(e, signal, before, NULL)) / (after - before);
}

static double da_next_share(double x1, double f1, double x2, double f2, double x3, double f3) {
    if (f3 == f1 || f3 == f2 || !isfinite(f1 + f2 + f3)) return 0.5;
    double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    if (phi * phi >= xi || (1 - phi) * (1 - phi) >= 1 - xi) return 0.5;
    return f1 / (f2 - f1) * f3 / (f2 - f3) +
           (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
}

/* Shrink [a, b] around a sign change to the last digits [chandrupatla1997]. Returns the end that is
 * not positive. */
static double da_bracket(da_engine *e, int signal, int rate, double a, double fa, double b,
                         double fb, double fine) {
    double x1 = b, f1 = fb, x2 = a, f2 = fa, share = 0.5;
    for (int turn = 0; turn < 200; turn++) {
        double x = x1 + share * (x2 - x1), x3, f3;
        double f = rate ? da_slope(e, signal, x) : da_value(e, signal, x);
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
        share = dv_min(dv_max(da_next_share(x1, f1, x2, f2, x3, f3), least), 1 - least);
    }
    return f1 > 0 ? x2 : x1;
}

/* Where a signal gets down to `level` to stay, as that of a guard at rest on a border. */
static double da_first_low(da_engine *e, int signal, double above, double low, double level) {
    for (int i = 0; i < DA_HALVINGS; i++) {
        double middle = (above + low) / 2;
        if (!(above < middle && middle < low)) break;
        if (da_value(e, signal, middle) > level)
            above = middle;
        else
            low = middle;
    }
    return low;
}

/* The crossing between two times, on the side that is not positive. */
static double da_root(da_engine *e, int signal, double a, double fa, double b, double fb) {
    if (fa <= 0.0) return a;
    double time = da_bracket(e, signal, 0, a, fa, b, fb, 1e-18 * (b - a));
    if (da_value(e, signal, time) == 0.0 && da_slope(e, signal, time) == 0.0)
        return da_first_low(e, signal, a, time, 0.0);
    return time;
}

/* Time and value of the turning point on interval i. */
static double da_turn(da_engine *e, int signal, const da_curve *c, int i, double *value) {
    double time = c->t[i + 1];
    *value = c->v[i + 1];
    if (c->r[i + 1] == 0.0) return time;
    time = da_bracket(e, signal, 1, c->t[i], c->r[i], c->t[i + 1], c->r[i + 1],
                      1e-14 * (c->t[i + 1] - c->t[i]));
    *value = da_value(e, signal, time);
    return time;
}

/* A falling, then rising signal, positive at both ends: a crossing, a graze or nothing. */
static double da_dip(da_engine *e, int signal, const da_curve *c, int i) {
    double value, bottom = da_turn(e, signal, c, i, &value);
    if (value <= 0.0) return da_root(e, signal, c->t[i], c->v[i], bottom, value);
    if (value <= c->floor && da_meets(e, signal, bottom)) {
        int flat = c->r[i + 1] == 0.0;
        return flat ? da_first_low(e, signal, c->t[i], bottom, value + DA_LEVEL) : bottom;
    }
    if (value <= e->options.graze && da_is_told(e, signal) && e->nears < DA_NEAR_ROOM) {
        da_near near = {bottom, value, signal};
        e->near[e->nears++] = near;
    }
    return INFINITY;
}

/* A resting signal that rises, then falls: it comes down after its top, if it had one. */
static double da_hop(da_engine *e, int signal, const da_curve *c, int i) {
    double value, top = da_turn(e, signal, c, i, &value), end = c->v[i + 1];
    if (value > e->options.lift) {
        e->risen[signal] = 1;
        return end <= 0.0 ? da_root(e, signal, top, value, c->t[i + 1], end) : INFINITY;
    }
    return end < -e->options.depth ? e->step.start : INFINITY;
}

/* A resting signal that falls from the start: it fires there if it sinks too deep. */
static double da_sinking(da_engine *e, int signal, const da_curve *c, int i) {
    double lowest = c->v[i + 1], value;
    if (c->r[i + 1] >= 0.0) {
        da_turn(e, signal, c, i, &value);
        lowest = dv_min(lowest, value);
    }
    return lowest < -e->options.depth ? e->step.start : INFINITY;
}

/* Whether the signal comes near enough to zero on interval i to be looked at. */
static int da_is_near(const da_options *o, const da_curve *c, int i) {
    double reach = DA_REACH * (c->t[1] - c->t[0]), low = dv_max(c->floor, o->graze);
    return c->v[i + 1] <= 0.0 || (c->r[i] < 0.0 && c->v[i] + reach * c->r[i] <= low) ||
           (c->r[i + 1] > 0.0 && c->v[i + 1] - reach * c->r[i + 1] <= low);
}

/* Whether it might have crossed there. A cubic through these values and rates is sure to be monotone
 * if no rate is over three times the slope of its chord [fritsch1980]. */
static int da_is_suspect(const da_options *o, const da_curve *c, int i, int armed) {
    double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
    double length = c->t[1] - c->t[0], chord = 3 * (v1 - v0) / length;
    int wavy = (r0 < 0 && r1 < 0 && dv_min(r0, r1) < chord) ||
               (r0 >= 0 && r1 > 0 && dv_max(r0, r1) > chord);
    int turning = r0 < 0 && r1 >= 0;
    if (armed) return da_is_near(o, c, i) && (v1 <= 0 || turning || wavy);
    int hops = r0 > 0 && v0 + length * r0 > o->lift && (v1 <= o->lift || wavy);
    return hops || v1 < -o->depth || (turning && v0 + DA_REACH * length * r0 < -o->depth);
}

/* Where a resting signal that sinks has left a standstill at zero, if it was in one. */
static double da_standstill(da_engine *e, int signal, const da_curve *c, int i) {
    int first = i > 0 && c->r[i - 1] == 0.0 ? i - 1 : i;
    if (c->v[i + 1] >= -e->options.depth || c->r[first] != 0.0) return INFINITY;
    double begin = c->t[first], value = c->v[first];
    double low = da_first_low(e, signal, begin, c->t[i + 1], value - DA_LEVEL);
    return da_value(e, signal, (begin + low) / 2) == value ? low : INFINITY;
}

static double da_divide(da_engine *e, int signal, const da_curve *c, int i, int armed, int level);

static double da_examine(da_engine *e, int signal, const da_curve *c, int i, int armed,
                         int level) {
    int rises = c->r[i] > 0.0, falls = c->r[i] < 0.0;
    if (armed && c->v[i + 1] <= 0.0)
        return da_root(e, signal, c->t[i], c->v[i], c->t[i + 1], c->v[i + 1]);
    if (armed && falls && c->r[i + 1] >= 0.0) return da_dip(e, signal, c, i);
    double left = armed ? INFINITY : da_standstill(e, signal, c, i);
    if (left < INFINITY) return left;
    if (!armed && rises && c->r[i + 1] < 0.0) return da_hop(e, signal, c, i);
    if (!armed && falls) return da_sinking(e, signal, c, i);
    return da_divide(e, signal, c, i, armed, level);
}

static double da_time_of(double start, double end, int i, int count) {
    return i == count ? end : start + (end - start) / count * i;
}

/* Samples of one signal between two times. */
static void da_draw(da_engine *e, int signal, double start, double end, da_curve *c) {
    int m = e->options.points - 1;
    c->floor = da_floor(e, signal);
    for (int k = 0; k <= m; k++) {
        c->t[k] = da_time_of(start, end, k, m);
        c->v[k] = da_defined(da_at(e, signal, c->t[k], c->r + k));
        if (isnan(c->r[k])) c->r[k] = da_slope(e, signal, c->t[k]);
    }
}

/* Look closer at an interval on which the signal must have turned more than once. */
static double da_divide(da_engine *e, int signal, const da_curve *c, int i, int armed, int level) {
    da_curve finer;
    if (level == DA_LEVELS)
        return !armed && c->v[i + 1] < -e->options.depth ? e->step.start : INFINITY;
    da_draw(e, signal, c->t[i], c->t[i + 1], &finer);
    for (int k = 0; k < e->options.points - 1; k++) {
        armed |= k > 0 && finer.v[k] > e->options.lift;
        if (!da_is_suspect(&e->options, &finer, k, armed)) continue;
        double time = da_examine(e, signal, &finer, k, armed, level + 1);
        if (time < INFINITY) return time;
        armed |= e->risen[signal];
    }
    return INFINITY;
}

/* Those rates that are not known, by differences: of signals from outside, all cost as much as one. */
static void da_fill_rates(da_engine *e, double time, double *rates) {
    double before, after;
    int unknown = 0;
    for (int j = 0; j < e->columns; j++) unknown |= isnan(rates[j]);
    if (!unknown) return;
    da_around(e, time, &before, &after);
    dv_dense_state(&e->step, before, e->step.yt);
    da_sample(e, before, e->step.yt, e->before_v, e->around_r);
    dv_dense_state(&e->step, after, e->step.yt);
    da_sample(e, after, e->step.yt, e->after_v, e->around_r);
    for (int j = 0; j < e->columns; j++)
        if (isnan(rates[j])) rates[j] = (e->after_v[j] - e->before_v[j]) / (after - before);
}

/* All signals at a time of the step, in spot_v and spot_r. */
static void da_spot(da_engine *e, double time) {
    dv_dense_state(&e->step, time, e->step.yt);
    da_sample(e, time, e->step.yt, e->spot_v, e->spot_r);
    da_fill_rates(e, time, e->spot_r);
    for (int j = 0; j < e->columns; j++) e->spot_v[j] = da_defined(e->spot_v[j]);
}

/* All signals on the grid of the step, and the states there. */
static void da_fill_grid(da_engine *e) {
    int m = e->options.points - 1, width = e->columns;
    for (int k = 0; k <= m; k++) {
        double time = da_time_of(e->step.start, e->step.end, k, m), *x = e->grid_x + k * e->n;
        double *v = e->grid_v + k * width, *r = e->grid_r + k * width;
        dv_dense_state(&e->step, time, x);
        da_sample(e, time, x, v, r);
        da_fill_rates(e, time, r);
        for (int j = 0; j < width; j++) v[j] = da_defined(v[j]);
    }
}

/* One signal of the grid as a curve; whether it comes near zero somewhere. */
static int da_column_curve(const da_engine *e, int signal, da_curve *c) {
    int m = e->options.points - 1, near = 0;
    c->floor = da_floor(e, signal);
    for (int k = 0; k <= m; k++) {
        c->t[k] = da_time_of(e->step.start, e->step.end, k, m);
        c->v[k] = e->grid_v[k * e->columns + signal];
        c->r[k] = e->grid_r[k * e->columns + signal];
    }
    for (int i = 0; i < m; i++) near |= da_is_near(&e->options, c, i);
    return near;
}

/* Signals that are neither positive nor resting at the start of the step. */
static int da_is_late(da_engine *e) {
    int late = 0;
    for (int j = 0; j < e->columns; j++)
        if (!e->resting[j] && e->grid_v[j] <= 0.0) {
            e->root[j] = e->step.start;
            late = 1;
        }
    return late;
}

/* The first crossing of one signal that is not after `best`, or infinity. */
static double da_hunt(da_engine *e, int signal, const da_curve *c, double best) {
    int armed = !e->resting[signal];
    for (int i = 0; i < e->options.points - 1 && !(best < c->t[i]); i++) {
        armed |= (i > 0 && c->v[i] > e->options.lift) || e->risen[signal];
        if (!da_is_suspect(&e->options, c, i, armed)) continue;
        if (armed && c->v[i + 1] <= 0.0 && best < c->t[i + 1] && e->there[signal] > 0.0)
            return INFINITY; /* it crosses later */
        double time = da_examine(e, signal, c, i, armed, 0);
        if (time < INFINITY) return time;
    }
    return INFINITY;
}

/* Which signals have still not risen at `time`. */
static void da_keep_resting(da_engine *e, double time) {
    int m = e->options.points - 1;
    for (int j = 0; j < e->columns; j++) {
        for (int k = 1; k <= m && da_time_of(e->step.start, e->step.end, k, m) < time; k++)
            if (e->grid_v[k * e->columns + j] > e->options.lift) e->resting[j] = 0;
        if (e->risen[j]) e->resting[j] = 0;
    }
}

/* Every signal that gets to zero soon after `time`; whether one of them is not a number there. */
static int da_gather(da_engine *e, double time) {
    double soon = dv_min(e->options.together, 0.01 * (e->step.end - e->step.start));
    int undefined = 0;
    da_spot(e, time);
    e->crossings = 0;
    for (int j = 0; j < e->columns; j++) {
        int reached = !e->resting[j] && e->spot_v[j] + soon * dv_min(e->spot_r[j], 0.0) <= 0.0;
        if (!reached && !(e->root[j] <= time + soon)) continue;
        if (isinf(e->spot_v[j]) && e->spot_v[j] < 0.0 && !undefined) {
            undefined = 1;
            e->step.variable = e->column[j].number;
        }
        e->crossed[e->crossings++] = j;
    }
    return undefined;
}

/* The first event on the step just made, or infinity; signals that rise after `limit` still rest. */
static double da_first_event(da_engine *e, double limit) {
    double best = INFINITY;
    e->nears = e->crossings = 0;
    da_fill_grid(e);
    for (int j = 0; j < e->columns; j++) {
        e->root[j] = INFINITY;
        e->risen[j] = 0;
        e->there[j] = e->grid_v[j];
    }
    if (da_is_late(e)) {
        best = e->step.start;
    } else {
        for (int j = 0; j < e->columns; j++) {
            da_curve c;
            if (!da_column_curve(e, j, &c)) continue;
            double time = da_hunt(e, j, &c, best);
            e->root[j] = time;
            if (!(time < best)) continue;
            best = time;
            da_spot(e, time);
            dv_copy(e->there, e->spot_v, e->columns);
        }
    }
    da_keep_resting(e, dv_min(best, limit));
    return best;
}
