/* A stretch of time: what rests and is left behind where it begins, its steps, and its end. */

/* The present state is one that the run has passed. */
static void da_record(da_engine *e) {
    dv_copy(e->final, e->x, e->n);
}

/* Keep the present state as the last one. */
static dv_code da_rest(da_engine *e, dv_code code) {
    dv_log_mark(&e->record, DV_LOG_REST, e->now.time);
    da_judge(e);
    da_record(e);
    return code;
}

static void da_signals_here(da_engine *e) {
    da_put_here(e);
    for (int j = 0; j < e->columns; j++) da_signal(e, j, e->spot_v + j, e->spot_r + j);
}

/* A stretch of time begins for what is outside. */
static void da_begin_outside(da_engine *e) {
    if (!e->outside.begin) return;
    e->outside.begin(e->outside.of, e->now.time, e->x, e->resting);
    if (e->outside.settle(e->outside.of, e->x, 1)) da_signals_here(e);
}

/* Who waits for guards that hold hears when they cease to. */
static void da_turn_signals(da_engine *e) {
    for (int j = 0; j < e->columns; j++) {
        da_column *c = e->column + j;
        c->turned = e->now.waiting && da_is_guard(c) && da_guard_holds(e, c, da_stays);
    }
}

/* Whether the guard of an edge holds here, though not from now on. */
static int da_touches(da_engine *e, int edge) {
    int known = e->known[edge] == e->stamp;
    if (known && e->inside[edge] < -e->options.margin) return 0;
    return da_read(e, edge) == DA_HERE;
}

/* Of the edges that leave the present places, those that a jump has left behind. */
static void da_leave_behind(da_engine *e) {
    e->lefts = 0;
    memset(e->behind, 0, (size_t)e->s.edges * sizeof(int));
    for (int c = 0; c < e->s.components; c++) {
        const int *first = e->s.leaving_first + e->position[c];
        for (int i = first[0]; i < first[1]; i++) {
            int edge = e->s.leaving[i];
            if (!da_touches(e, edge)) continue;
            e->behind[edge] = 1;
            e->left[e->lefts++] = edge;
        }
    }
}

/* On the part of the step before `end`: which of them the run has been away from. */
static void da_watch_left(da_engine *e, double end) {
    int m = e->options.points - 1;
    for (int i = 0; i < e->lefts; i++)
        for (int k = 1; k <= m && e->behind[e->left[i]]; k++) {
            double time = dv_time_of(e->step.start, e->step.end, k, m);
            if (!(time < end)) break;
            da_put(e, time, e->grid_x + k * e->n);
            da_rates_here(e);
            e->behind[e->left[i]] = (da_read(e, e->left[i]) & DA_HERE) != 0;
        }
}

/* Whether a signal cannot fire before it has risen: it has just been reset, or is left alone. */
static int da_rests(da_engine *e, int number) {
    const da_column *c = e->column + number;
    int guard = da_is_guard(c), met = e->spot_v[number] <= 0.0;
    if (!met && guard && !c->turned && e->spot_v[number] <= e->options.margin)
        met = da_guard_holds(e, c, da_is_here);
    return met && ((guard && e->now.waiting) || !da_fires(e, number));
}

/* Whether time may start or stop to pass here, if only the ends of a stretch count. */
static int da_keeps(da_engine *e) {
    da_enter(e);
    da_decide(e);
    da_put_here(e);
    for (int c = 0; c < e->s.components; c++) {
        int watch = e->s.place_invariant[e->position[c]];
        if (watch >= 0 && !(da_read(e, watch) & DA_HERE)) return 0;
    }
    return !e->urgent;
}

