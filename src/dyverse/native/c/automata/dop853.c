/* Dormand and Prince 8(5,3) with dense output of order 7 [hairer1993, II.4 to II.6], with the control
 * of steps that the reference engine's solver has: both take the same steps up to rounding. */
#include "tableau.h"

/* x + h Σ a_j k_j over the first `count` stages. */
static void da_combine(const da_engine *e, const double *a, int count, double h, double *out) {
    int n = e->n;
    for (int i = 0; i < n; i++) out[i] = 0.0;
    for (int j = 0; j < count; j++) {
        const double *k = e->stage[j], w = a[j];
        if (w == 0.0) continue;
        for (int i = 0; i < n; i++) out[i] += w * k[i];
    }
    for (int i = 0; i < n; i++) out[i] = e->x[i] + h * out[i];
}

static void da_first_rate(da_engine *e) {
    if (!e->fresh) da_rate(e, e->now.time, e->x, e->stage[0]);
    e->fresh = 1;
}

/* The stages of a step of length h; y1 is the state after it and stage 12 its rate. */
static void da_stages(da_engine *e, double h) {
    for (int s = 1; s <= DA_OWN; s++) {
        double *target = s == DA_OWN ? e->y1 : e->yt;
        da_combine(e, DA_A[s], s, h, target);
        da_rate(e, e->now.time + (s == DA_OWN ? h : DA_C[s] * h), target, e->stage[s]);
    }
}

/* The estimated error over what is tolerated. */
static double da_error(const da_engine *e, double h) {
    double five = 0.0, three = 0.0;
    for (int i = 0; i < e->n; i++) {
        double scale = e->options.absolute +
                       e->options.relative * fmax(fabs(e->x[i]), fabs(e->y1[i]));
        double a = 0.0, b = 0.0;
        for (int j = 0; j <= DA_OWN; j++) {
            a += DA_E5[j] * e->stage[j][i];
            b += DA_E3[j] * e->stage[j][i];
        }
        five += (a / scale) * (a / scale);
        three += (b / scale) * (b / scale);
    }
    if (five == 0.0 && three == 0.0) return 0.0;
    return fabs(h) * five / sqrt((five + 0.01 * three) * e->n);
}

/* x(θ) = x + θ(d0 + (1-θ)(d1 + θ(d2 + (1-θ)(d3 + …)))). */
static void da_interpolate(da_engine *e, double h) {
    for (int s = DA_OWN + 1; s < DA_STAGES; s++) {
        da_combine(e, DA_A[s], s, h, e->yt);
        da_rate(e, e->start + DA_C[s] * h, e->yt, e->stage[s]);
    }
    for (int i = 0; i < e->n; i++) {
        double rise = e->y1[i] - e->x[i], first = e->stage[0][i];
        e->dense[0][i] = rise;
        e->dense[1][i] = h * first - rise;
        e->dense[2][i] = 2 * rise - h * (e->stage[DA_OWN][i] + first);
        for (int k = 0; k < 4; k++) {
            double sum = 0.0;
            for (int j = 0; j < DA_STAGES; j++) sum += DA_D[k][j] * e->stage[j][i];
            e->dense[3 + k][i] = h * sum;
        }
    }
}

/* The dense output at `time`, equal to the accepted states at both ends. */
static void da_dense_state(const da_engine *e, double time, double *out) {
    double share = (time - e->start) / (e->end - e->start), rest = 1.0 - share;
    if (time <= e->start || time >= e->end) {
        dv_copy(out, time <= e->start ? e->x : e->y1, e->n);
        return;
    }
    if (e->straight) {
        for (int i = 0; i < e->n; i++) out[i] = e->x[i] + share * e->dense[0][i];
        return;
    }
    for (int i = 0; i < e->n; i++) {
        double sum = e->dense[6][i];
        for (int k = 5; k >= 0; k--) sum = e->dense[k][i] + (k % 2 ? share : rest) * sum;
        out[i] = e->x[i] + share * sum;
    }
}

/* A straight step: exact where no rate changes, or too short to curve. */
static void da_line(da_engine *e, double h) {
    for (int i = 0; i < e->n; i++) {
        e->dense[0][i] = h * e->stage[0][i];
        e->y1[i] = e->x[i] + e->dense[0][i];
        for (int k = 1; k < DA_POWERS; k++) e->dense[k][i] = 0.0;
    }
    dv_copy(e->stage[DA_OWN], e->stage[0], e->n);
}

