/* The loop: event updates and stretches of time by turns. See dyverse.simulation.simulate. */

/* Begin an event update: remember the location before it. */
static dv_code dv_begin_update(dv_engine *e) {
    dv_code code = dv_enter(e);
    if (code != DV_OK) return code;
    dv_freeze_sides(e);
    for (int i = 0; i < e->live_count; i++) {
        e->before[e->live[i]] = e->modes[e->live[i]];
        e->hit[e->live[i]] = 0;
    }
    e->now.jumps = 0;
    e->now.pending = DV_STAY;
    e->now.updating = 1;
    return DV_OK;
}

/* What a contact's change of mode is called, or 0. */
static int dv_change_of(const dv_engine *e, int contact) {
    int was = e->before[contact], is = e->modes[contact];
    if (was == is) return 0;
    if (was == DV_OPEN) return e->hit[contact] ? 0 : DV_TOUCH;
    if (is == DV_OPEN) return DV_RELEASE;
    if (is != DV_STICK && was != DV_STICK) return 0;
    return is == DV_STICK ? DV_STICKS : DV_SLIPS;
}

/* One event per way in which the contact word has changed; see dyverse.generation.naming. Returns how
 * many contacts have changed or were hit. */
static int dv_note_changes(dv_engine *e) {
    int first[DV_GRAZE + 1] = {0}, count[DV_GRAZE + 1] = {0}, order[DV_GRAZE], kinds = 0;
    int changed = 0, *which = e->suspect;
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (e->hit[c] || e->before[c] != e->modes[c]) which[changed++] = c;
    }
    for (int turn = 0; turn < 2; turn++) /* contacts that were closed come first */
        for (int i = 0; i < changed; i++) {
            int c = which[i];
            int kind = (e->before[c] != DV_OPEN) == turn ? 0 : dv_change_of(e, c);
            if (!kind) continue;
            if (!count[kind]++) {
                order[kinds++] = kind;
                first[kind] = c;
            }
        }
    for (int i = 0; i < kinds; i++)
        dv_note(e, e->now.time, order[i], first[order[i]], count[order[i]]);
    for (int i = 0; i < changed; i++) {
        int c = which[i];
        dv_mix(e->record, 64ull * (unsigned)c + 16ull * (unsigned)e->hit[c] +
                                4ull * (unsigned)e->before[c] + (unsigned)e->modes[c]);
    }
    return changed;
}

/* Count the nodes in a row that have changed nothing. */
static void dv_count_vain(dv_engine *e, int changed) {
    if (changed) e->now.vain = 0;
    if (changed || !e->now.jumps) return;
    if (e->now.vain++ == 0) e->now.vain_since = e->now.time;
}

/* In another location, of these modes. */
static dv_code dv_arrive(dv_engine *e) {
    e->now.pending = DV_STAY;
    dv_code code = dv_enter(e);
    if (code == DV_OK) dv_log_modes(e);
    return code;
}

/* Whether every contact of the last node slips. */
static int dv_all_slip(const dv_engine *e) {
    for (int k = 0; k < e->other.count; k++)
        if (e->modes[e->other.contact[k]] != DV_SLIP) return 0;
    return 1;
}

/* Through the pending node; its exit decides where to go on. */
static dv_code dv_visit(dv_engine *e) {
    dv_found found = {{DV_SOLVED, DV_SORPROX, 0, 0.0, 1.0}, DV_OK, 0};
    int impact = e->now.pending == DV_TO_IMPACT;
    dv_code code = DV_OK;
    for (int k = 0; k < e->other.count; k++) {
        e->part[k] = 1;
        e->rested[k] = 0;
    }
    int in_turn = impact && e->impact == DV_IN_TURN;
    if (in_turn) dv_add_bystanders(e);
    if (!impact || !dv_bounce(e, &found)) {
        if (impact && !in_turn) dv_add_bystanders(e);
        dv_keep_flats(e, &e->other);
        dv_find_islands(e, &e->other);
        code = impact ? dv_visit_impact(e, &found) : dv_visit_contact(e, &found);
    }
    if (impact) dv_refresh_sides(e);
    e->now.counts[DV_N_NODES]++;
    e->step.fresh = e->surveyed = 0;
    if (impact) dv_loosen(e, DV_FAR / 1000);
    if (code != DV_OK) return code;
    dv_log_visit(e, !impact, &found, e->drive);
    if (found.failure) return (dv_code)found.failure;
    if (impact) {
        e->now.pending = dv_after_impact(e);
        return DV_OK;
    }
    dv_after_contact(e);
    return e->options.printed && dv_all_slip(e) ? DV_DEADLOCK : dv_arrive(e);
}

