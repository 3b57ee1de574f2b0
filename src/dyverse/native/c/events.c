/* The first event on one step: a watched signal that stops being positive.
 *
 * See dyverse.flow.events. Between two positive samples a signal has crossed and come back only if
 * its rate changed from falling to rising: that minimum is found, not guessed from the ends, so no
 * collision is stepped over. Gaps of contacts that the step cannot close, by a bound on how far its
 * polynomial takes the two bodies, are not looked at.
 *
 * A gap that was just reset to zero is resting: it cannot fire before it has risen above `lift`. If
 * it sinks below -depth without having risen, it fires at the start of the step. */

#define DV_REACH 4 /* a dip is looked at if an end's tangent, this many intervals long, meets zero */

/* The hunt for one signal: 2 contact + (0: gap or normal force; 1: the signal of its mode), and
 * behind those of contacts the depths of properties. */
typedef struct {
    dv_engine *e;
    int signal;
    double limit; /* crossings later than this do not matter */
    int risen;    /* whether a resting signal had a top between samples */
} dv_hunt;

typedef struct {
    double t[DV_MAX_INTERVALS + 1], v[DV_MAX_INTERVALS + 1], r[DV_MAX_INTERVALS + 1];
} dv_curve;

/* What gaps depend on: position and velocity, not spin. */
static void dv_dense_body(dv_engine *e, double share, int body) {
    int row = e->place[body];
    if (row < 0) return;
    double *out = e->body + DV_BODY * body;
    for (int i = 0; i < 3; i++) {
        out[i] = dv_dense_entry(&e->step, share, DV_DOF * row + i);
        out[3 + i] = dv_dense_entry(&e->step, share, e->half + DV_DOF * row + i);
    }
}

static double dv_defined(double value) {
    return isnan(value) ? -INFINITY : value;
}

static int dv_is_gap(const dv_engine *e, int signal) {
    return e->modes[signal / 2] == DV_OPEN;
}

/* Position of a closed contact's signal in dv_watch_closed. */
static int dv_closed_place(const dv_engine *e, int signal) {
    int k = 0;
    while (e->closed.contact[k] != signal / 2) k++;
    return 2 * k + signal % 2;
}

/* From now on solve only the islands with a signal marked in `marks`, two per closed contact. */
static void dv_want(dv_engine *e, const int *marks) {
    const dv_closed *closed = &e->closed;
    e->partial = 1;
    for (int island = 0; island < closed->islands; island++) {
        e->wanted[island] = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
            e->wanted[island] |= marks[2 * closed->order[i]] | marks[2 * closed->order[i] + 1];
    }
}

/* A signal of the islands that are wanted. */
static double dv_closed_value(dv_engine *e, double time, int signal) {
    double *out = e->grid + 2 * e->room * (DV_MAX_INTERVALS + 1); /* a row of its own */
    dv_watch_step(e, time, out);
    return dv_defined(out[dv_closed_place(e, signal)]);
}

/* A ten-millionth of the step before and after `time`, for differences. */
static void dv_around(const dv_engine *e, double time, double *before, double *after) {
    double start = e->step.start, end = e->step.end;
    double small = dv_max(1e-7 * (end - start), 64 * dv_ulp(dv_max(fabs(start), fabs(end))));
    *before = dv_max(time - small, start);
    *after = dv_min(time + small, end);
}

static double dv_closed_rate(dv_engine *e, double time, int signal) {
    double before, after;
    dv_around(e, time, &before, &after);
    return (dv_closed_value(e, after, signal) - dv_closed_value(e, before, signal)) /
           (after - before);
}

/* Of the flat contact whose line was drawn last, or of any other. */
static void dv_gap_at(dv_engine *e, double time, int contact, double *out) {
    double share = dv_share(&e->step, time);
    if (e->flat[contact] >= 0) {
        out[0] = dv_on_line(e, e->line[0], share);
        out[1] = dv_on_line(e, e->line[1], share);
        return;
    }
    dv_dense_body(e, share, e->ends[2 * contact]);
    dv_dense_body(e, share, e->ends[2 * contact + 1]);
    dv_gap(e, contact, out);
}

static double dv_depth(dv_engine *e, double time, int property);
static double dv_depth_rate(dv_engine *e, double time, int property);

