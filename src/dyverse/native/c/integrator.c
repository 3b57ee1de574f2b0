/* Dormand and Prince 5(4) with dense output of order 4 [hairer1993, II.5, II.6 and DOPRI5]. */

static const double DV_C[DV_STAGES] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
static const double DV_A[DV_STAGES][6] = {
    {0.0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double DV_E[DV_STAGES] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double DV_D[DV_STAGES] = {-12715105075.0 / 11282082432.0,
                                       0.0,
                                       87487479700.0 / 32700410799.0,
                                       -10690763975.0 / 1880347072.0,
                                       701980252875.0 / 199316789632.0,
                                       -1453857185.0 / 822651844.0,
                                       69997945.0 / 29380423.0};

/* All stages of a step of length h; y1 is the state after it. */
static void dv_stages(dv_engine *e, double h, double end) {
    if (!e->fresh) dv_rate(e, e->now.time, e->x, e->stage[0]);
    e->fresh = 1;
    for (int s = 1; s < DV_STAGES; s++) {
        double *target = s == DV_STAGES - 1 ? e->y1 : e->yt;
        double time = s >= 5 ? end : e->now.time + DV_C[s] * h;
        dv_combine(e, DV_A[s], s, h, target);
        dv_rate(e, time, target, e->stage[s]);
    }
}

/* How wrong the direction of slip may be. Friction turns a slow slip within v/(μ g), which is stiff;
 * tolerances of the speeds of the bodies do not see it, and at the limit of stability of the method
 * the direction would swing for ever. The last rate was that of y1, so the rows are there. */
static double dv_slip_error(const dv_engine *e, const double *error) {
    double worst = 0.0;
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k];
        if (e->modes[c] != DV_SLIP || e->smooth[c]) continue;
        double miss = dv_length(dv_row_times(e, &e->closed, k, 1, error),
                            dv_row_times(e, &e->closed, k, 2, error));
        worst = dv_max(worst, miss / (1e-3 * dv_slip_speed(&e->closed, k) + 1e-12));
    }
    return worst;
}

/* The estimated error, in yt, over what is tolerated; root mean square. */
static double dv_error(const dv_engine *e) {
    const dv_options *o = &e->options;
    double sum = 0.0, *errors = e->yt;
    for (int i = 0; i < e->size; i++) {
        if (errors[i] == 0.0) continue;
        double share = errors[i] /
                       (o->absolute + o->relative * dv_max(fabs(e->x[i]), fabs(e->y1[i])));
        sum += share * share;
    }
    double error = sqrt(sum / e->size);
    if (!(error < 1.0) || e->closed.count == 0) return error;
    return dv_max(error, dv_slip_error(e, errors + e->half));
}

/* Coefficients of x(θ) = d0 + θ(d1 + (1-θ)(d2 + θ(d3 + (1-θ) d4))); without d4, a cubic. */
static void dv_interpolate(dv_engine *e, double h) {
    const double *x = e->x, *y1 = e->y1, *first = e->stage[0], *last = e->stage[DV_STAGES - 1];
    double *rises = e->dense[1], *bends = e->dense[2], *twists = e->dense[3];
    for (int i = 0; i < e->size; i++) {
        double rise = y1[i] - x[i], bend = h * first[i] - rise;
        rises[i] = rise;
        bends[i] = bend;
        twists[i] = rise - h * last[i] - bend;
    }
    dv_copy(e->dense[0], x, e->size);
    dv_zero(e->dense[4], e->size);
    e->curved = 1;
}

static inline double dv_dense_entry(const dv_engine *e, double share, int i) {
    double rest = 1.0 - share, bend = e->dense[2][i];
    if (e->curved) bend += share * (e->dense[3][i] + rest * e->dense[4][i]);
    return e->dense[0][i] + share * (e->dense[1][i] + rest * bend);
}

static double dv_share(const dv_engine *e, double time) {
    return (time - e->step_start) / e->step_length;
}

/* The dense output at `time`, equal to the accepted states at both ends. */
static void dv_dense_state(const dv_engine *e, double time, double *out) {
    double share = dv_share(e, time);
    if (share >= 1.0) {
        dv_copy(out, e->y1, e->size);
        return;
    }
    for (int i = 0; i < e->size; i++) out[i] = dv_dense_entry(e, share, i);
}

/* A first length when there is nothing to go by [hairer1993, II.4]. */
static double dv_first_length(dv_engine *e, double span) {
    const dv_options *o = &e->options;
    double d0 = 0.0, d1 = 0.0, d2 = 0.0;
    dv_rate(e, e->now.time, e->x, e->stage[0]);
    e->fresh = 1;
    for (int i = 0; i < e->size; i++) {
        double scale = o->absolute + o->relative * fabs(e->x[i]);
        d0 += pow(e->x[i] / scale, 2);
        d1 += pow(e->stage[0][i] / scale, 2);
    }
    d0 = sqrt(d0 / e->size);
    d1 = sqrt(d1 / e->size);
    double h = dv_min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, span);
    for (int i = 0; i < e->size; i++) e->yt[i] = e->x[i] + h * e->stage[0][i];
    dv_rate(e, e->now.time + h, e->yt, e->stage[1]);
    for (int i = 0; i < e->size; i++)
        d2 += pow((e->stage[1][i] - e->stage[0][i]) /
                      (o->absolute + o->relative * fabs(e->x[i])), 2);
    double most = dv_max(d1, sqrt(d2 / e->size) / h);
    double next = most <= 1e-15 ? dv_max(1e-6, h * 1e-3) : pow(0.01 / most, 0.2);
    return dv_min(dv_min(100 * h, next), span);
}

