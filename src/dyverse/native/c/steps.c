/* See steps.h. The control of steps is that of [hairer1993, II.4], as in SciPy: with order 8(5,3) the
 * reference engine takes the same steps up to rounding. */
#ifndef DV_STEPS_C
#define DV_STEPS_C

#include "course.h"
#include "tableaux.h"

/* Sums of vectors are where flights under loads that change spend their time: the compiler is told to
 * use vectors here, whatever it does elsewhere. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("tree-loop-vectorize", "fp-contract=off")
#endif

/* And the widest ones that the processor has, which is seen when the program is loaded. The sums are
 * the same, digit by digit: no product is rounded together with a sum. */
#ifndef DV_WIDEST
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define DV_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DV_WIDEST
#endif
#endif

#define DV_EACH \
    for (int i = 0; i < n; i += DV_WIDE) \
        for (int d = i; d < i + DV_WIDE; d++)

/* out = x + h (a + Σ w_j k_j) over at most six stages, in one go and one after the other. */
DV_WIDEST
static void dv_add_some(int n, const double *x, double h, const double *a, int count,
                        const double *const *k, const double *w, double *restrict out) {
    const double *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3], *k4 = k[4], *k5 = k[5];
    switch (count) {
    case 1:
        DV_EACH out[d] = x[d] + h * (a[d] + w[0] * k0[d]);
        break;
    case 2:
        DV_EACH out[d] = x[d] + h * (a[d] + w[0] * k0[d] + w[1] * k1[d]);
        break;
    case 3:
        DV_EACH out[d] = x[d] + h * (a[d] + w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d]);
        break;
    case 4:
        DV_EACH
            out[d] = x[d] + h * (a[d] + w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d] +
                                 w[3] * k3[d]);
        break;
    case 5:
        DV_EACH
            out[d] = x[d] + h * (a[d] + w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d] +
                                 w[3] * k3[d] + w[4] * k4[d]);
        break;
    default:
        DV_EACH
            out[d] = x[d] + h * (a[d] + w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d] +
                                 w[3] * k3[d] + w[4] * k4[d] + w[5] * k5[d]);
    }
}

/* A step of length h from x along parabolas, given the rates and theirs. */
static void dv_rise(int n, double h, const double *restrict x, const double *restrict rate,
                    const double *restrict second, double *restrict rises, double *restrict bends,
                    double *restrict y1, double *restrict last) {
    DV_EACH {
        double bend = -second[d] * h * h / 2, rise = h * rate[d] - bend;
        rises[d] = rise;
        bends[d] = bend;
        y1[d] = x[d] + rise;
        last[d] = rate[d] + h * second[d];
    }
}

/* Where it is at a share of that step. */
static void dv_on_parabola(int n, double share, double rest, const double *first, const double *rise,
                           const double *bend, double *restrict out) {
    for (int i = 0; i < n; i++) out[i] = first[i] + share * (rise[i] + rest * bend[i]);
}

/* The same of a step of order 5, and of order 8. */
static void dv_on_curve_5(int n, double share, double rest, double *const *dense,
                          double *restrict out) {
    const double *d0 = dense[0], *d1 = dense[1], *d2 = dense[2], *d3 = dense[3], *d4 = dense[4];
    for (int i = 0; i < n; i++)
        out[i] = d0[i] + share * (d1[i] + rest * (d2[i] + share * (d3[i] + rest * d4[i])));
}

