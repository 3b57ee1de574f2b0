/* The engine as others step it, who let time pass themselves: see dyverse.h. */

dv_code dv_derivatives(dv_engine *e, double time, const double *x, double *rate) {
    dv_land(e);
    e->steady = 0; /* x may be anything */
    dv_rate(e, time, x, rate);
    e->steady = e->now.flowing && dv_find_steady(e);
    for (int i = 0; i < e->size; i++)
        if (!isfinite(rate[i])) return DV_SOLVER;
    return DV_OK;
}

/* Signals of closed contacts; slip ends a little before it is zero, which no crossing would show. */
static void dv_indicate_closed(dv_engine *e, double time, const double *x, double *signals) {
    e->steady = 0; /* x may be anything */
    dv_watch_closed(e, time, x, DV_FOR_WATCH, e->grid);
    e->steady = e->now.flowing && dv_find_steady(e);
    for (int k = 0; k < e->closed.count; k++) {
        int contact = e->closed.contact[k];
        dv_copy(signals + 2 * contact, e->grid + 2 * k, 2);
        if (dv_is_slip(e, 2 * contact + 1)) signals[2 * contact + 1] -= DV_SPENT * e->options.slip;
    }
}

/* Gaps and forces, two signals per contact. */
static void dv_plain_signals(dv_engine *e, double time, const double *x, double *signals) {
    dv_fill_bodies(e, x);
    for (int c = 0; c < e->contacts; c++) {
        double out[2];
        dv_gap(e, c, out);
        signals[2 * c] = out[0];
        signals[2 * c + 1] = 1.0;
    }
    if (e->closed.count) dv_indicate_closed(e, time, x, signals);
}

/* An open contact that rests cannot cross zero: it is as far from it as it is. */
dv_code dv_indicators(dv_engine *e, double time, const double *x, double *signals) {
    dv_land(e);
    dv_plain_signals(e, time, x, signals);
    for (int c = 0; c < e->contacts; c++)
        if (e->modes[c] == DV_OPEN && e->resting[c])
            signals[2 * c] = fabs(signals[2 * c]) + e->options.lift;
    for (int s = 0; s < 2 * e->contacts; s++)
        if (isnan(signals[s])) return DV_UNDEFINED;
    return DV_OK;
}

dv_code dv_set_off(dv_engine *e) {
    dv_land(e);
    dv_begin_arc(e);
    if (e->w.count && e->w.reason != DX_GOES_ON) return DV_CHATTERING;
    return dv_outside(e) ? dv_check_progress(e, DV_EVENT) : DV_OK;
}

void dv_pass_by(dv_engine *e, double time, const double *x) {
    dv_land(e);
    e->now.time = time;
    dv_copy(e->x, x, e->size);
    dv_know_nothing(e);
    e->step.fresh = 0;
    dv_survey(e);
    for (int i = 0; i < e->live_count; i++)
        if (e->gap0[e->live[i]] > e->options.lift) e->resting[e->live[i]] = 0;
    dv_judge(e);
}

/* Whether a signal has crossed zero, or does so a moment later: rounding is not to decide whether the
 * others' search has ended before the event or after it. */
static int dv_has_come(dv_engine *e, double time, const double *x) {
    double moment = 1e-4 * e->options.together;
    dv_pass_by(e, time, x);
    if (dv_outside(e)) return 1;
    if (dv_derivatives(e, time, x, e->yt) != DV_OK) return 0;
    for (int tries = 0; tries < 3; tries++, moment *= 100) {
        for (int i = 0; i < e->size; i++) e->x[i] = x[i] + moment * e->yt[i];
        dv_know_nothing(e);
        if (dv_outside(e)) return 1;
    }
    dv_copy(e->x, x, e->size);
    dv_know_nothing(e);
    return 0;
}

dv_code dv_arrive_at(dv_engine *e, double time, const double *x) {
    if (dv_has_come(e, time, x)) return dv_check_progress(e, DV_EVENT);
    e->now.flowing = e->now.settled = 0;
    return DV_EVENT;
}