/* A step along a straight line, when too few numbers lie before `until` for anything else. */
static dv_code dv_straight(dv_engine *e, double until) {
    double h = until - e->now.time;
    if (!e->fresh) dv_rate(e, e->now.time, e->x, e->stage[0]);
    for (int i = 0; i < e->size; i++) {
        if (!isfinite(e->stage[0][i])) return DV_SOLVER;
        e->y1[i] = e->x[i] + h * e->stage[0][i];
        e->dense[0][i] = e->x[i];
        e->dense[1][i] = e->y1[i] - e->x[i];
        e->dense[2][i] = 0.0;
    }
    e->fresh = e->curved = 0;
    e->drawn = -1;
    e->step_start = e->now.time;
    e->step_length = h;
    return DV_OK;
}

/* A step with constant accelerations: a parabola, which the method would find as well. */
static void dv_parabola(dv_engine *e, double h) {
    if (!e->fresh) dv_rate(e, e->now.time, e->x, e->stage[0]);
    int half = e->half;
    const double *x = e->x, *v = x + half, *a = e->stage[0] + half;
    double *rise = e->dense[1], *bends = e->dense[2], *last = e->stage[DV_STAGES - 1], *y1 = e->y1;
    for (int i = 0; i < half; i++) {
        double bend = -a[i] * h * h / 2;
        rise[i] = h * v[i] - bend;
        bends[i] = bend;
        rise[half + i] = h * a[i];
        y1[i] = x[i] + rise[i];
        y1[half + i] = last[i] = v[i] + rise[half + i];
    }
    dv_copy(last + half, a, half);
    dv_copy(e->dense[0], x, e->size);
    dv_zero(bends + half, half);
    e->fresh = 1;
    e->curved = 0;
}

#include "chebyshev.c"

/* How long the first of the contacts needs at least to close, if it heads for it. */
static double dv_nearest(dv_engine *e) {
    double least = INFINITY;
    dv_survey(e);
    dv_rate(e, e->now.time, e->x, e->stage[0]);
    e->fresh = 1;
    for (int c = 0; c < e->contacts; c++) {
        double a = 0.0, v = e->speed0[c], gap = dv_max(e->gap0[c], 0.0);
        int first = e->place[e->ends[2 * c]], second = e->place[e->ends[2 * c + 1]];
        for (int i = 0; i < 3; i++) {
            double own = first < 0 ? 0.0 : e->stage[0][e->half + DV_DOF * first + i];
            double other = second < 0 ? 0.0 : e->stage[0][e->half + DV_DOF * second + i];
            a += (own - other) * (own - other);
        }
        a = sqrt(a);
        double wait = a > 0.0 ? (v + sqrt(v * v + 2 * a * gap)) / a : v < 0.0 ? -gap / v : INFINITY;
        if (wait > 0.0) least = dv_min(least, wait);
    }
    return least;
}

static void dv_accept(dv_engine *e, double h, double growth) {
    e->now.proposal = growth * h;
    e->step_start = e->now.time;
    e->step_length = h;
    e->drawn = -1;
    e->now.counts[DV_N_STEPS]++;
}

/* One accepted step towards `until`, not yet taken: y1, the dense output and the next proposal. */
static dv_code dv_make_step(dv_engine *e, double until) {
    double span = until - e->now.time, largest = 5.0;
    double h = e->now.proposal;
    if (span <= 2000 * dv_ulp(dv_max(fabs(e->now.time), fabs(until))) + 1e-290)
        return dv_straight(e, until);
    if (!(h > 0.0)) h = e->steady ? dv_min(1.1 * dv_nearest(e), span) : dv_first_length(e, span);
    for (;;) {
        h = dv_min(h, e->options.longest_step);
        if (dv_is_stiff(e, h)) h = dv_min(h, dv_longest_stable(e));
        if (!(h > 10 * dv_ulp(e->now.time))) return DV_SOLVER;
        double end = h >= 0.9999 * span ? until : e->now.time + h;
        h = end - e->now.time;
        if (e->steady) {
            dv_parabola(e, h);
            dv_accept(e, h, largest);
            return isfinite(e->y1[0]) ? DV_OK : DV_SOLVER;
        }
        int slow = dv_is_stiff(e, h);
        double order = slow ? 3.0 : 5.0;
        if (slow) {
            dv_chebyshev(e, h, end, dv_stages_for(e, h));
        } else {
            dv_stages(e, h, end);
            dv_weigh(e, DV_E, h, e->yt);
        }
        double error = dv_error(e), growth = 0.9 * pow(dv_max(error, 1e-12), -1 / order);
        if (error < 1.0) {
            dv_note_stiffness(e, h);
            dv_interpolate(e, h);
            if (!slow) dv_weigh(e, DV_D, h, e->dense[4]);
            dv_accept(e, h, dv_min(dv_max(error > 1e-12 ? growth : largest, 0.2), largest));
            return DV_OK;
        }
        e->now.counts[DV_N_REJECTED]++;
        h *= isfinite(error) ? dv_max(growth, 0.2) : 0.2;
        largest = 1.0;
    }
}

/* Go to the end of the step just made. */
static void dv_take_step(dv_engine *e, double until) {
    double end = e->step_start + e->step_length;
    double *first = e->stage[0];
    e->now.time = until - end <= 2 * dv_ulp(until) ? until : end;
    dv_copy(e->x, e->y1, e->size);
    e->surveyed = 0;
    e->stage[0] = e->stage[DV_STAGES - 1]; /* first same as last */
    e->stage[DV_STAGES - 1] = first;
}