static double dv_value(dv_hunt *h, double time, int rate) {
    double out[2];
    int property = h->signal - 2 * h->e->contacts;
    if (property >= 0)
        return rate ? dv_depth_rate(h->e, time, property) : dv_depth(h->e, time, property);
    if (!dv_is_gap(h->e, h->signal))
        return rate ? dv_closed_rate(h->e, time, h->signal)
                    : dv_closed_value(h->e, time, h->signal);
    dv_gap_at(h->e, time, h->signal / 2, out);
    return rate ? out[1] : dv_defined(out[0]);
}

static double dv_next_share(double x1, double f1, double x2, double f2, double x3, double f3) {
    if (f3 == f1 || f3 == f2 || !isfinite(f1 + f2 + f3)) return 0.5;
    double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    if (phi * phi >= xi || (1 - phi) * (1 - phi) >= 1 - xi) return 0.5;
    return f1 / (f2 - f1) * f3 / (f2 - f3) +
           (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
}

/* Shrink [a, b] around a sign change to the last digits: Chandrupatla's method. Returns the end
 * that is not positive. */
static double dv_bracket(dv_hunt *h, int rate, double a, double fa, double b, double fb,
                         double fine) {
    double x1 = b, f1 = fb, x2 = a, f2 = fa, share = 0.5;
    for (int turn = 0; turn < 200; turn++) {
        double x = x1 + share * (x2 - x1), f = dv_value(h, x, rate), x3, f3;
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
    return f1 > 0 ? x2 : x1;
}

static double dv_root(dv_hunt *h, double a, double fa, double b, double fb) {
    if (fa <= 0.0) return a;
    return dv_bracket(h, 0, a, fa, b, fb, 1e-18 * (b - a));
}

/* Where the rate changes sign on interval i. */
static double dv_turn(dv_hunt *h, const dv_curve *c, int i) {
    if (c->r[i + 1] == 0.0) return c->t[i + 1];
    return dv_bracket(h, 1, c->t[i], c->r[i], c->t[i + 1], c->r[i + 1],
                      1e-14 * (c->t[i + 1] - c->t[i]));
}

/* Whether a signal is a slip speed: it passes zero sideways, and below the tolerance it is zero. */
static int dv_is_slip(const dv_engine *e, int signal) {
    return signal % 2 == 1 && e->modes[signal / 2] == DV_SLIP;
}

/* What a minimum has to stay above to pass unnoticed; near misses of forces are none. */
static double dv_floor(const dv_engine *e, int signal) {
    if (signal >= 2 * e->contacts || dv_is_gap(e, signal)) return e->options.graze;
    return dv_is_slip(e, signal) ? DV_SPENT * e->options.slip : 0.0;
}

/* Whether a slip speed is so low that it counts as none: to follow it further down would only take
 * ever smaller steps. */
static int dv_is_spent(const dv_engine *e, int signal, double value) {
    return signal < 2 * e->contacts && dv_is_slip(e, signal) &&
           value <= DV_SPENT * e->options.slip;
}

/* A falling, then rising signal, positive at both ends: a crossing, a graze or nothing. */
static double dv_dip(dv_hunt *h, const dv_curve *c, int i) {
    dv_engine *e = h->e;
    double bottom = dv_turn(h, c, i), value = dv_value(h, bottom, 0);
    if (value <= 0.0) return dv_root(h, c->t[i], c->v[i], bottom, value);
    if (dv_is_slip(e, h->signal)) return value <= dv_floor(e, h->signal) ? bottom : INFINITY;
    if (value <= e->options.graze && dv_is_gap(e, h->signal) && e->nears < DV_NEAR_ROOM) {
        dv_near near = {bottom, value, h->signal};
        e->near[e->nears++] = near;
    }
    return INFINITY;
}

/* A resting signal that rises, then falls: it comes down after its top, if it had one. */
static double dv_hop(dv_hunt *h, const dv_curve *c, int i) {
    double top = dv_turn(h, c, i), value = dv_value(h, top, 0);
    if (value > h->e->options.lift) {
        h->risen = 1;
        return c->v[i + 1] <= 0.0 ? dv_root(h, top, value, c->t[i + 1], c->v[i + 1]) : INFINITY;
    }
    return c->v[i + 1] < -h->e->options.depth ? h->e->step.start : INFINITY;
}

/* A resting signal that falls from the start: it fires there if it sinks too deep. */
static double dv_sinking(dv_hunt *h, const dv_curve *c, int i) {
    double lowest = c->v[i + 1];
    if (c->r[i + 1] >= 0.0) lowest = dv_min(lowest, dv_value(h, dv_turn(h, c, i), 0));
    return lowest < -h->e->options.depth ? h->e->step.start : INFINITY;
}

static double dv_scan(dv_hunt *h, const dv_curve *c, int armed, int level);

/* Look closer at an interval on which the signal must have turned more than once. */
static double dv_divide(dv_hunt *h, const dv_curve *c, int i, int armed, int level) {
    dv_curve finer;
    int m = h->e->options.intervals;
    if (level == DV_LEVELS)
        return !armed && c->v[i + 1] < -h->e->options.depth ? h->e->step.start : INFINITY;
    for (int k = 0; k <= m; k++) {
        finer.t[k] = c->t[i] + (c->t[i + 1] - c->t[i]) * k / m;
        finer.v[k] = dv_value(h, finer.t[k], 0);
        finer.r[k] = dv_value(h, finer.t[k], 1);
    }
    return dv_scan(h, &finer, armed, level + 1);
}

static double dv_examine(dv_hunt *h, const dv_curve *c, int i, int armed, int level) {
    int rises = c->r[i] > 0.0, falls = c->r[i] < 0.0;
    if (armed && c->v[i + 1] <= 0.0) return dv_root(h, c->t[i], c->v[i], c->t[i + 1], c->v[i + 1]);
    if (armed && falls && c->r[i + 1] >= 0.0) return dv_dip(h, c, i);
    if (armed && dv_is_spent(h->e, h->signal, c->v[i + 1])) return c->t[i + 1];
    if (!armed && rises && c->r[i + 1] < 0.0) return dv_hop(h, c, i);
    if (!armed && falls) return dv_sinking(h, c, i);
    return dv_divide(h, c, i, armed, level);
}

/* Whether the signal might have crossed on interval i. A cubic through these values and rates is
 * sure to be monotone if no rate is over three times the slope of its chord [fritsch1980]. */
static int dv_suspicious(const dv_hunt *h, const dv_curve *c, int i, int armed) {
    const dv_options *o = &h->e->options;
    double floor = dv_floor(h->e, h->signal);
    double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
    double length = c->t[1] - c->t[0], ahead = v0 + DV_REACH * length * r0;
    double behind = v1 - DV_REACH * length * r1, chord = 3 * (v1 - v0) / length;
    int near = v1 <= 0 || (r0 < 0 && ahead <= floor) || (r1 > 0 && behind <= floor);
    int wavy = (r0 < 0 && r1 < 0 && dv_min(r0, r1) < chord) ||
               (r0 >= 0 && r1 > 0 && dv_max(r0, r1) > chord);
    int turning = r0 < 0 && r1 >= 0;
    if (armed && dv_is_spent(h->e, h->signal, v1)) return 1;
    if (armed) return near && (v1 <= 0 || turning || wavy);
    int hops = r0 > 0 && v0 + length * r0 > o->lift && (v1 <= o->lift || wavy);
    int sinks = v1 < -o->depth || (turning && ahead < -o->depth);
    return hops || sinks;
}

/* The first crossing on a curve of samples, or infinity. */
static double dv_scan(dv_hunt *h, const dv_curve *c, int armed, int level) {
    for (int i = 0; i < h->e->options.intervals && c->t[i] <= h->limit; i++) {
        armed |= i > 0 && c->v[i] > h->e->options.lift;
        if (!dv_suspicious(h, c, i, armed)) continue;
        double time = dv_examine(h, c, i, armed, level);
        if (time < INFINITY) return time;
        armed |= h->risen;
    }
    return INFINITY;
}

static double dv_grid_time(const dv_engine *e, int i) {
    return e->step.start + e->step.length * i / e->options.intervals;
}

/* The first time at which the gap of an open contact closes. */
static double dv_gap_event(dv_engine *e, int contact, double limit) {
    dv_hunt hunt = {e, 2 * contact, limit, 0};
    dv_curve c;
    if (dv_falls(e, contact)) return dv_fall_event(e, contact);
    if (e->flat[contact] >= 0) dv_draw_line(e, contact);
    for (int i = 0; i <= e->options.intervals; i++) {
        double out[2];
        c.t[i] = dv_grid_time(e, i);
        dv_gap_at(e, c.t[i], contact, out);
        c.v[i] = dv_defined(out[0]);
        c.r[i] = out[1];
    }
    int armed = !e->resting[contact], up = 0;
    if (armed && c.v[0] <= 0.0) return e->step.start;
    double time = dv_scan(&hunt, &c, armed, 0);
    for (int i = 1; i <= e->options.intervals && c.t[i] < time; i++)
        up |= c.v[i] > e->options.lift;
    if (up || hunt.risen) e->resting[contact] = 0;
    return time;
}

/* All closed signals on the grid; their rates too if some signal comes near enough to zero. */
static int dv_closed_grid(dv_engine *e) {
    int width = 2 * e->closed.count, near = 0, m = e->options.intervals;
    if (e->steady) dv_draw_slides(e);
    for (int i = 0; i <= m; i++) dv_watch_step(e, dv_grid_time(e, i), e->grid + i * width);
    for (int s = 0; s < width; s++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i <= m; i++) {
            e->grid[i * width + s] = dv_defined(e->grid[i * width + s]);
            low = dv_min(low, e->grid[i * width + s]);
            high = dv_max(high, e->grid[i * width + s]);
        }
        int spent = dv_is_spent(e, 2 * e->closed.contact[s / 2] + s % 2, low);
        e->suspect[s] = spent || !(low > 2 * (high - low)); /* or it would have to bend sharply */
        near |= e->suspect[s];
    }
    return near;
}

/* Rates of all closed signals on the grid, by differences. */
static void dv_closed_rates(dv_engine *e) {
    int width = 2 * e->closed.count;
    double *low = e->grid + 2 * e->room * (DV_MAX_INTERVALS + 1);
    for (int i = 0; i <= e->options.intervals; i++) {
        double time = dv_grid_time(e, i), *rate = e->grid_rate + i * width;
        double before, after;
        dv_around(e, time, &before, &after);
        dv_watch_step(e, before, low);
        dv_watch_step(e, after, rate);
        for (int s = 0; s < width; s++) rate[s] = (rate[s] - low[s]) / (after - before);
    }
}

/* The first time at which a closed contact's signal crosses. */
static double dv_closed_event(dv_engine *e, int s, double limit) {
    int width = 2 * e->closed.count;
    dv_hunt hunt = {e, 2 * e->closed.contact[s / 2] + s % 2, limit, 0};
    dv_curve c;
    for (int i = 0; i <= e->options.intervals; i++) {
        c.t[i] = dv_grid_time(e, i);
        c.v[i] = e->grid[i * width + s];
        c.r[i] = e->grid_rate[i * width + s];
    }
    return c.v[0] <= 0.0 ? e->step.start : dv_scan(&hunt, &c, 1, 0);
}

static void dv_earlier(double *earliest, int *signal, double time, int candidate) {
    if (!(time < *earliest)) return;
    *earliest = time;
    *signal = candidate;
}

/* The first event on the step just made, or infinity, and the signal that causes it. */
static double dv_first_event(dv_engine *e, int *signal) {
    double earliest = INFINITY;
    e->nears = 0;
    dv_bound_travel(e);
    for (int c = 0; c < e->contacts; c++) {
        if (e->modes[c] != DV_OPEN || dv_is_out_of_reach(e, c)) continue;
        dv_earlier(&earliest, signal, dv_gap_event(e, c, earliest), 2 * c);
    }
    if (e->closed.count == 0 || !dv_closed_grid(e)) return earliest;
    dv_want(e, e->suspect);
    dv_closed_rates(e);
    for (int s = 0; s < 2 * e->closed.count; s++)
        if (e->suspect[s])
            dv_earlier(&earliest, signal, dv_closed_event(e, s, earliest),
                       2 * e->closed.contact[s / 2] + s % 2);
    e->partial = 0;
    return earliest;
}

/* Whether the event is no more than a signal ceasing to exist. */
static int dv_is_undefined(dv_engine *e, double time, int signal) {
    dv_hunt hunt = {e, signal, time, 0};
    if (dv_is_gap(e, signal) && e->flat[signal / 2] >= 0)
        dv_draw_line(e, signal / 2);
    return isinf(dv_value(&hunt, time, 0));
}

/* Whether the present state is outside its location already. */
static int dv_outside(dv_engine *e) {
    dv_survey(e);
    for (int c = 0; c < e->contacts; c++)
        if (e->modes[c] == DV_OPEN && !e->resting[c] && e->gap0[c] <= 0.0) return 1;
    if (e->closed.count == 0) return 0;
    dv_watch_closed(e, e->now.time, e->x, e->grid);
    for (int s = 0; s < 2 * e->closed.count; s++)
        if (e->grid[s] <= 0.0) return 1;
    return 0;
}
