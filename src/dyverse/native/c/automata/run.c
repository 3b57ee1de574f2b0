/* The loop: the jumps of an instant and stretches of time by turns. See dyverse.simulation. */

/* Through the node at whose entrance the run is. */
static dv_code da_visit_node(da_engine *e) {
    da_visit v = da_sweep(e);
    if (e->host_failed) return DV_HOST;
    da_leave(e, &v); /* the exit does not change local variables */
    da_log_visit(e, &v);
    da_record(e);
    return v.failure ? DV_NOT_CONVERGED : DV_OK;
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
static dv_code da_settled(da_engine *e) {
    if (da_is_node(e)) return DV_DEADLOCK; /* no edge leaves the node */
    for (int i = 0; i < e->tolds; i++) {
        da_note(e, e->now.time, e->told[i].kind, e->told[i].edge);
        for (int c = 0; c < e->s.components && i == e->tolds - 1; c++)
            dv_mix(&e->record, (unsigned long long)e->position[c]);
    }
    dv_log_mark(&e->record, DV_LOG_SETTLED, e->now.time);
    e->now.settled = 1;
    return e->record.events >= e->options.max_events ? da_rest(e, DV_MAX_EVENTS) : DV_OK;
}

/* Take the move that was found. */
static dv_code da_go(da_engine *e) {
    if (da_take_move(e) != DV_OK) return da_is_node(e) ? DV_FAULT : da_rest(e, DV_FAULT);
    da_log_jump(e);
    if (e->best_size) da_tell(e);
    return DV_OK;
}

/* Find a move and take it; `none` if there is none, or it is left alone. */
static dv_code da_next(da_engine *e, int *none) {
    int found = da_find_move(e), left_alone = found && !da_choose(e);
    int held_back = !found && e->s.doubts && e->considered; /* they lead where they must not */
    e->now.waiting = (left_alone || held_back) && !(e->options.tick > 0.0); /* which look at no guards */
    *none = !found || left_alone;
    if (*none || e->host_failed) return e->host_failed ? DV_HOST : DV_OK;
    dv_code code = da_go(e);
    return e->host_failed ? DV_HOST : code;
}

/* One jump of what is outside, or of those who hear a signal from there; whether there was one. */
static int da_jump_outside(da_engine *e, dv_code *code) {
    int taken = 0, channel = -1;
    *code = DV_OK;
    if (!e->outside.jump) return 0;
    *code = e->outside.jump(e->outside.of, e->now.time, e->x, &taken);
    e->dirty |= taken;
    if (taken || *code != DV_OK) return 1;
    if (!e->outside.gives(e->outside.of, &channel)) return 0;
    da_hear(e, channel);
    *code = da_choose(e) ? da_go(e) : DV_HOST;
    return 1;
}

/* Take all jumps of this instant, until time may pass again. */
static dv_code da_settle(da_engine *e) {
    e->tolds = e->now.way = e->crossings = e->now.waiting = 0;
    for (int jumps = 0; jumps < e->options.max_jumps; jumps++) {
        da_judge(e); /* a state in which no time passes is one too */
        e->moved = jumps > 0;
        if (da_is_node(e)) {
            dv_code code = da_visit_node(e);
            if (code != DV_OK) return code;
        }
        dv_code code;
        int none = 0;
        if (!da_jump_outside(e, &code)) code = da_next(e, &none);
        if (code != DV_OK) return code;
        if (none) return da_settled(e);
    }
    return da_is_node(e) ? DV_LIVELOCK : da_rest(e, DV_LIVELOCK);
}

/* Whether there is something to take. */
static int da_can_jump(da_engine *e) {
    int outside = e->outside.enabled &&
                  e->outside.enabled(e->outside.of, e->now.time, e->x);
    return outside || da_find_move(e);
}

/* End a run in which no time passes: with a jump that does not help, or with none. */
static dv_code da_check_progress(da_engine *e, dv_code code) {
    e->now.flowing = e->now.settled = 0;
    e->now.idle = e->now.time == e->now.arc_start ? e->now.idle + 1 : 0;
    da_record(e);
    da_arrive(e);
    /* automata hear what is outside at any time, and invariants that begin then end at any time */
    if (e->options.tick > 0.0 && da_is_locked(e) && !(e->outside.jump && da_can_jump(e)))
        return DV_TIMELOCK;
    if (e->now.idle > e->options.idle) return DV_LIVELOCK;
    if (e->now.idle > 1 && e->crossings && !da_can_jump(e))
        return da_is_locked(e) ? DV_TIMELOCK : DV_DEADLOCK;
    if (e->host_failed) return DV_HOST;
    if (e->options.endpoints && !da_keeps(e)) return DV_TIMELOCK;
    return code;
}

/* Whether the end of the march is an event: a tick, or a jump that is due. */
static int da_is_event(da_engine *e) {
    if (e->options.tick > 0.0 && e->now.time >= da_tick_ahead(e)) return 1;
    if (!da_is_due(e)) return 0;
    da_arrive(e);
    if (da_can_jump(e)) {
        dv_log_last(&e->record, e->x, e->n);
        return 1;
    }
    dv_copy(e->x, e->spare_x, e->n);
    e->now.arriving = e->crossings = 0;
    return 0;
}

/* One stretch of time: to the next event or to `until`. */
static dv_code da_flow(da_engine *e, double until) {
    int begins = !e->now.flowing;
    if (begins) da_begin_arc(e);
    if (begins && e->bad_start) return DV_TIMELOCK;
    dv_code code = da_pass(e, until, begins);
    if (code == DV_PAUSED) return code;
    if (code == DV_HORIZON && da_is_event(e)) code = DV_EVENT;
    if (code == DV_EVENT) return da_check_progress(e, code);
    da_record(e);
    return code == DV_HORIZON && e->options.endpoints && !da_keeps(e) ? DV_TIMELOCK : code;
}

/* The end of a run, after the jumps of its last instant or while time passes. */
static dv_code da_end(da_engine *e) {
    return e->moved && !e->now.flowing ? da_rest(e, DV_HORIZON) : DV_HORIZON;
}

dv_code da_run(da_engine *e, double until) {
    e->budget = e->options.max_steps;
    e->moved = 0;
    for (;;) {
        dv_code code = e->now.settled ? DV_OK : da_settle(e);
        if (e->record.out_of_memory) return DV_NO_MEMORY;
        if (code != DV_OK) return code;
        if (da_is_over(e, until)) return da_end(e);
        code = da_flow(e, da_ahead(e, until));
        if (e->record.out_of_memory) return DV_NO_MEMORY;
        if (code != DV_EVENT) return code;
    }
}
