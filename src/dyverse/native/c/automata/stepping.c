/* The engine as others step it, who let time pass themselves: see ../dyverse.h. */

int da_indicator_count(const da_engine *e) {
    return da_most_columns(e);
}

dv_code da_derivatives(da_engine *e, double time, const double *x, double *rate) {
    da_enter(e);
    da_rate(e, time, x, rate);
    for (int i = 0; i < e->n; i++)
        if (!isfinite(rate[i])) return DV_SOLVER;
    return DV_OK;
}

/* A signal that rests cannot cross zero: it is as far from it as it is. */
dv_code da_indicators(da_engine *e, double time, const double *x, double *signals) {
    da_enter(e);
    da_sample(e, time, x, e->spot_v, e->spot_r);
    for (int j = 0; j < da_most_columns(e); j++) {
        signals[j] = 1.0;
        if (j >= e->columns) continue;
        signals[j] = e->resting[j] ? fabs(e->spot_v[j]) + e->options.lift : e->spot_v[j];
        if (da_is_outside(e, j)) signals[j] -= e->floor[e->column[j].watch];
        if (isnan(signals[j])) return DV_UNDEFINED;
    }
    return DV_OK;
}

dv_code da_event_update(da_engine *e) {
    return da_settle(e);
}

dv_code da_set_off(da_engine *e) {
    da_begin_arc(e);
    if (e->bad_start) return DV_TIMELOCK;
    if (e->w.count && e->w.reason != DX_GOES_ON) return DV_CHATTERING;
    return da_outside(e) ? da_check_progress(e, DV_EVENT) : DV_OK;
}

void da_pass_by(da_engine *e, double time, const double *x) {
    e->now.time = time;
    dv_copy(e->x, x, e->n);
    e->step.fresh = 0;
    da_sample(e, time, x, e->spot_v, e->spot_r);
    for (int j = 0; j < e->columns; j++)
        if (e->spot_v[j] > e->options.lift) e->resting[j] = 0;
    for (int i = 0; i < e->lefts; i++)
        if (e->behind[e->left[i]])
            e->behind[e->left[i]] = (da_read(e, e->left[i]) & DA_HERE) != 0;
    da_judge(e);
}

/* Whether a signal has crossed zero, or does so a moment later: rounding is not to decide whether the
 * others' search has ended before the event or after it. */
static int da_has_come(da_engine *e, double time, const double *x) {
    double moment = 1e-4 * e->options.together;
    da_pass_by(e, time, x);
    if (da_outside(e)) return 1;
    da_rate(e, time, x, e->spare_x);
    for (int tries = 0; tries < 3; tries++, moment *= 100) {
        for (int i = 0; i < e->n; i++) e->x[i] = x[i] + moment * e->spare_x[i];
        da_signals_here(e);
        if (da_outside(e)) return 1;
    }
    dv_copy(e->x, x, e->n);
    return 0;
}

dv_code da_arrive_at(da_engine *e, double time, const double *x) {
    if (da_has_come(e, time, x)) return da_check_progress(e, DV_EVENT);
    e->now.flowing = e->now.settled = 0;
    da_arrive(e);
    return DV_EVENT;
}

dv_code da_step(da_engine *e, double until) {
    e->budget = e->options.max_steps;
    return da_flow(e, da_ahead(e, until));
}