/* Leave the present location by the jump that is enabled, if any. */
static dv_code dv_jump(dv_engine *e) {
    dv_code code = DV_OK;
    e->now.pending = dv_next(e, &code);
    return code;
}

/* Into free flight, or from transition to slip. */
static dv_code dv_change_modes(dv_engine *e) {
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (e->now.pending == DV_TO_FREE) e->modes[c] = DV_OPEN;
        if (e->now.pending == DV_TO_SLIP && e->modes[c] == DV_TRANS) e->modes[c] = DV_SLIP;
    }
    return dv_arrive(e);
}

dv_code dv_event_update(dv_engine *e) {
    dv_code code = e->now.updating ? DV_OK : dv_begin_update(e);
    e->now.flowing = 0;
    for (; code == DV_OK && e->now.jumps < e->options.max_jumps; e->now.jumps++) {
        if (e->now.pending == DV_TO_IMPACT || e->now.pending == DV_TO_CONTACT)
            code = dv_visit(e);
        if (code != DV_OK) return code;
        int stays = e->now.pending == DV_STAY;
        if (stays) code = dv_jump(e);
        if (code != DV_OK) return code;
        if (e->now.pending == DV_STAY) {
            dv_count_vain(e, dv_note_changes(e));
            dv_log_mark(e->record, DV_LOG_SETTLED, e->now.time);
            e->now.updating = 0;
            e->now.settled = 1;
            if (e->record->events < e->options.max_events) return DV_OK;
            dv_judge(e);
            return DV_MAX_EVENTS;
        }
        if (stays && e->now.jumps) dv_judge(e); /* it is left in the instant of its entrance */
        if (e->now.pending == DV_TO_FREE || e->now.pending == DV_TO_SLIP)
            code = dv_change_modes(e);
    }
    return code == DV_OK ? DV_LIVELOCK : code;
}

/* Begin an arc in the log, with all bodies where they are now. */
static void dv_log_arc(dv_engine *e) {
    const double *x = e->x;
    if (e->now.aloft && e->record->keeps) {
        dv_state_at(e, e->now.time, e->yt);
        x = e->yt;
    }
    dv_log_begin_arc(e->record, e->now.time, x, e->size, e->w.side, e->w.count);
}

/* Begin a stretch of time: directions, resting gaps, and the state on its constraints. */
static void dv_begin_arc(dv_engine *e) {
    if (e->closed.count) dv_directions(e);
    dv_survey(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        e->resting[c] = e->modes[c] == DV_OPEN && e->gap0[c] <= e->options.gap;
    }
    double moved = dv_settle(e, e->now.time, e->x, e->yt, 0.0);
    if (moved > 0.0) {
        dv_copy(e->x, e->yt, e->size);
        dv_loosen(e, dv_farthest(e, moved));
        e->surveyed = 0;
        dv_survey(e);
    }
    dv_begin_sides(e);
    dv_begin_steps(&e->step);
    e->steady = dv_find_steady(e);
    e->now.flowing = 1;
    e->now.arc_start = e->now.time;
    dv_log_arc(e);
}

/* Stop in the middle of the step, at its event. */
static dv_code dv_end_at(dv_engine *e, double time, int signal) {
    double took = time - e->now.arc_start;
    if (dv_is_undefined(e, time, signal)) return DV_UNDEFINED;
    dv_watch_properties(e, time);
    if (time > e->step.start) dv_dense_state(&e->step, time, e->x);
    dv_unclear(e, dv_share(&e->step, time), 0.0);
    e->now.time = time;
    e->surveyed = 0;
    /* the next flight is often about as long as this one */
    e->step.pace.proposal = dv_max(dv_min(e->step.pace.proposal, 1.1 * took), e->step.length / 8);
    e->step.fresh = 0;
    dv_log_nears(e, time);
    dv_log_rows(e->record, &e->step, time, e->options.samples);
    return DV_EVENT;
}

