/* Contact problems that are linear: every contact frictionless or with its slip direction given.
 * Then λ_T = -μ λ_N d and only normals are unknown: dyverse.contact.law.lcp. */

#define DV_ENUMERABLE 10 /* contacts; 2^10 small systems */

/* D = A - B diag(μ d) of (15), scaled so that the diagonal of A is one; q = c_N scaled. */
static double dv_reduced(const dv_problem *p, double *M, double *q) {
    int n = p->n, N = 3 * n;
    double size = 0.0;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            const double *g = p->G + 3 * j * N + 3 * k;
            double entry = g[0];
            if (p->directed[k])
                entry -= p->mu[k] * (g[1] * p->sliding[2 * k] + g[2] * p->sliding[2 * k + 1]);
            M[j * n + k] = entry / sqrt(p->a[j] * p->a[k]);
        }
        q[j] = p->c[3 * j] / sqrt(p->a[j]);
        size = dv_max(size, fabs(q[j]));
    }
    size = size > 0.0 ? size : 1.0;
    for (int j = 0; j < n; j++) q[j] /= size;
    return size;
}

static double dv_lcp_miss(int n, const double *M, const double *q, const double *z) {
    double worst = 0.0;
    for (int j = 0; j < n; j++)
        worst = dv_max(worst, fabs(dv_min(z[j], dv_dot(M + j * n, z, n) + q[j])));
    return worst;
}

/* Solve M_ss z_s = right on the contacts of `set`; out is zero elsewhere. */
static void dv_on_set(int n, const double *M, const int *set, int count, const double *right,
                      double *out, double *work, int *pivot) {
    double *A = work, *b = A + count * count, *rest = b + count;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) A[i * count + k] = M[set[i] * n + set[k]];
        b[i] = right[set[i]];
    }
    dv_least_squares(count, A, 1, b, 1e-13, rest, pivot);
    dv_zero(out, n);
    for (int i = 0; i < count; i++) out[set[i]] = b[i];
}

/* Solve again on the pressed contacts, which sheds the rounding of the pivots. */
static void dv_polish(int n, const double *M, const double *q, double *z, double *work, int *ints) {
    double *right = work, *better = right + n, *rest = better + n;
    int count = 0;
    for (int j = 0; j < n; j++) {
        right[j] = -(dv_dot(M + j * n, z, n) + q[j]);
        if (z[j] > 0.0) ints[count++] = j;
    }
    dv_on_set(n, M, ints, count, right, better, rest, ints + n);
    for (int j = 0; j < n; j++) better[j] = z[j] > 0.0 ? dv_max(z[j] + better[j], 0.0) : 0.0;
    if (dv_lcp_miss(n, M, q, better) < dv_lcp_miss(n, M, q, z)) dv_copy(z, better, n);
}

/* Try every set of pressed contacts, few first: complete where Lemke's method is not. */
static int dv_enumerated(int n, const double *M, const double *q, double *z, double *work,
                         int *ints) {
    double *right = work, *rest = right + n;
    for (int j = 0; j < n; j++) right[j] = -q[j];
    for (int size = 0; size <= n; size++) {
        for (int mask = 0; mask < 1 << n; mask++) {
            int count = 0;
            for (int j = 0; j < n; j++)
                if (mask >> j & 1) ints[count++] = j;
            if (count != size) continue;
            dv_on_set(n, M, ints, count, right, z, rest, ints + n);
            if (dv_lcp_miss(n, M, q, z) > 1e-11 * dv_max(1.0, dv_largest(z, n))) continue;
            for (int j = 0; j < n; j++) z[j] = dv_max(z[j], 0.0);
            return 1;
        }
    }
    return 0;
}