/* Begin a stretch of time: from where equalities are reached, and who rests. */
static void da_begin_arc(da_engine *e) {
    da_enter(e);
    if (e->watches_receivers || e->now.waiting) da_enter_columns(e);
    e->bad_start = e->options.endpoints && !da_keeps(e);
    if (e->w.count) dx_decide(&e->w, e->now.time, e->x, NULL); /* if it cannot, the arc ends */
    da_put_here(e);
    da_approaches(e);
    da_turn_signals(e);
    da_signals_here(e);
    for (int j = 0; j < e->columns; j++) e->resting[j] = !da_is_outside(e, j) && da_rests(e, j);
    e->now.arriving = 0;
    da_leave_behind(e);
    da_begin_outside(e);
    dv_begin_steps(&e->step);
    e->step.pace.proposal = 0.0;
    e->now.flowing = 1;
    e->now.arc_start = e->now.time;
    if (e->w.count && e->w.reason == DX_GOES_ON) dx_rest(&e->w, e->now.time, e->x);
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

/* A number that is a multiple of the grain, but for the last digits, without these. */
static double da_on_grain(const da_engine *e, double number) {
    double grain = e->options.grain, whole = rint(number / grain) * grain;
    return fabs(number - whole) <= DA_DIGITS * dv_max(1.0, fabs(number)) ? whole : number;
}

/* Time and timed clocks at the end of a step: see dyverse.automaton.network.timed. */
static void da_put_on_grain(da_engine *e) {
    if (!(e->options.grain > 0.0)) return;
    e->now.time = dv_max(e->step.start, da_on_grain(e, e->now.time));
    for (int i = 0; i < e->n; i++)
        if (e->s.variable_timed[i]) e->x[i] = da_on_grain(e, e->x[i]);
}

/* Stop in the middle of the step, at its event. */
static dv_code da_end_at(da_engine *e, double time) {
    if (da_gather(e, time)) return DV_UNDEFINED;
    da_watch_left(e, time);
    da_watch_properties(e, time);
    da_log_nears(e, time);
    dv_dense_state(&e->step, time, e->step.yt);
    dv_copy(e->x, e->step.yt, e->n);
    e->now.time = time;
    da_put_on_grain(e);
    dv_log_rows(&e->record, &e->step, e->now.time, e->options.samples);
    return DV_EVENT;
}

/* When the tick ahead is: multiples of ticks, for sums would drift. */
static double da_tick_ahead(const da_engine *e) {
    return e->now.tick_begin + (double)e->now.ticks * e->options.tick;
}

/* Whether some signal may get to zero within `soon` after the end of the last step. */
static int da_is_soon(const da_engine *e, double soon) {
    const double *v = e->grid_v + (e->options.points - 1) * e->columns;
    const double *r = e->grid_r + (e->options.points - 1) * e->columns;
    for (int j = 0; j < e->columns && e->stepped; j++)
        if (!e->resting[j] && v[j] + soon * dv_min(r[j], 0.0) <= 0.0) return 1;
    return 0;
}

/* Whether an event is due: so soon after the end of the last step that it counts as one at the end,
 * see dyverse.flow.follow. The state is then that of the event, and was `spare_x`. */
static int da_is_due(da_engine *e) {
    double soon = dv_min(e->options.together, 0.01 * (e->now.time - e->now.arc_start));
    e->crossings = 0;
    if (!da_is_soon(e, soon)) return 0;
    dv_first_rate(&e->step, e->now.time);
    dv_straight(&e->step, e->now.time, e->now.time + soon);
    memcpy(e->kept_resting, e->resting, (size_t)e->columns * sizeof(int));
    double event = da_first_event(e, INFINITY);
    memcpy(e->resting, e->kept_resting, (size_t)e->columns * sizeof(int));
    if (!(event < INFINITY) || da_gather(e, event)) return 0;
    dv_copy(e->spare_x, e->x, e->n);
    dv_dense_state(&e->step, event, e->step.yt);
    dv_copy(e->x, e->step.yt, e->n);
    e->step.fresh = 0;
    return 1;
}

/* Go on on other sides where functions of the rates switch on the step just made. */
static dv_code da_turn_sides(da_engine *e, double time) {
    da_watch_left(e, time);
    da_watch_properties(e, time);
    da_log_nears(e, time);
    dv_dense_state(&e->step, time, e->step.yt);
    dv_copy(e->x, e->step.yt, e->n);
    e->now.time = time;
    dv_log_rows(&e->record, &e->step, time, e->options.samples);
    e->step.fresh = 0;
    e->step.pace.proposal = 0.0;
    int reason = dx_switch(&e->w, time, e->x, e->options.max_events - e->record.events);
    if (reason != DX_GOES_ON) return reason == DX_MANY ? DV_MAX_EVENTS : DV_CHATTERING;
    dx_rest(&e->w, time, e->x);
    da_log_arc(e);
    return DV_OK;
}

/* Steps to the next event or to `until`. */
static dv_code da_march(da_engine *e, double until) {
    e->stepped = 0;
    if (e->w.count && e->w.reason != DX_GOES_ON) return DV_CHATTERING;
    while (e->now.time < until) {
        if (e->options.max_steps && e->budget-- == 0) return DV_PAUSED;
        if (!dv_make_step(&e->step, e->now.time, until)) return DV_NO_STEP(&e->step);
        e->stepped = 1;
        double turn = dx_first(&e->w, e->step.start, e->step.end), event = da_first_event(e, turn);
        if (turn < event - dv_min(e->options.together, 0.01 * (e->step.end - e->step.start))) {
            dv_code code = da_turn_sides(e, turn);
            if (code != DV_OK) return code;
            continue;
        }
        if (event < INFINITY) return da_end_at(e, event);
        da_watch_left(e, INFINITY);
        da_watch_properties(e, e->step.end);
        da_log_nears(e, INFINITY);
        e->now.time = dv_take_step(&e->step);
        da_put_on_grain(e);
        if (e->outside.settle && e->outside.settle(e->outside.of, e->x, 0)) e->step.fresh = 0;
        dv_log_rows(&e->record, &e->step, e->now.time, e->options.samples);
    }
    return DV_HORIZON;
}

/* Time has brought the run here, or cannot pass: guards are read at the point. */
static void da_arrive(da_engine *e) {
    e->now.arriving = !e->outside.jump;
    memset(e->jumped, 0, (size_t)e->s.components * sizeof(int));
    if (e->now.time == e->now.arc_start) memset(e->behind, 0, (size_t)e->s.edges * sizeof(int));
}
