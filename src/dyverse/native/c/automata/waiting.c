/* Ticks, and whether an enabled edge is taken or left alone; see dyverse.simulation.patience. */

/* When the next tick is, which is then the one ahead. */
static double da_next_tick(da_engine *e) {
    e->now.ticks += e->now.time >= da_tick_ahead(e);
    return da_tick_ahead(e);
}

/* How far from the end a tick is one at the end. */
static double da_rounding(const da_engine *e, double until) {
    return DA_LATE * e->options.tick + 4 * dv_ulp(until);
}

/* Whether the end is reached, perhaps by a tick that rounding puts a little before it. */
static int da_is_over(const da_engine *e, double until) {
    int tick = e->options.tick > 0.0 && e->now.time >= da_tick_ahead(e);
    return e->now.time >= until - (tick ? da_rounding(e, until) : 0.0);
}

/* How far time may pass before the next look: to the end, or to the next tick before it. */
static double da_ahead(da_engine *e, double until) {
    if (!(e->options.tick > 0.0)) return until;
    double end = da_next_tick(e);
    return end <= until + da_rounding(e, until) ? end : until;
}

/* Whether all that ended the arc forbids time to pass. */
static int da_is_locked(const da_engine *e) {
    for (int i = 0; i < e->crossings; i++) {
        int kind = e->column[e->crossed[i]].kind;
        if (kind != DA_INVARIANT && kind != DA_URGENT) return 0;
    }
    return e->crossings > 0;
}

/* Take back what was written down since; the memory of the log may be another. */
static void da_take_back(da_engine *e, const dv_record *before) {
    e->record.used = before->used;
    e->record.rows = before->rows;
    e->record.events = before->events;
    e->record.path = before->path;
}

/* Put aside what marching on changes beside `now`, or take it back. */
static void da_put_aside(da_engine *e, int back) {
    int p = e->s.properties;
    double *aside[4] = {e->loose_x, e->loose_depths, e->loose_depths + p, e->loose_depths + 2 * p};
    double *own[4] = {e->x, e->least, e->when, e->failed};
    for (int i = 0; i < 4; i++)
        dv_copy(back ? own[i] : aside[i], back ? aside[i] : own[i], i ? p : e->n);
    memcpy(back ? e->behind : e->loose_behind, back ? e->loose_behind : e->behind,
           (size_t)e->s.edges * sizeof(int));
}

/* Invariants alone have ended a stretch of time before its tick: go on to the tick if they hold until
 * then up to the margin of guards, or stay where the first of them ended. See
 * dyverse.simulation.ticking. */
static dv_code da_loosely(da_engine *e, double until) {
    da_now now = e->now;
    dv_pace pace = e->step.pace;
    dv_record record = e->record;
    int crossings = e->crossings, steps = e->options.max_steps;
    da_put_aside(e, 0);
    memcpy(e->loose_crossed, e->crossed, (size_t)crossings * sizeof(int));
    e->record.rows = e->record.used; /* rows from now on can be taken back */
    e->slack = e->options.margin;
    e->options.max_steps = 0;
    da_signals_here(e);
    e->step.fresh = 0;
    dv_code code = da_outside(e) ? DV_EVENT : da_march(e, until);
    int locked = code == DV_EVENT && da_is_locked(e);
    e->slack = 0.0;
    e->options.max_steps = steps;
    if (!locked) return code;
    e->now = now;
    e->step.pace = pace;
    da_take_back(e, &record);
    da_put_aside(e, 1);
    memcpy(e->crossed, e->loose_crossed, (size_t)crossings * sizeof(int));
    e->crossings = crossings;
    e->step.fresh = 0;
    return DV_EVENT;
}

/* Steps to the next event or to `until`, with ticks as just said; perhaps the arc just begins. */
static dv_code da_pass(da_engine *e, double until, int begins) {
    e->crossings = 0;
    dv_code code = begins && da_outside(e) ? DV_EVENT : da_march(e, until);
    if (code != DV_EVENT || !(e->options.tick > 0.0) || !da_is_locked(e)) return code;
    return da_loosely(e, until);
}

/* Whether an invariant ends here, or a place is urgent. */
static int da_ends_here(da_engine *e) {
    if (e->urgent) return 1;
    for (int c = 0; c < e->s.components && !e->options.endpoints; c++) {
        int watch = e->s.place_invariant[e->position[c]];
        if (watch < 0 || da_holds(e, watch)) continue;
        da_look(e, watch);
        if (e->inside[watch] <= 0.0) return 1;
    }
    return 0;
}

/* What happens until the next tick if time passes; everything is then as it was before. */
static int da_try_tick(da_engine *e) {
    da_now now = e->now;
    dv_pace pace = e->step.pace;
    dv_record record = e->record;
    int steps = e->options.max_steps, properties = e->s.properties;
    dx_switches w = e->w;
    size_t edges = (size_t)e->s.edges * sizeof(int), parts = (size_t)e->s.components * sizeof(int);
    double end = da_next_tick(e);
    dv_copy(e->spare_x, e->x, e->n);
    memcpy(e->kept_behind, e->behind, edges);
    memcpy(e->kept_jumped, e->jumped, parts);
    e->record.keeps = e->options.max_steps = e->s.properties = 0;
    da_begin_arc(e);
    int passes = da_pass(e, end, 1) == DV_HORIZON;
    da_arrive(e);
    if (passes && e->options.endpoints) passes = da_keeps(e);
    int delay = !passes ? DA_NEVER : da_find_move(e) ? DA_FREE : DA_LAST;
    e->now = now;
    e->step.pace = pace;
    e->record.keeps = record.keeps;
    da_take_back(e, &record);
    e->options.max_steps = steps;
    e->s.properties = properties;
    dv_copy(e->x, e->spare_x, e->n);
    memcpy(e->behind, e->kept_behind, edges);
    memcpy(e->jumped, e->kept_jumped, parts);
    e->step.fresh = 0;
    e->w = w;
    memset(e->w.noted, 0, (size_t)w.count * sizeof(int));
    da_find_move(e);
    return delay;
}

/* Whether time may pass beside the moves just found: see dyverse.simulation.patience. */
static int da_delay(da_engine *e) {
    if (!e->options.waits || e->outside.jump || da_is_node(e)) return DA_NEVER;
    if (e->hurried || da_ends_here(e)) return DA_NEVER;
    if (e->options.tick > 0.0) return da_try_tick(e);
    return e->lasting ? DA_FREE : DA_LAST;
}

/* Which of the moves to take; 0 if none, because time is to pass. */
static int da_choose(da_engine *e) {
    e->place = e->enabled > 1 ? 0 : -1;
    if (!e->host.choose) return 1;
    int delay = da_delay(e);
    if (e->enabled == 1 && delay == DA_NEVER) return 1;
    e->place = e->host.choose(e->host.of, e->enabled, delay);
    if (e->place < -1 || e->place >= e->enabled) {
        e->host_failed = 1;
        e->place = -1;
    }
    if (e->place < 0) return 0;
    e->best_size = da_move(e, e->place, e->best);
    return 1;
}