/* Go to the end of the step and back onto the constraints. */
static void dv_finish_step(dv_engine *e) {
    dv_watch_properties(e, e->step.end);
    e->now.time = dv_take_step(&e->step);
    e->surveyed = 0;
    double moved = dv_settle(e, e->now.time, e->x, e->yt, e->options.drift);
    if (moved > e->options.drift) {
        dv_copy(e->x, e->yt, e->size);
        e->step.fresh = 0;
    }
    dv_unclear(e, 1.0, dv_farthest(e, moved));
    dv_log_nears(e, e->now.time);
    dv_log_rows(e->record, &e->step, e->now.time, e->options.samples);
}

/* Go on on other sides where functions of the loads switch on the step just made. */
static dv_code dv_turn_sides(dv_engine *e, double time) {
    dv_watch_properties(e, time);
    if (time > e->step.start) dv_dense_state(&e->step, time, e->x);
    dv_unclear(e, dv_share(&e->step, time), 0.0);
    e->now.time = time;
    e->step.pace.proposal = 0.0;
    dv_log_nears(e, time);
    dv_log_rows(e->record, &e->step, time, e->options.samples);
    long most = e->options.max_events - e->record->events;
    int reason = dx_switch(&e->w, time, e->x, most);
    e->step.fresh = e->surveyed = 0;
    if (reason != DX_GOES_ON) return reason == DX_MANY ? DV_MAX_EVENTS : DV_CHATTERING;
    dx_rest(&e->w, time, e->x);
    dv_log_begin_arc(e->record, e->now.time, e->x, e->size, e->w.side, e->w.count);
    return DV_OK;
}

/* Steps to the next event or to `until`. */
static dv_code dv_march(dv_engine *e, double until) {
    e->stepped = 0;
    if (e->w.count && e->w.reason != DX_GOES_ON) return DV_CHATTERING;
    while (e->now.time < until) {
        int signal = 0;
        if (e->options.max_steps && e->budget-- == 0) return DV_PAUSED;
        e->step.steady = e->steady;
        if (!dv_make_step(&e->step, e->now.time, until)) return DV_NO_STEP(&e->step);
        e->stepped = 1;
        e->drawn = -1;
        double turn = dx_first(&e->w, e->step.start, e->step.end);
        double event = dv_first_event(e, &signal);
        if (turn < event - dv_min(DV_TOGETHER, 0.01 * e->step.length)) {
            dv_code code = dv_turn_sides(e, turn);
            if (code != DV_OK) return code;
            continue;
        }
        if (event < INFINITY) return dv_end_at(e, event, signal);
        dv_finish_step(e);
    }
    return DV_HORIZON;
}

/* Whether a signal that is `value` now, and was `before` a moment ago, is zero right after. */
static int dv_is_soon(double value, double before, double moment, double soon) {
    return value + soon * dv_min((value - before) / moment, 0.0) <= 0.0;
}

/* Whether an event is due: so soon after the end of the last step that it is one with an event at
 * the end. Rounding is not to decide whether an event is before a given time. */
static int dv_is_due(dv_engine *e) {
    double soon = dv_min(DV_TOGETHER, 0.01 * (e->now.time - e->now.arc_start)), before, after;
    double *now = e->grid, *then = e->grid + 2 * e->closed.count;
    int due = 0;
    dv_survey(e);
    for (int i = 0; i < e->live_count && !due; i++) {
        int c = e->live[i];
        due = e->modes[c] == DV_OPEN && !e->resting[c] &&
              e->gap0[c] + soon * dv_min(e->speed0[c], 0.0) <= 0.0;
    }
    if (due || e->closed.count == 0 || e->stepped == DV_FLOWN) return due;
    dv_around(&e->step, e->step.end, &before, &after);
    dv_watch_step(e, before, DV_FOR_WATCH, then); /* on parabolas, their slides are drawn */
    dv_watch_step(e, after, DV_FOR_WATCH, now);
    for (int s = 0; s < 2 * e->closed.count; s++)
        due |= dv_is_soon(now[s], then[s], after - before, soon);
    return due;
}