DV_WIDEST
static void dv_on_curve_8(int n, double share, double rest, double *const *dense,
                          double *restrict out) {
    const double *d0 = dense[0], *d1 = dense[1], *d2 = dense[2], *d3 = dense[3], *d4 = dense[4];
    const double *d5 = dense[5], *d6 = dense[6], *d7 = dense[7];
    for (int i = 0; i < n; i++) {
        double high = d4[i] + share * (d5[i] + rest * (d6[i] + share * d7[i]));
        out[i] = d0[i] + share * (d1[i] + rest * (d2[i] + share * (d3[i] + rest * high)));
    }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/* out = x + h Σ w_j k_j. Rows are filled up to whole multiples of DV_WIDE. Stages are added one after
 * the other, as the reference engine does: where errors are next to nothing rounding is what is seen
 * of them, and steps are to be the same. */
static void dv_add_up(const dv_steps *s, const dv_sum *sum, double h, const double *x, double *out) {
    const double *a = s->zero;
    for (int first = 0, left = (sum->count + 5) / 6; left > 0; first += 6) {
        double *target = --left % 2 ? s->spare : out; /* in turns: none is read and written at once */
        const double *k[6] = {a, a, a, a, a, a};
        int count = sum->count - first < 6 ? sum->count - first : 6;
        for (int j = 0; j < count; j++) k[j] = s->stage[sum->stage[first + j]];
        dv_add_some(s->n, left ? s->zero : x, left ? 1.0 : h, a, count, k, sum->weight + first,
                    target);
        a = target;
    }
}

/* Where the rows are, from `memory` on. The state itself is elsewhere, in a row that is as long. */
long dv_lay_out_steps(dv_steps *s, int n, double *memory) {
    long row = dv_row_length(n), used = 0;
    double **own[] = {&s->y1, &s->yt, &s->other, &s->spare, &s->zero};
    s->n = n;
    for (int k = 0; k < 5; k++, used += row) *own[k] = memory ? memory + used : NULL;
    for (int k = 0; k < DV_STAGES; k++, used += row) s->stage[k] = memory ? memory + used : NULL;
    for (int k = 0; k <= DV_POWERS; k++, used += row) s->dense[k] = memory ? memory + used : NULL;
    return used;
}

/* Four sums of nothing at once: what is not finite makes them not a number. */
static int dv_are_finite(int n, const double *rate) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int i = 0; i < n; i += 4) { /* rows are filled up with zeros */
        s0 += 0.0 * rate[i];
        s1 += 0.0 * rate[i + 1];
        s2 += 0.0 * rate[i + 2];
        s3 += 0.0 * rate[i + 3];
    }
    return s0 + s1 + s2 + s3 == 0.0;
}

/* The first variable whose rate is not finite in some stages, or -1. */
static int dv_not_finite(const dv_steps *s, int from, int to) {
    for (int k = from; k <= to; k++) {
        const double *rate = s->stage[k];
        if (dv_are_finite(s->n, rate)) continue;
        for (int i = 0; i < s->n; i++)
            if (!isfinite(rate[i])) return i;
    }
    return -1;
}

static int dv_no_step(dv_steps *s, int reason, int variable) {
    s->reason = reason;
    s->variable = variable;
    return 0;
}

/* The rates at x; 0 if one is not finite. */
int dv_first_rate(dv_steps *s, double time) {
    if (s->fresh) return 1;
    s->rate(s->of, time, s->x, s->stage[0]);
    s->fresh = 1;
    int variable = dv_not_finite(s, 0, 0);
    return variable < 0 ? 1 : dv_no_step(s, DV_AT_START, variable);
}

/* All stages of a step of length h; y1 is the state after it, and the last one its rate. */
static void dv_make_stages(dv_steps *s, double time, double h, double end) {
    const dv_tableau *m = s->method;
    for (int k = 1; k <= m->last; k++) {
        double *target = k == m->last ? s->y1 : s->yt;
        dv_add_up(s, m->row + k, h, s->x, target);
        s->rate(s->of, m->node[k] == 1.0 ? end : time + m->node[k] * h, target, s->stage[k]);
    }
}

/* Mean squares of an error over what is tolerated, times n. */
static double dv_squares(const dv_steps *s, const double *error) {
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        if (error[i] == 0.0) continue;
        double share = error[i] /
                       (s->absolute + s->relative * dv_max(fabs(s->x[i]), fabs(s->y1[i])));
        sum += share * share;
    }
    return sum;
}

/* The estimated error over what is tolerated. */
static double dv_estimated(dv_steps *s, double h) {
    dv_add_up(s, s->method->error, h, s->zero, s->yt);
    double fine = dv_squares(s, s->yt);
    if (fine == 0.0 || s->method->sums == 1) return sqrt(fine / s->n);
    dv_add_up(s, s->method->error + 1, h, s->zero, s->other);
    return fine / sqrt((fine + 0.01 * dv_squares(s, s->other)) * s->n);
}

