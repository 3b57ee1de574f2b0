/* The engine of bodies alone, as model.c asks it. */

typedef dv_engine dm_engine;

/* There is nothing to choose. */
typedef struct {
    int none;
} dm_luck;

static void dm_let_draw(dm_engine *e, dm_luck *luck, double seed) {
    (void)e;
    (void)luck;
    (void)seed;
}

static void dm_sow_luck(dm_luck *luck, double seed) {
    (void)luck;
    (void)seed;
}

static dv_code dm_open(dm_engine **engine) {
    dv_options options;
    dv_defaults(&options);
    dm_tune_bodies(&options);
    return dv_create(&dm_bodies, &options, engine);
}

static void dm_close(dm_engine *e) {
    dv_destroy(e);
}

static dv_engine *dm_bodies_at(dm_engine *e, double time, const double *x) {
    (void)time;
    (void)x;
    return e;
}

static void dm_start(dm_engine *e, const double *numbers, double time, const double *x) {
    dv_set_numbers(e, numbers);
    dv_set_state(e, time, x);
}

/* Other numbers in the middle of a run. */
static void dm_renumber(dm_engine *e, const double *numbers) {
    dv_set_numbers(e, numbers);
    e->steady = 0;
}

/* A stretch of time goes on after other numbers came, unless it ends at once. */
static void dm_resume(dm_engine *e) {
    if (!e->now.flowing) return;
    if (e->w.count) dx_rest(&e->w, e->now.time, e->x);
    e->steady = dv_find_steady(e);
    e->now.flowing = e->now.settled = !dv_outside(e);
}

static void dm_put(dm_engine *e, double time, const double *x) {
    dv_copy(e->x, x, e->size);
    dv_know_nothing(e);
    e->now.time = time;
    e->step.fresh = e->steady = 0;
}

static void dm_rates(dm_engine *e, double *rates) {
    e->steady = 0;
    dv_rate(e, e->now.time, e->x, rates);
}

/* Gaps and forces, two per contact, then functions that switch. */
static void dm_signals(dm_engine *e, double *signals) {
    e->steady = 0;
    dv_plain_signals(e, e->now.time, e->x, signals);
    dm_sides(&e->w, e->now.time, e->x, signals + 2 * e->contacts);
}

/* What `signals`, shifted as the caller sees them, say has ended here: DV_EVENT if there are jumps. */
static dv_code dm_instant(dm_engine *e, const double *signals) {
    int turns = dm_mark_turned(&e->w, signals + 2 * e->contacts), events = 0;
    dv_code code = DV_OK;
    for (int i = 0; i < 2 * e->contacts; i++) events |= !(signals[i] > 0.0);
    if (e->now.time > e->now.arc_start) e->now.idle = 0;
    if (turns && !events) {
        if (dx_switch(&e->w, e->now.time, e->x, LONG_MAX) != DX_GOES_ON) return DV_CHATTERING;
        dx_rest(&e->w, e->now.time, e->x);
        events = dv_next(e, &code) != DV_STAY;
        if (code != DV_OK || !events) return code;
    }
    if (!events) return DV_OK;
    e->now.settled = 0;
    return DV_EVENT;
}

/* Whether x has left the constraints of closed contacts; it is remembered where slip is heading. */
static int dm_drifts(dm_engine *e) {
    return dv_settle(e, e->now.time, e->x, e->yt, DM_DRIFT) > DM_DRIFT;
}

static int dm_pull_back(dm_engine *e) {
    if (!dm_drifts(e)) return 0;
    dm_put(e, e->now.time, e->yt);
    return 1;
}

static dv_code dm_take_jumps(dm_engine *e) {
    return e->now.settled ? DV_OK : dv_event_update(e);
}

static dv_code dm_set_off(dm_engine *e) {
    return dv_set_off(e);
}

static dv_code dm_flow(dm_engine *e, double until) {
    return dv_flow(e, until);
}

/* Whether steps may go beyond the time that is asked for; flights by formulas end anywhere. */
static int dm_leads(const dm_engine *e) {
    return !e->flies;
}

static void dm_limit_events(dm_engine *e, int more) {
    e->options.max_events = (int)dv_min((double)e->record->events + more, INT_MAX);
}

static long dm_events(const dm_engine *e) {
    return e->record->events;
}

static int dm_place(const dm_engine *e, int automaton) {
    (void)e;
    return automaton; /* there are none */
}

static void dm_pass(dm_engine *e, dm_luck *luck, dm_cursor *c) {
    (void)luck;
    size_t size = dv_saved_size(e);
    if (c->saving) dv_save(e, c->memory + c->used);
    if (c->restoring) dv_restore(e, c->memory + c->used);
    c->used += size;
}
