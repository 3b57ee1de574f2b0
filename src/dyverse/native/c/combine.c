/* Sums of vectors of a step: where flights under loads that change spend their time. Sizes are whole
 * bodies, and the loops over one body's coordinates have a length that the compiler knows. It is told
 * to use vectors here, whatever it does elsewhere. */

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("tree-loop-vectorize")
#endif

#define DV_EACH(n, d) \
    for (int i = 0; i < (n); i += DV_DOF) \
        for (int d = i; d < i + DV_DOF; d++)

/* out = x + h Σ b_j k_j. */
static void dv_combine(const dv_engine *e, const double *weights, int stages, double h,
                       double *restrict out) {
    double w[6] = {0.0};
    for (int j = 0; j < stages; j++) w[j] = h * weights[j];
    const double *k0 = e->stage[0], *k1 = e->stage[1], *k2 = e->stage[2], *k3 = e->stage[3];
    const double *k4 = e->stage[4], *k5 = e->stage[5], *x = e->x;
    int n = e->size;
    switch (stages) {
    case 1:
        DV_EACH(n, d) out[d] = x[d] + w[0] * k0[d];
        break;
    case 2:
        DV_EACH(n, d) out[d] = x[d] + (w[0] * k0[d] + w[1] * k1[d]);
        break;
    case 3:
        DV_EACH(n, d) out[d] = x[d] + (w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d]);
        break;
    case 4:
        DV_EACH(n, d)
            out[d] = x[d] + (w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d] + w[3] * k3[d]);
        break;
    case 5:
        DV_EACH(n, d)
            out[d] = x[d] + (w[0] * k0[d] + w[1] * k1[d] + w[2] * k2[d] + w[3] * k3[d] +
                             w[4] * k4[d]);
        break;
    default: /* the weight of k1 is zero */
        DV_EACH(n, d)
            out[d] = x[d] + (w[0] * k0[d] + w[2] * k2[d] + w[3] * k3[d] + w[4] * k4[d] +
                             w[5] * k5[d]);
    }
}

/* out = h Σ w_j k_j over all stages but the second, whose weight is zero in E and D. */
static void dv_weigh(const dv_engine *e, const double *w, double h, double *restrict out) {
    const double *k0 = e->stage[0], *k2 = e->stage[2], *k3 = e->stage[3], *k4 = e->stage[4];
    const double *k5 = e->stage[5], *k6 = e->stage[6];
    DV_EACH(e->size, d)
        out[d] = h * (w[0] * k0[d] + w[2] * k2[d] + w[3] * k3[d] + w[4] * k4[d] + w[5] * k5[d] +
                      w[6] * k6[d]);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
