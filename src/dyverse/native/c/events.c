/* The first event on one step of the bodies: a gap that closes, or a signal of a closed contact that
 * stops being positive; see search.c. Gaps of contacts that the step cannot close, by a bound on how
 * far its polynomial takes the two bodies, are not looked at. */

/* Of the grid on a step: more where steps are long. */
static int dv_intervals(const dv_engine *e) {
    int twice = 2 * e->options.intervals < DV_MAX_INTERVALS ? 2 * e->options.intervals
                                                             : DV_MAX_INTERVALS;
    return e->step.powers > 4 ? twice : e->options.intervals;
}

/* Three entries of the state, from number i on. */
static void dv_dense_vector(const dv_steps *s, double share, int i, double *out) {
    const double *first = s->dense[0] + i, *rise = s->dense[1] + i, *bend = s->dense[2] + i;
    double rest = 1.0 - share;
    for (int d = 0; d < 3 && s->powers != 2; d++) out[d] = dv_dense_entry(s, share, i + d);
    if (s->powers != 2) return;
    for (int d = 0; d < 3; d++) out[d] = first[d] + share * (rise[d] + rest * bend[d]);
}

/* What gaps depend on: position and velocity; of bodies with an orientation also this and spin. */
static void dv_dense_body(dv_engine *e, double share, int body) {
    int row = e->place[body];
    if (row < 0) return;
    int at = e->at[row], speeds = e->coordinates + DV_DOF * row;
    double *out = e->body + DV_BODY * body, q[DV_DOF + 1], v[DV_DOF];
    if (!e->lies[row]) {
        dv_dense_vector(&e->step, share, at, out);
        dv_dense_vector(&e->step, share, speeds, out + 3);
        return;
    }
    for (int i = 0; i < DV_DOF + 1; i++) q[i] = dv_dense_entry(&e->step, share, at + i);
    for (int i = 0; i < DV_DOF; i++) v[i] = dv_dense_entry(&e->step, share, speeds + i);
    dv_fill_from(e, q, v, body);
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

/* Whether a signal of a closed contact is a force, and not a speed. */
static int dv_is_force(const dv_engine *e, int signal) {
    return signal % 2 == 0 || e->modes[signal / 2] == DV_STICK;
}

/* Whether signal s of those of closed contacts is a force that others could take the place of: how it
 * changes is a matter of choice, so that it has no rate, and no dip between two samples tells anything. */
static int dv_is_chosen(const dv_engine *e, int s) {
    int k = s / 2;
    return e->motion.shared[k] && dv_is_force(e, 2 * e->closed.contact[k] + s % 2);
}

/* A signal of the islands that are wanted. */
static double dv_closed_value(dv_engine *e, double time, int signal) {
    double *out = e->grid + 2 * e->room * (DV_MAX_INTERVALS + 1); /* a row of its own */
    dv_watch_step(e, time, dv_is_force(e, signal) ? DV_FOR_WATCH : DV_FOR_MOTION, out);
    return dv_defined(out[dv_closed_place(e, signal)]);
}

static double dv_closed_rate(dv_engine *e, double time, int signal) {
    double before, after;
    if (dv_is_chosen(e, dv_closed_place(e, signal))) return 0.0;
    dv_around(&e->step, time, &before, &after);
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

/* A signal: 2 contact + (0: gap or normal force; 1: the signal of its mode), and behind those of
 * contacts the depths of properties. */
static void dv_signal_at(void *of, int signal, double time, double *value, double *rate) {
    dv_engine *e = (dv_engine *)of;
    int property = signal - 2 * e->contacts;
    if (property >= 0) {
        if (value) *value = dv_depth(e, time, property);
        if (rate) *rate = dv_depth_rate(e, time, property);
    } else if (dv_is_gap(e, signal)) {
        double out[2];
        dv_gap_at(e, time, signal / 2, out);
        if (value) *value = dv_defined(out[0]);
        if (rate) *rate = out[1];
    } else {
        if (value) *value = dv_closed_value(e, time, signal);
        if (rate) *rate = dv_closed_rate(e, time, signal);
    }
}

/* Whether a signal is a slip speed: it passes zero sideways, and below the tolerance it is zero. */
static int dv_is_slip(const dv_engine *e, int signal) {
    return signal < 2 * e->contacts && signal % 2 == 1 && e->modes[signal / 2] == DV_SLIP;
}

/* The hunt for a signal; near misses of forces are none. */
static dv_hunt dv_hunt_for(dv_engine *e, int signal, double limit) {
    const dv_options *o = &e->options;
    double slow = dv_is_slip(e, signal) ? DV_SPENT * o->slip : 0.0;
    dv_hunt hunt;
    memset(&hunt, 0, sizeof hunt);
    hunt.of = e;
    hunt.signal = signal;
    hunt.at = dv_signal_at;
    hunt.floor = slow;
    hunt.spent = slow > 0.0 ? slow : -INFINITY;
    hunt.intervals = dv_intervals(e);
    hunt.graze = o->graze;
    hunt.depth = o->depth;
    hunt.lift = o->lift;
    hunt.start = e->step.start;
    hunt.limit = limit;
    hunt.near = signal < 2 * e->contacts && dv_is_gap(e, signal) ? &e->near : NULL;
    return hunt;
}

static double dv_grid_time(const dv_engine *e, int i) {
    return dv_time_of(e->step.start, e->step.end, i, dv_intervals(e));
}

/* The first time at which the gap of an open contact closes. */
static double dv_gap_event(dv_engine *e, int contact, double limit) {
    if (dv_falls(e, contact)) return dv_fall_event(e, contact);
    dv_hunt hunt = dv_hunt_for(e, 2 * contact, limit);
    dv_curve c;
    if (e->flat[contact] >= 0) dv_draw_line(e, contact);
    dv_draw(&hunt, e->step.start, e->step.end, &c);
    int armed = !e->resting[contact], up = 0;
    if (armed && c.v[0] <= 0.0) return e->step.start;
    double time = dv_scan(&hunt, &c, armed, 0);
    for (int i = 1; i <= dv_intervals(e) && c.t[i] < time; i++)
        up |= c.v[i] > e->options.lift;
    if (up || hunt.risen) e->resting[contact] = 0;
    return time;
}

/* All closed signals on the grid; their rates too if some signal comes near enough to zero. */
static int dv_closed_grid(dv_engine *e) {
    int width = 2 * e->closed.count, near = 0, m = dv_intervals(e);
    if (e->steady) dv_draw_slides(e);
    for (int i = 0; i <= m; i++)
        dv_watch_step(e, dv_grid_time(e, i), DV_FOR_WATCH, e->grid + i * width);
    for (int s = 0; s < width; s++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i <= m; i++) {
            e->grid[i * width + s] = dv_defined(e->grid[i * width + s]);
            low = dv_min(low, e->grid[i * width + s]);
            high = dv_max(high, e->grid[i * width + s]);
        }
        int signal = 2 * e->closed.contact[s / 2] + s % 2;
        int spent = dv_is_slip(e, signal) && low <= DV_SPENT * e->options.slip;
        e->suspect[s] = spent || !(low > 2 * (high - low)); /* or it would have to bend sharply */
        if (dv_is_chosen(e, s)) e->suspect[s] = low <= 0.0;
        near |= e->suspect[s];
    }
    return near;
}

/* Rates of all closed signals on the grid, by differences, where one of those that are suspected has any. */
static void dv_closed_rates(dv_engine *e) {
    int width = 2 * e->closed.count, some = 0;
    double *low = e->grid + 2 * e->room * (DV_MAX_INTERVALS + 1);
    for (int s = 0; s < width; s++) some |= e->suspect[s] && !dv_is_chosen(e, s);
    dv_zero(e->grid_rate, (dv_intervals(e) + 1) * width);
    for (int i = 0; i <= dv_intervals(e) && some; i++) {
        double time = dv_grid_time(e, i), *rate = e->grid_rate + i * width;
        double before, after;
        dv_around(&e->step, time, &before, &after);
        dv_watch_step(e, before, DV_FOR_WATCH, low);
        dv_watch_step(e, after, DV_FOR_WATCH, rate);
        for (int s = 0; s < width; s++)
            rate[s] = dv_is_chosen(e, s) ? 0.0 : (rate[s] - low[s]) / (after - before);
    }
}

/* The first time at which a closed contact's signal crosses. */
static double dv_closed_event(dv_engine *e, int s, double limit) {
    int width = 2 * e->closed.count;
    dv_hunt hunt = dv_hunt_for(e, 2 * e->closed.contact[s / 2] + s % 2, limit);
    dv_curve c;
    for (int i = 0; i <= dv_intervals(e); i++) {
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
    e->near.count = 0;
    dv_bound_travel(e);
    dv_look_ahead(e, 2 * (e->most_travel + e->options.graze));
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
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
    double value;
    if (dv_is_gap(e, signal) && e->flat[signal / 2] >= 0) dv_draw_line(e, signal / 2);
    dv_signal_at(e, signal, time, &value, NULL);
    return isinf(value);
}

/* Whether the present state is outside its location already. */
static int dv_outside(dv_engine *e) {
    dv_survey(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (e->modes[c] == DV_OPEN && !e->resting[c] && e->gap0[c] <= 0.0) return 1;
    }
    if (e->closed.count == 0) return 0;
    dv_watch_closed(e, e->now.time, e->x, DV_FOR_WATCH, e->grid);
    for (int s = 0; s < 2 * e->closed.count; s++)
        if (e->grid[s] <= 0.0) return 1;
    return 0;
}