/* Forces of a linear problem; 0 where there seem to be none. work: 9 n n doubles; ints: 2 n. */
static int dv_solve_linear(const dv_problem *p, double *forces, double *work, int *ints) {
    int n = p->n;
    double *M = work, *q = M + n * n, *z = q + n, *rest = z + n;
    double size = dv_reduced(p, M, q);
    int solved = dv_lemke_solve(n, M, q, z, rest, ints) == DV_LCP_SOLVED;
    if (solved)
        dv_polish(n, M, q, z, rest, ints);
    else if (n > DV_ENUMERABLE || !dv_enumerated(n, M, q, z, rest, ints))
        return 0;
    for (int j = 0; j < n; j++) {
        double normal = z[j] * size / sqrt(p->a[j]);
        forces[3 * j] = normal;
        for (int i = 0; i < 2; i++)
            forces[3 * j + 1 + i] =
                p->directed[j] ? -p->mu[j] * normal * p->sliding[2 * j + i] : 0.0;
    }
    return 1;
}

/* P and q with P x + q >= 0, x >= 0 for every solution: x is λ_N, then λ_T + μ λ_N where free. */
static int dv_inequalities(const dv_problem *p, double *P, double *q, int *rubbing, int *rubs) {
    int n = p->n, N = 3 * n, r = 0;
    double most = DBL_MIN;
    for (int j = 0; j < n; j++) {
        if (!p->directed[j] && p->mu[j] > 0.0) rubbing[r++] = j;
        most = dv_max(most, fabs(p->c[3 * j]) / sqrt(p->a[j]));
    }
    int wide = n + 2 * r;
    dv_zero(P, wide * wide);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            const double *g = p->G + 3 * j * N + 3 * k;
            double entry = g[0];
            for (int i = 0; i < 2; i++)
                entry += g[1 + i] * (p->directed[k] ? -p->mu[k] * p->sliding[2 * k + i]
                                                    : -dv_max(p->mu[k], 0.0));
            P[j * wide + k] = entry / sqrt(p->a[j] * p->a[k]);
        }
        for (int k = 0; k < 2 * r; k++)
            P[j * wide + n + k] = p->G[3 * j * N + 3 * rubbing[k / 2] + 1 + k % 2] /
                                  sqrt(p->a[j] * p->a[rubbing[k / 2]]);
        q[j] = p->c[3 * j] / sqrt(p->a[j]) / most;
    }
    for (int k = 0; k < 2 * r; k++) {
        P[(n + k) * wide + rubbing[k / 2]] = 2 * p->mu[rubbing[k / 2]];
        P[(n + k) * wide + n + k] = -1.0;
        q[n + k] = 0.0;
    }
    *rubs = r;
    return wide;
}

/* Whether the laws contradict each other: some y >= 0 has Pᵀ y <= 0 and q.y < 0 (Farkas). Lemke's
 * method on the skew matrix of that pair finds y as its ray, and the ray is checked. */
static int dv_contradiction(const dv_problem *p, double *work, int *ints) {
    if (p->n > DV_PROOF || p->granted) return 0;
    int rubs, most = 3 * p->n;
    double *P = work, *q = P + most * most, *skew = q + most;
    int wide = dv_inequalities(p, P, q, ints, &rubs), all = 2 * wide;
    double *right = skew + all * all, *ray = right + all, *tableau = ray + all;
    dv_zero(skew, all * all);
    dv_zero(right, all);
    for (int i = 0; i < wide; i++) {
        for (int k = 0; k < wide; k++) {
            skew[i * all + wide + k] = -P[k * wide + i];
            skew[(wide + i) * all + k] = P[i * wide + k];
        }
        right[wide + i] = q[i];
    }
    if (dv_lemke_solve(all, skew, right, ray, tableau, ints) != DV_LCP_RAY) return 0;
    double sum = 0.0, gain = 0.0, *y = ray + wide;
    for (int i = 0; i < wide; i++) sum += y[i];
    if (!(sum > 0.0)) return 0;
    for (int k = 0; k < wide; k++) {
        double along = 0.0;
        for (int i = 0; i < wide; i++) along += P[i * wide + k] * y[i] / sum;
        if (along > 1e-12) return 0;
        gain += q[k] * y[k] / sum;
    }
    return gain <= -1e-9;
}