static double da_norm(const double *a, const double *b, const double *x, const da_engine *e) {
    double sum = 0.0;
    for (int i = 0; i < e->n; i++) {
        double share = (a[i] - (b ? b[i] : 0.0)) /
                       (e->options.absolute + fabs(x[i]) * e->options.relative);
        sum += share * share;
    }
    return sqrt(sum) / sqrt(e->n);
}

/* A first length when there is nothing to go by [hairer1993, II.4]. */
static double da_first_length(da_engine *e, double until) {
    double span = until - e->now.time, d0 = da_norm(e->x, NULL, e->x, e);
    double d1 = da_norm(e->stage[0], NULL, e->x, e), d2 = 0.0;
    double h = dv_min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, span);
    if (!e->straight) {
        for (int i = 0; i < e->n; i++) e->yt[i] = e->x[i] + h * e->stage[0][i];
        da_rate(e, e->now.time + h, e->yt, e->stage[1]);
        d2 = da_norm(e->stage[1], e->stage[0], e->x, e) / h;
    }
    double next = d1 <= 1e-15 && d2 <= 1e-15 ? fmax(1e-6, h * 1e-3)
                                              : pow(0.01 / fmax(d1, d2), 1.0 / 8);
    return dv_min(dv_min(100 * h, next), dv_min(span, e->options.longest_step));
}

/* The first variable with a rate that is not finite in some stages, or -1. */
static int da_not_finite(const da_engine *e, int from, int to) {
    for (int s = from; s <= to; s++)
        for (int i = 0; i < e->n; i++)
            if (!isfinite(e->stage[s][i])) return i;
    return -1;
}

static da_code da_fails(da_engine *e, int reason, int variable) {
    e->reason = reason;
    e->variable = variable;
    return DA_SOLVER;
}

static void da_accept(da_engine *e, double end) {
    e->start = e->now.time;
    e->end = end;
    e->now.counts[DA_N_STEPS]++;
}

/* Up to `until` at once: without variables, or where so few numbers lie before it. */
static da_code da_short_step(da_engine *e, double until) {
    int variable = da_not_finite(e, 0, 0);
    if (variable >= 0) return da_fails(e, 0, variable);
    da_line(e, until - e->now.time);
    da_accept(e, until);
    return DA_OK;
}

/* One accepted step towards `until`, not yet taken: y1, the dense output, the next length. */
static da_code da_make_step(da_engine *e, double until) {
    double most = fmax(fabs(e->now.time), fabs(until)), least = 10 * dv_ulp(e->now.time);
    int rejected = 0, variable;
    da_first_rate(e);
    if (e->n == 0 || (!e->now.length && until - e->now.time <= 2000 * dv_ulp(most) + 1e-290))
        return da_short_step(e, until);
    if (!e->now.length) {
        if ((variable = da_not_finite(e, 0, 0)) >= 0) return da_fails(e, 0, variable);
        e->now.length = da_first_length(e, until);
    }
    double h = dv_max(dv_min(e->now.length, e->options.longest_step), least);
    for (;;) {
        if (!(h >= least)) return da_fails(e, 2, da_not_finite(e, 0, DA_OWN));
        double end = e->now.time + h > until ? until : e->now.time + h, error = 0.0;
        h = end - e->now.time;
        if (e->straight)
            da_line(e, h);
        else
            da_stages(e, h);
        if (!e->straight) error = da_error(e, h);
        if (error < 1.0) {
            double growth = error == 0.0 ? 10.0 : dv_min(10.0, 0.9 * pow(error, -1.0 / 8));
            variable = da_not_finite(e, DA_OWN, DA_OWN);
            if (variable >= 0) return da_fails(e, 1, variable);
            da_accept(e, end);
            if (!e->straight) da_interpolate(e, h);
            e->now.length = h * (rejected ? dv_min(1.0, growth) : growth);
            return DA_OK;
        }
        e->now.counts[DA_N_REJECTED]++;
        h *= dv_max(0.9 * pow(error, -1.0 / 8), 0.2);
        rejected = 1;
    }
}

/* Go to the end of the step just made. */
static void da_take_step(da_engine *e) {
    double *first = e->stage[0];
    dv_copy(e->x, e->y1, e->n);
    e->now.time = e->end;
    e->stage[0] = e->stage[DA_OWN]; /* first same as last */
    e->stage[DA_OWN] = first;
}