/* A cubic by the states and rates at both ends. */
static void dv_bend(dv_steps *s, double h) {
    const double *x = s->x, *y1 = s->y1, *first = s->stage[0], *last = s->stage[s->method->last];
    for (int i = 0; i < s->n; i++) {
        double rise = y1[i] - x[i];
        s->dense[1][i] = rise;
        s->dense[2][i] = h * first[i] - rise;
        s->dense[3][i] = 2 * rise - h * (last[i] + first[i]);
    }
    dv_copy(s->dense[0], x, s->n);
    s->powers = 3;
}

/* The dense output of the method. */
static void dv_interpolate(dv_steps *s, double time, double h) {
    const dv_tableau *m = s->method;
    for (int k = m->last + 1; k < m->stages; k++) {
        dv_add_up(s, m->row + k, h, s->x, s->yt);
        s->rate(s->of, time + m->node[k] * h, s->yt, s->stage[k]);
    }
    for (int k = 0; k < m->sums; k++) dv_add_up(s, m->dense + k, h, s->zero, s->dense[4 + k]);
    s->powers = 3 + m->sums;
}

/* The dense output at `time`, equal to the accepted states at both ends. */
void dv_dense_state(const dv_steps *s, double time, double *out) {
    double share = dv_share(s, time), rest = 1.0 - share;
    if (time <= s->start || share >= 1.0) {
        dv_copy(out, time <= s->start ? s->dense[0] : s->y1, s->n);
        return;
    }
    switch (s->powers) { /* those of parabolas and of both methods in one go */
    case 2:
        dv_on_parabola(s->n, share, rest, s->dense[0], s->dense[1], s->dense[2], out);
        return;
    case 4:
        dv_on_curve_5(s->n, share, rest, s->dense, out);
        return;
    case 7:
        dv_on_curve_8(s->n, share, rest, s->dense, out);
        return;
    }
    for (int i = 0; i < s->n; i++) out[i] = dv_dense_entry(s, share, i);
}

/* A step along straight lines: where no rate changes, or too short to curve. */
static void dv_line(dv_steps *s, double h) {
    const double *rate = s->stage[0];
    for (int i = 0; i < s->n; i++) {
        s->dense[1][i] = h * rate[i];
        s->y1[i] = s->x[i] + s->dense[1][i];
    }
    dv_copy(s->dense[0], s->x, s->n);
    dv_copy(s->stage[s->method->last], rate, s->n);
    s->powers = 1;
}

/* A step along parabolas, which the methods would find as well. */
static void dv_parabola(dv_steps *s, double h) {
    if (!s->second) {
        dv_line(s, h);
        return;
    }
    s->second(s->of, s->stage[0], s->other);
    dv_rise(s->n, h, s->x, s->stage[0], s->other, s->dense[1], s->dense[2], s->y1,
            s->stage[s->method->last]);
    dv_copy(s->dense[0], s->x, s->n);
    s->powers = 2;
}

static double dv_norm(const dv_steps *s, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        double share = (a[i] - (b ? b[i] : 0.0)) / (s->absolute + s->relative * fabs(s->x[i]));
        sum += share * share;
    }
    return sqrt(sum / s->n);
}

/* A first length when there is nothing to go by [hairer1993, II.4]. */
static double dv_guess_length(dv_steps *s, double time, double span) {
    if (s->steady && s->first_length) return dv_min(s->first_length(s->of), span);
    double d0 = dv_norm(s, s->x, NULL), d1 = dv_norm(s, s->stage[0], NULL), d2 = 0.0;
    double h = dv_min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, span);
    if (!s->steady) {
        for (int i = 0; i < s->n; i++) s->yt[i] = s->x[i] + h * s->stage[0][i];
        s->rate(s->of, time + h, s->yt, s->stage[1]);
        d2 = dv_norm(s, s->stage[1], s->stage[0]) / h;
    }
    double most = dv_max(d1, d2);
    double next = most <= 1e-15 ? dv_max(1e-6, h * 1e-3) : pow(0.01 / most, 1 / s->method->order);
    return dv_min(dv_min(100 * h, next), span);
}

static void dv_set_span(dv_steps *s, double start, double end) {
    s->start = start;
    s->end = end;
    s->length = end - start;
}