/* The end was reached without an event; but one may be due. */
static dv_code dv_at_end(dv_engine *e) {
    dv_code code = DV_OK;
    if (!e->stepped || !dv_is_due(e)) return DV_HORIZON;
    return dv_next(e, &code) != DV_STAY || code != DV_OK ? DV_EVENT : DV_HORIZON;
}

/* End a run in which no time passes: with a jump that does not help, or with none. */
static dv_code dv_check_progress(dv_engine *e, dv_code code) {
    e->now.flowing = 0;
    e->now.settled = 0;
    e->now.idle = e->now.time == e->now.arc_start ? e->now.idle + 1 : 0;
    e->now.creeps = e->now.time < e->now.arc_start + DV_TOGETHER ? e->now.creeps + 1 : 0;
    if (e->now.idle > DV_IDLE) return DV_LIVELOCK;
    if (e->now.idle > 1 && code == DV_EVENT) {
        dv_code other = DV_OK;
        if (dv_next(e, &other) == DV_STAY) return other == DV_OK ? DV_DEADLOCK : other;
    }
    return code;
}

static dv_code dv_flow(dv_engine *e, double until) {
    dv_code code = DV_EVENT;
    if (!e->now.flowing && (!e->now.aloft || e->closed.count)) {
        dv_begin_arc(e);
        if (dv_outside(e)) return dv_check_progress(e, code);
    }
    if (!dv_may_fly(e)) dv_land(e);
    code = dv_may_fly(e) ? dv_fly(e, until) : DV_OK;
    if (code == DV_OK) code = dv_march(e, until);
    if (code == DV_HORIZON) code = dv_at_end(e);
    return code == DV_EVENT ? dv_check_progress(e, code) : code;
}

dv_code dv_step(dv_engine *e, double until) {
    e->budget = e->options.max_steps;
    return dv_flow(e, until);
}

dv_code dv_run(dv_engine *e, double until) {
    e->budget = e->options.max_steps;
    for (;;) {
        dv_code code = e->now.settled ? DV_OK : dv_event_update(e);
        if (code != DV_OK) return code;
        if (e->now.time >= until) {
            if (!e->now.flowing) dv_judge(e);
            return DV_HORIZON;
        }
        code = dv_flow(e, until);
        if (e->record->out_of_memory) return DV_NO_MEMORY;
        if (code != DV_EVENT) return code;
    }
}

int dv_get_memory(const dv_engine *e, double *since, int *resting, double *ahead) {
    *since = e->now.arc_start;
    for (int c = 0; c < e->contacts; c++)
        resting[c] = e->modes[c] == DV_OPEN && (e->now.aloft ? dv_still_touches(e, c) : e->resting[c]);
    dv_copy(ahead, e->ahead, 3 * e->contacts);
    return e->now.flowing ? DV_FLOWING : e->now.settled ? DV_SETTLED : DV_ARRIVED;
}

void dv_go_on(dv_engine *e, int from, int holds, double since, const int *resting,
              const double *ahead) {
    e->now.settled = from != DV_ARRIVED;
    e->now.holds = holds;
    if (from != DV_FLOWING) return;
    e->now.arc_start = since;
    memcpy(e->resting, resting, (size_t)e->contacts * sizeof(int));
    dv_copy(e->ahead, ahead, 3 * e->contacts);
    if (e->w.count) dx_rest(&e->w, e->now.time, e->x);
    e->steady = dv_find_steady(e);
    e->now.flowing = e->now.settled = !dv_outside(e); /* numbers may be others than they were */
    if (e->now.flowing) dv_log_begin_arc(e->record, e->now.time, e->x, e->size, e->w.side, e->w.count);
}
