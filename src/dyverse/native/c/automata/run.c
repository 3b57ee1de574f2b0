/* The loop: the jumps of an instant and stretches of time by turns. See dyverse.simulation. */

/* The present state is one that the run has passed. */
static void da_record(da_engine *e) {
    da_copy(e->final, e->x, e->n);
}

/* Keep the present state as the last one. */
static da_code da_rest(da_engine *e, da_code code) {
    da_log_mark(e, DA_LOG_REST);
    da_judge(e);
    da_record(e);
    return code;
}

/* Through the node at whose entrance the run is. */
static da_code da_visit_node(da_engine *e) {
    da_visit v = da_sweep(e);
    da_leave(e, &v); /* the exit does not change local variables */
    da_log_visit(e, &v);
    da_record(e);
    return v.failure ? DA_NOT_CONVERGED : DA_OK;
}

/* Remember what the jump just taken is called: one event per way between two places. */
static void da_tell(da_engine *e) {
    int kind = e->s.edge_kind[e->best[0]];
    if (!e->now.way) e->now.way = kind;
    if (da_is_node(e)) return;
    da_told told = {e->now.way ? e->now.way : DA_GRAZE + 1, e->best[0]};
    e->told[e->tolds++] = told;
    e->now.way = 0;
}

/* Time may pass again: tell the events of this instant. */
static da_code da_settled(da_engine *e) {
    if (da_is_node(e)) return DA_DEADLOCK; /* no edge leaves the node */
    for (int i = 0; i < e->tolds; i++) {
        da_note(e, e->now.time, e->told[i].kind, e->told[i].edge);
        for (int c = 0; c < e->s.components && i == e->tolds - 1; c++)
            da_mix(e, (unsigned long long)e->position[c]);
    }
    da_log_mark(e, DA_LOG_SETTLED);
    e->now.settled = 1;
    return e->now.events >= e->options.max_events ? da_rest(e, DA_MAX_EVENTS) : DA_OK;
}

/* Take all jumps of this instant, until time may pass again. */
static da_code da_settle(da_engine *e) {
    e->tolds = e->now.way = e->crossings = 0;
    for (int jumps = 0; jumps < e->options.max_jumps; jumps++) {
        if (da_is_node(e)) {
            da_code code = da_visit_node(e);
            if (code != DA_OK) return code;
        }
        if (!da_find_move(e)) return da_settled(e);
        if (da_take_move(e) != DA_OK) return da_is_node(e) ? DA_FAULT : da_rest(e, DA_FAULT);
        da_log_jump(e);
        da_tell(e);
    }
    return da_is_node(e) ? DA_LIVELOCK : da_rest(e, DA_LIVELOCK);
}

/* Begin a stretch of time: from where equalities are reached, and who rests. */
static void da_begin_arc(da_engine *e) {
    da_enter(e);
    da_put_here(e);
    da_sides(e);
    e->stamp++;
    for (int j = 0; j < e->columns; j++) da_signal(e, j, e->spot_v + j, e->spot_r + j);
    for (int j = 0; j < e->columns; j++) e->resting[j] = e->spot_v[j] <= 0.0 && !da_fires(e, j);
    e->fresh = 0;
    e->now.length = 0.0;
    e->now.flowing = 1;
    e->now.arc_start = e->now.time;
    da_log_arc(e);
    da_judge(e);
    da_record(e);
}

/* Whether the present state is outside its location already. */
static int da_outside(da_engine *e) {
    e->crossings = 0;
    for (int j = 0; j < e->columns; j++)
        if (!e->resting[j] && e->spot_v[j] <= 0.0) e->crossed[e->crossings++] = j;
    return e->crossings > 0;
}

/* Stop in the middle of the step, at its event. */
static da_code da_end_at(da_engine *e, double time) {
    if (da_gather(e, time)) return DA_UNDEFINED;
    da_watch_properties(e, time);
    da_log_nears(e, time);
    da_dense_state(e, time, e->yt);
    da_copy(e->x, e->yt, e->n);
    e->now.time = time;
    if (time > e->start) da_log_rows(e, time);
    return DA_EVENT;
}

/* Steps to the next event or to `until`. */
static da_code da_march(da_engine *e, double until) {
    while (e->now.time < until) {
        if (e->options.max_steps && e->budget-- == 0) return DA_PAUSED;
        da_code code = da_make_step(e, until);
        if (code != DA_OK) return code;
        double event = da_first_event(e);
        if (event < INFINITY) return da_end_at(e, event);
        da_watch_properties(e, e->end);
        da_log_nears(e, INFINITY);
        da_take_step(e);
        da_log_rows(e, e->now.time);
    }
    return DA_HORIZON;
}

/* Whether all that ended the arc forbids time to pass. */
static int da_is_locked(const da_engine *e) {
    for (int i = 0; i < e->crossings; i++) {
        int kind = e->column[e->crossed[i]].kind;
        if (kind != DA_INVARIANT && kind != DA_URGENT) return 0;
    }
    return 1;
}

/* End a run in which no time passes: with a jump that does not help, or with none. */
static da_code da_check_progress(da_engine *e, da_code code) {
    e->now.flowing = e->now.settled = 0;
    e->now.idle = e->now.time == e->now.arc_start ? e->now.idle + 1 : 0;
    da_record(e);
    if (e->now.idle > e->options.idle) return DA_LIVELOCK;
    if (e->now.idle > 1 && e->crossings && !da_find_move(e))
        return da_is_locked(e) ? DA_TIMELOCK : DA_DEADLOCK;
    return code;
}

/* One stretch of time: to the next event or to `until`. */
static da_code da_flow(da_engine *e, double until) {
    if (!e->now.flowing) {
        da_begin_arc(e);
        if (da_outside(e)) return da_check_progress(e, DA_EVENT);
    }
    e->crossings = 0;
    da_code code = da_march(e, until);
    if (code == DA_PAUSED) return code;
    if (code == DA_EVENT || code == DA_HORIZON) return da_check_progress(e, code);
    da_record(e);
    return code;
}

da_code da_run(da_engine *e, double until) {
    e->budget = e->options.max_steps;
    for (;;) {
        da_code code = e->now.settled ? DA_OK : da_settle(e);
        if (e->out_of_memory) return DA_NO_MEMORY;
        if (code != DA_OK) return code;
        if (e->now.time >= until) return DA_HORIZON;
        code = da_flow(e, until);
        if (e->out_of_memory) return DA_NO_MEMORY;
        if (code != DA_EVENT && code != DA_HORIZON) return code;
    }
}