/* Straight on, however rates may change. */
void dv_straight(dv_steps *s, double time, double end) {
    dv_line(s, end - time);
    dv_set_span(s, time, end);
}

static int dv_accept(dv_steps *s, double time, double end, double growth) {
    dv_set_span(s, time, end);
    s->pace.proposal = growth * s->length;
    s->pace.made++;
    return 1;
}

#include "chebyshev.c"

/* A stretch of time begins. */
void dv_begin_steps(dv_steps *s) {
    s->fresh = s->pace.stiff = s->pace.limited = s->pace.counted = 0;
}

/* Whether time hardly passes any more: steps are shorter than what tells two events apart. */
static int dv_crawls(dv_steps *s, double time) {
    dv_pace *p = &s->pace;
    if (p->counted++ == 0) p->since = time;
    if (p->counted <= DV_CRAWL_STEPS) return 0;
    p->counted = 0;
    return time - p->since < DV_CRAWL * DV_CRAWL_STEPS;
}

/* Order 8 where it needs fewer steps: if not events, but errors of order 5 make them short. */
static void dv_choose_method(dv_steps *s) {
    if (!s->chooses) return;
    int high = s->pace.limited >= DV_SHORT;
    if (high != s->pace.high) s->pace.proposal *= high ? DV_LONGER : 1 / DV_LONGER;
    s->pace.high = high;
    s->method = high ? &DV_ORDER_8 : &DV_ORDER_5;
}

/* One accepted step from `time` towards `until`, not yet taken: y1, the dense output and the next
 * proposal; 0 if there is none. */
int dv_make_step(dv_steps *s, double time, double until) {
    double span = until - time, least = 10 * dv_ulp(time);
    if (dv_crawls(s, time)) return dv_no_step(s, DV_TOO_MANY_STEPS, -1);
    if (!dv_first_rate(s, time)) return 0;
    dv_choose_method(s);
    double largest = s->method->most;
    if (s->n == 0 || span <= 2000 * dv_ulp(dv_max(fabs(time), fabs(until))) + 1e-290) {
        dv_straight(s, time, until);
        s->pace.made++;
        return 1;
    }
    double h = s->pace.proposal > 0.0 ? s->pace.proposal : dv_guess_length(s, time, span);
    for (h = dv_max(h, least);;) {
        h = dv_min(h, s->longest);
        if (dv_is_stiff(s, h)) h = dv_min(h, dv_longest_stable(s));
        if (!(h >= least)) return dv_no_step(s, DV_TOO_SHORT, dv_not_finite(s, 0, s->method->last));
        double end = h >= 0.9999 * span ? until : time + h;
        h = end - time;
        if (s->steady) {
            dv_parabola(s, h);
            return dv_accept(s, time, end, largest);
        }
        int slow = dv_is_stiff(s, h);
        if (slow)
            dv_chebyshev(s, time, h, end);
        else
            dv_make_stages(s, time, h, end);
        double error = slow ? sqrt(dv_squares(s, s->yt) / s->n) : dv_estimated(s, h);
        if (error < 1.0 && s->own_error) error = dv_max(error, s->own_error(s->of, s->yt));
        double growth = 0.9 * pow(dv_max(error, 1e-12), -1 / (slow ? 3.0 : s->method->order));
        if (error < 1.0) {
            int variable = s->method->sums > 1 ? dv_not_finite(s, s->method->last, s->method->last)
                                               : -1; /* which the error does not see */
            if (variable >= 0) return dv_no_step(s, DV_AFTER_STEP, variable);
            dv_note_stiffness(s, h);
            s->pace.limited += growth < largest && !slow;
            dv_bend(s, h);
            if (!slow) dv_interpolate(s, time, h);
            return dv_accept(s, time, end, dv_min(growth, largest));
        }
        s->pace.rejected++;
        h *= isfinite(error) ? dv_max(growth, 0.2) : 0.2;
        largest = 1.0;
    }
}

/* Go to the end of the step just made; when that is. */
double dv_take_step(dv_steps *s) {
    double *first = s->stage[0];
    dv_copy(s->x, s->y1, s->n);
    s->stage[0] = s->stage[s->method->last]; /* first same as last */
    s->stage[s->method->last] = first;
    return s->end;
}

#endif
