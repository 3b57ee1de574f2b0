/* The first event on one step of automata: a watched signal that stops being positive; see
 * ../search.c. */

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
static int da_meets(void *of, int signal, double time) {
    da_engine *e = (da_engine *)of;
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

/* One signal or property at a time of the step, and its rate if it is asked for; NaN: not known. */
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

/* The same as a hunt asks for it: a rate that is not known, by differences. */
static void da_signal_at(void *of, int signal, double time, double *value, double *rate) {
    da_engine *e = (da_engine *)of;
    double found = dv_defined(da_at(e, signal, time, rate));
    if (value) *value = found;
    if (!rate || !isnan(*rate)) return;
    double before, after;
    dv_around(&e->step, time, &before, &after);
    *rate = (da_at(e, signal, after, NULL) - da_at(e, signal, before, NULL)) / (after - before);
}

static dv_hunt da_hunt_for(da_engine *e, int signal, double limit) {
    const dv_options *o = &e->options;
    dv_hunt hunt;
    memset(&hunt, 0, sizeof hunt);
    hunt.of = e;
    hunt.signal = signal;
    hunt.at = da_signal_at;
    hunt.meets = da_meets;
    hunt.floor = da_floor(e, signal);
    hunt.spent = -INFINITY;
    hunt.intervals = o->points - 1;
    hunt.graze = o->graze;
    hunt.depth = o->depth;
    hunt.lift = o->lift;
    hunt.start = e->step.start;
    hunt.limit = limit;
    hunt.near = signal < e->columns && da_is_told(e, signal) ? &e->near : NULL;
    return hunt;
}

/* Those rates that are not known, by differences: of signals from outside, all cost as much as one. */
static void da_fill_rates(da_engine *e, double time, double *rates) {
    double before, after;
    int unknown = 0;
    for (int j = 0; j < e->columns; j++) unknown |= isnan(rates[j]);
    if (!unknown) return;
    dv_around(&e->step, time, &before, &after);
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
    for (int j = 0; j < e->columns; j++) e->spot_v[j] = dv_defined(e->spot_v[j]);
}

/* All signals on the grid of the step, and the states there. */
static void da_fill_grid(da_engine *e) {
    int m = e->options.points - 1, width = e->columns;
    for (int k = 0; k <= m; k++) {
        double time = dv_time_of(e->step.start, e->step.end, k, m), *x = e->grid_x + k * e->n;
        double *v = e->grid_v + k * width, *r = e->grid_r + k * width;
        dv_dense_state(&e->step, time, x);
        da_sample(e, time, x, v, r);
        da_fill_rates(e, time, r);
        for (int j = 0; j < width; j++) v[j] = dv_defined(v[j]);
    }
}

/* One signal of the grid as a curve; whether it comes near zero somewhere. */
static int da_column_curve(const da_engine *e, const dv_hunt *h, dv_curve *c) {
    int near = 0;
    for (int k = 0; k <= h->intervals; k++) {
        c->t[k] = dv_time_of(e->step.start, e->step.end, k, h->intervals);
        c->v[k] = e->grid_v[k * e->columns + h->signal];
        c->r[k] = e->grid_r[k * e->columns + h->signal];
    }
    for (int i = 0; i < h->intervals; i++) near |= dv_is_near(h, c, i);
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

/* Which signals have still not risen at `time`. */
static void da_keep_resting(da_engine *e, double time) {
    int m = e->options.points - 1;
    for (int j = 0; j < e->columns; j++) {
        for (int k = 1; k <= m && dv_time_of(e->step.start, e->step.end, k, m) < time; k++)
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
    e->near.count = e->crossings = 0;
    da_fill_grid(e);
    for (int j = 0; j < e->columns; j++) {
        e->root[j] = INFINITY;
        e->risen[j] = 0;
    }
    if (da_is_late(e)) best = e->step.start;
    for (int j = 0; j < e->columns && best > e->step.start; j++) {
        dv_hunt hunt = da_hunt_for(e, j, best);
        dv_curve c;
        if (!da_column_curve(e, &hunt, &c)) continue;
        e->root[j] = dv_scan(&hunt, &c, !e->resting[j], 0);
        e->risen[j] = hunt.risen;
        best = dv_min(best, e->root[j]);
    }
    da_keep_resting(e, dv_min(best, limit));
    return best;
}
