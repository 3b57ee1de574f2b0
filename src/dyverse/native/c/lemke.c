/* Linear complementarity by Lemke's pivots in lexicographic order: dyverse.contact.law.lcp. */

enum { DV_LCP_SOLVED = 0, DV_LCP_RAY = 1, DV_LCP_ASTRAY = 2 };

typedef struct {
    int n, width;    /* width: 2n + 2 columns: w, z, artificial, right side */
    double *tableau;
    int *basis;
} dv_lemke;

static void dv_lemke_pivot(dv_lemke *l, int row, int column) {
    double *own = l->tableau + row * l->width, scale = 1.0 / own[column];
    for (int k = 0; k < l->width; k++) own[k] *= scale;
    for (int i = 0; i < l->n; i++) {
        double *other = l->tableau + i * l->width, factor = other[column];
        if (i == row || factor == 0.0) continue;
        for (int k = 0; k < l->width; k++) other[k] -= factor * own[k];
    }
}

/* Keep the rows of least ratio in one column of the tableau; the artificial variable first. */
static int dv_least_ratio(const dv_lemke *l, int entering, int column, int *rows, int count) {
    double least = INFINITY;
    int kept = 0, artificial = -1;
    for (int i = 0; i < count; i++) {
        const double *row = l->tableau + rows[i] * l->width;
        least = dv_min(least, row[column] / row[entering]);
    }
    for (int i = 0; i < count; i++) {
        const double *row = l->tableau + rows[i] * l->width;
        if (!(row[column] / row[entering] <= least + 1e-12 * dv_max(1.0, fabs(least)))) continue;
        if (l->basis[rows[i]] == 2 * l->n) artificial = rows[i];
        rows[kept++] = rows[i];
    }
    if (column > l->n && artificial >= 0) { /* the artificial variable may leave: done */
        rows[0] = artificial;
        return 1;
    }
    return kept;
}

/* The row that leaves, or -1 when the entering variable is free. */
static int dv_leaving(const dv_lemke *l, int entering, int *rows) {
    double most = 1.0;
    int count = 0;
    for (int i = 0; i < l->n; i++)
        most = dv_max(most, fabs(l->tableau[i * l->width + entering]));
    for (int i = 0; i < l->n; i++)
        if (l->tableau[i * l->width + entering] > 1e-11 * most) rows[count++] = i;
    if (count > 1) count = dv_least_ratio(l, entering, l->width - 1, rows, count);
    for (int k = 0; k < l->n && count > 1; k++)
        count = dv_least_ratio(l, entering, k, rows, count);
    return count > 0 ? rows[0] : -1;
}

static void dv_lemke_begin(dv_lemke *l, const double *M, const double *q) {
    dv_zero(l->tableau, l->n * l->width);
    for (int i = 0; i < l->n; i++) {
        double *row = l->tableau + i * l->width;
        row[i] = 1.0;
        for (int k = 0; k < l->n; k++) row[l->n + k] = -M[i * l->n + k];
        row[2 * l->n] = -1.0;
        row[l->width - 1] = q[i];
        l->basis[i] = i;
    }
}

/* z from the right sides, or from -column: the values of z_1 … z_n among the basic variables. */
static void dv_lemke_read(const dv_lemke *l, int column, double sign, double *z) {
    dv_zero(z, l->n);
    for (int i = 0; i < l->n; i++) {
        int k = l->basis[i] - l->n;
        if (k >= 0 && k < l->n) z[k] = dv_max(sign * l->tableau[i * l->width + column], 0.0);
    }
}

/* Solve 0 <= z ⟂ M z + q >= 0; a ray's direction in z when it runs off to infinity.
 * tableau: n (2n+2) doubles; ints: 2n. */
static int dv_lemke_solve(int n, const double *M, const double *q, double *z, double *tableau,
                          int *ints) {
    dv_lemke l = {n, 2 * n + 2, tableau, ints};
    int row = 0, entering = 2 * n;
    for (int i = 1; i < n; i++)
        if (q[i] <= q[row]) row = i; /* the last of equals is lexicographically least */
    dv_zero(z, n);
    if (n == 0 || q[row] >= 0.0) return DV_LCP_SOLVED;
    dv_lemke_begin(&l, M, q);
    for (int turn = 0; turn < 50 * n + 50; turn++) {
        int leaving = l.basis[row];
        dv_lemke_pivot(&l, row, entering);
        l.basis[row] = entering;
        if (leaving == 2 * n) {
            dv_lemke_read(&l, l.width - 1, 1.0, z);
            return DV_LCP_SOLVED;
        }
        entering = leaving < n ? leaving + n : leaving - n;
        row = dv_leaving(&l, entering, ints + n);
        if (row >= 0) continue;
        double artificial = 0.0;
        for (int i = 0; i < n; i++)
            if (l.basis[i] == 2 * n) artificial += tableau[i * l.width + l.width - 1];
        if (artificial <= 1e-11 * dv_largest(q, n)) { /* zero but for rounding: solved */
            dv_lemke_read(&l, l.width - 1, 1.0, z);
            return DV_LCP_SOLVED;
        }
        dv_lemke_read(&l, entering, -1.0, z);
        if (entering >= n && entering < 2 * n) z[entering - n] = 1.0;
        return DV_LCP_RAY;
    }
    return DV_LCP_ASTRAY;
}
