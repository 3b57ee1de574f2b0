/* A run that goes on by itself, to a time or to an event.
 *
 * Where the caller stops need not cut a step: the engine may be one step ahead, and the caller sees
 * the step's dense output. So up to the model's horizon a run is the same however often it stops, as
 * long as its settings stay. The engine is kept as it was where its last step began: who changes
 * something gets it back, and the step is made again only as far; who looks at more than the state, too,
 * but afterwards the step is made again as it was. */

/* Steps to `until`, or to the first event. */
static dv_code dm_run(dm_engine *e, double until, int to_event) {
    e->budget = e->options.max_steps = DM_STEPS;
    for (int events = 0;; events = 1) {
        dv_code code = dm_take_jumps(e);
        if (code != DV_OK) return code;
        if (events && to_event) return DV_EVENT;
        if (e->now.time >= until) return DV_HORIZON;
        code = dm_flow(e, until);
        if (code != DV_EVENT) return code;
    }
}

/* One step, as long as it likes. */
static dv_code dm_leap(dyverse_model *m) {
    m->engine->budget = m->engine->options.max_steps = 1;
    return dm_flow(m->engine, m->time + m->facts->horizon);
}

static void dm_keep(dyverse_model *m) {
    dm_cursor c = {m->lead.before, 0, 1, 0};
    dm_pass(m->engine, &m->luck, &c);
    m->lead.events = dm_events(m->engine);
}

static void dm_go_back(dyverse_model *m) {
    dm_cursor c = {m->lead.before, 0, 0, 1};
    dm_pass(m->engine, &m->luck, &c);
    m->lead.on = 0;
}

/* The engine back to where the caller is, with the state that the caller has seen. */
static void dm_fall_back(dyverse_model *m) {
    if (!m->lead.on) return;
    dm_go_back(m);
    dv_code code = dm_run(m->engine, m->lead.time, 0);
    if (code != DV_HORIZON) {
        dm_told(m, code);
        return;
    }
    dm_put(m->engine, m->lead.time, m->lead.x);
    dm_resume(m->engine);
}

/* The engine where the caller is, with the caller's settings. */
static void dm_tell(dyverse_model *m) {
    dm_fall_back(m);
    dm_refresh(m);
}

/* Let the caller see the step at `time`. */
static dv_code dm_show(dyverse_model *m, double time) {
    m->lead.on = 1;
    m->lead.time = time;
    dv_dense_state(&m->engine->step, time, m->lead.x);
    return DV_HORIZON;
}

/* For a look at more than the state: the engine where the caller is, and whether it was ahead. */
static int dm_look(dyverse_model *m) {
    int ahead = m->lead.on && !m->changed;
    dm_tell(m);
    return ahead && !m->ended;
}

/* The run goes on as if nobody had looked. */
static void dm_look_on(dyverse_model *m, int ahead) {
    if (!ahead) return;
    dm_go_back(m);
    m->lead.code = dm_leap(m);
    dm_show(m, m->lead.time);
}

/* An event so soon after `until` is one at `until`: see da_is_due and dv_is_due. */
static void dm_round_time(dm_engine *e, double until) {
    double late = e->now.time - until;
    if (late > 0.0 && late <= dv_min(e->options.together, 0.01 * (until - e->now.arc_start)))
        e->now.time = until;
}

static int dm_has_stepped(dv_code code) {
    return code == DV_PAUSED || code == DV_EVENT || code == DV_HORIZON;
}

/* Whether the next step may end beyond `until`: it is no longer than was proposed, but for a change to
 * the higher order; and where a stretch of time begins, nothing is proposed yet. */
static int dm_may_pass(const dm_engine *e, double until) {
    double longest = 1.001 * DV_LONGER * e->step.pace.proposal;
    return !e->now.flowing || !(longest > 0.0 && e->now.time + longest <= until);
}

/* The same as dm_run with steps that nobody cuts. */
static dv_code dm_lead_to(dyverse_model *m, double until, int to_event) {
    dm_engine *e = m->engine;
    if (m->lead.on && until < e->now.time) return dm_show(m, until);
    int events = m->lead.on && m->lead.code == DV_EVENT;
    m->lead.on = 0;
    for (long steps = 0; steps < DM_STEPS; steps++) {
        dv_code code = dm_take_jumps(e);
        if (code != DV_OK) return code;
        if (events && to_event) return DV_EVENT;
        if (e->now.time >= until) return DV_HORIZON;
        int may_pass = dm_may_pass(e, until);
        if (may_pass) dm_keep(m);
        code = dm_leap(m);
        if (code == DV_EVENT) dm_round_time(e, until);
        m->lead.code = code;
        int beyond = e->now.time > until;
        if (dm_has_stepped(code) && beyond && e->step.start <= until) return dm_show(m, until);
        if (!dm_has_stepped(code) && !may_pass) return code;
        if (!dm_has_stepped(code) || beyond) {
            dm_go_back(m);
            return dm_run(e, until, to_event);
        }
        events |= code == DV_EVENT;
    }
    return DV_PAUSED;
}

/* Whether the engine may go ahead: nobody has changed something since the last time. */
static int dm_may_lead(const dyverse_model *m, double until) {
    return dm_leads(m->engine) && !m->changed && until <= m->time + m->facts->horizon;
}

static dyverse_status dm_advance(dyverse_model *m, double until, int to_event) {
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    if (m->ended) return DYVERSE_ENDED;
    if (!isfinite(until)) return dm_refuse(m, "not a finite number", "time");
    if (until < dyverse_time(m)) return dm_refuse(m, "time does not go back", "");
    dm_limit_events(m->engine, DM_MANY);
    m->unarmed = 1;
    if (dm_may_lead(m, until)) return dm_told(m, dm_lead_to(m, until, to_event));
    dm_tell(m);
    if (m->ended) return DYVERSE_ENDED;
    if (m->changed) dm_resume(m->engine);
    m->changed = 0;
    return dm_told(m, dm_run(m->engine, until, to_event));
}
