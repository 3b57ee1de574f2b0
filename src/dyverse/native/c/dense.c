/* Small dense linear algebra: vectors, inverses, and least squares of any rank.
 *
 * Matrices are stored row by row unless a comment says otherwise. Memory comes from the caller. */

/* The larger, or b if one is not a number; without the call that fmax is. */
static inline double dv_max(double a, double b) {
    return a > b ? a : b;
}

static inline double dv_min(double a, double b) {
    return a < b ? a : b;
}

/* Of a vector in a plane; hypot guards against numbers that do not occur here. */
static inline double dv_length(double a, double b) {
    return sqrt(a * a + b * b);
}

static void dv_copy(double *to, const double *from, int n) {
    memcpy(to, from, (size_t)n * sizeof(double));
}

static void dv_zero(double *to, int n) {
    memset(to, 0, (size_t)n * sizeof(double));
}

static double dv_dot(const double *a, const double *b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static inline double dv_dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double dv_largest(const double *a, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = dv_max(most, fabs(a[i]));
    return most;
}

/* Swap rows so that the largest entry of column k stands on the diagonal; 0 if there is none. */
static int dv_pivot(int n, int k, double *A, double *B) {
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    if (!(fabs(A[best * n + k]) > 0.0)) return 0;
    for (int j = 0; j < n && best != k; j++) {
        double keep = A[k * n + j];
        A[k * n + j] = A[best * n + j];
        A[best * n + j] = keep;
        keep = B[k * n + j];
        B[k * n + j] = B[best * n + j];
        B[best * n + j] = keep;
    }
    return 1;
}

/* Swap two rows of an elimination, from column k on. */
static void dv_swap_rows(int n, int k, double *M, double *right, int *last, int a, int b) {
    if (a == b) return;
    for (int j = k; j < n; j++) {
        double keep = M[a * n + j];
        M[a * n + j] = M[b * n + j];
        M[b * n + j] = keep;
    }
    double side = right[a];
    int end = last[a];
    right[a] = right[b];
    right[b] = side;
    last[a] = last[b];
    last[b] = end;
}

/* Gauss and Jordan: B := A^-1, A is destroyed; 0 if A is singular. */
static int dv_gauss_jordan(int n, double *A, double *B) {
    dv_zero(B, n * n);
    for (int i = 0; i < n; i++) B[i * n + i] = 1.0;
    for (int k = 0; k < n; k++) {
        if (!dv_pivot(n, k, A, B)) return 0;
        double scale = 1.0 / A[k * n + k];
        for (int j = 0; j < n; j++) {
            A[k * n + j] *= scale;
            B[k * n + j] *= scale;
        }
        for (int i = 0; i < n; i++) {
            double f = A[i * n + k];
            if (i == k || f == 0.0) continue;
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            for (int j = 0; j < n; j++) B[i * n + j] -= f * B[k * n + j];
        }
    }
    return 1;
}

/* Solve A z = b by elimination, for matrices with many zeros; z replaces b. Unknowns without a pivot
 * are zero; 0 if b is then not met, or only by large numbers. work: n n + 2 n doubles, ints: 2 n. */
static int dv_echelon(int n, const double *A, double *b, double *work, int *ints) {
    double *M = work, *right = M + n * n, *z = right + n, most = dv_largest(A, n * n);
    int *last = ints, *column = ints + n, rank = 0;
    dv_copy(M, A, n * n);
    dv_copy(right, b, n);
    for (int i = 0; i < n; i++)
        for (last[i] = n - 1; last[i] > 0 && A[i * n + last[i]] == 0.0;) last[i]--;
    for (int k = 0; k < n; k++) {
        int best = rank;
        double largest = 0.0;
        for (int i = rank; i < n; i++)
            if (fabs(M[i * n + k]) > largest) {
                largest = fabs(M[i * n + k]);
                best = i;
            }
        if (!(largest > 1e-11 * most)) continue;
        dv_swap_rows(n, k, M, right, last, best, rank);
        const double *own = M + rank * n;
        for (int i = rank + 1; i < n; i++) {
            double *other = M + i * n;
            if (other[k] == 0.0) continue;
            double f = other[k] / own[k];
            for (int j = k; j <= last[rank]; j++) other[j] -= f * own[j];
            right[i] -= f * right[rank];
            if (last[rank] > last[i]) last[i] = last[rank];
        }
        column[rank++] = k;
    }
    double size = dv_largest(b, n);
    if (rank < n && dv_largest(right + rank, n - rank) > 1e-9 * size) return 0;
    dv_zero(z, n);
    for (int r = rank - 1; r >= 0; r--) {
        double sum = right[r];
        for (int j = column[r] + 1; j <= last[r]; j++) sum -= M[r * n + j] * z[j];
        z[column[r]] = sum / M[r * n + column[r]];
    }
    if (!(dv_largest(z, n) <= 1e6 * size)) return 0;
    dv_copy(b, z, n);
    return 1;
}

/* A Householder vector for column[k..n): column becomes (…, beta, 0 …), v is left below and at k.
 * Returns beta; `tau` is 2 / v.v, zero for a column of zeros. */
static double dv_reflector(double *column, int k, int n, double *tau) {
    double norm = sqrt(dv_dot(column + k, column + k, n - k));
    *tau = 0.0;
    if (norm == 0.0) return 0.0;
    double beta = column[k] > 0.0 ? -norm : norm;
    column[k] -= beta;
    *tau = 2.0 / dv_dot(column + k, column + k, n - k);
    return beta;
}

static void dv_reflect(const double *v, double tau, int k, int n, double *target) {
    double share = tau * dv_dot(v + k, target + k, n - k);
    for (int i = k; i < n; i++) target[i] -= share * v[i];
}

/* QR with column pivoting of A, given by columns: R replaces it, reflections are applied to the
 * right sides B (also columns). Returns the rank: diagonals below rcond times the first are zero. */
static int dv_pivoted_qr(int n, double *A, int sides, double *B, double rcond, int *pivot) {
    double first = 0.0;
    for (int j = 0; j < n; j++) pivot[j] = j;
    for (int k = 0; k < n; k++) {
        int best = k;
        double most = -1.0;
        for (int j = k; j < n; j++) {
            double norm = dv_dot(A + pivot[j] * n + k, A + pivot[j] * n + k, n - k);
            if (norm > most) {
                most = norm;
                best = j;
            }
        }
        if (k == 0) first = sqrt(most);
        if (!(sqrt(most) > rcond * first)) return k;
        int chosen = pivot[best];
        pivot[best] = pivot[k];
        pivot[k] = chosen;
        double tau, *column = A + chosen * n, beta = dv_reflector(column, k, n, &tau);
        for (int j = k + 1; j < n; j++) dv_reflect(column, tau, k, n, A + pivot[j] * n);
        for (int s = 0; s < sides; s++) dv_reflect(column, tau, k, n, B + s * n);
        column[k] = beta; /* what stands below is never read again */
    }
    return n;
}

/* Shortest z with R z = b for the `rank` first rows of R (upper trapezoidal, columns by pivot):
 * a second QR, of the transpose. T holds rank columns of length n, tau its reflections. */
static void dv_transpose_qr(int n, int rank, const double *R, const int *pivot, double *T,
                            double *tau, double *diagonal) {
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < n; j++) T[i * n + j] = j < i ? 0.0 : R[pivot[j] * n + i];
    for (int k = 0; k < rank; k++) {
        diagonal[k] = dv_reflector(T + k * n, k, n, tau + k);
        for (int j = k + 1; j < rank; j++) dv_reflect(T + k * n, tau[k], k, n, T + j * n);
    }
}

static void dv_shortest(int n, int rank, const double *T, const double *tau,
                        const double *diagonal, double *z) {
    for (int i = 0; i < rank; i++) { /* row i of the transpose: T[i][0..i-1], then the diagonal */
        double sum = z[i];
        for (int j = 0; j < i; j++) sum -= T[i * n + j] * z[j];
        z[i] = sum / diagonal[i];
    }
    for (int i = rank; i < n; i++) z[i] = 0.0;
    for (int k = rank - 1; k >= 0; k--) dv_reflect(T + k * n, tau[k], k, n, z);
}

static void dv_back_substitute(int n, const double *R, const int *pivot, double *z) {
    for (int i = n - 1; i >= 0; i--) {
        double sum = z[i];
        for (int j = i + 1; j < n; j++) sum -= R[pivot[j] * n + i] * z[j];
        z[i] = sum / R[pivot[i] * n + i];
    }
}

/* Least squares of least length, for `sides` right sides: B (columns) is replaced by the answers.
 * A is given row by row. work: 2 n n + 3 n doubles; pivot: n ints. Returns the rank. */
static int dv_least_squares(int n, const double *A, int sides, double *B, double rcond,
                            double *work, int *pivot) {
    double *R = work, *T = R + n * n, *tau = T + n * n, *diagonal = tau + n, *z = diagonal + n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) R[j * n + i] = A[i * n + j];
    int rank = dv_pivoted_qr(n, R, sides, B, rcond, pivot);
    if (rank < n) dv_transpose_qr(n, rank, R, pivot, T, tau, diagonal);
    for (int s = 0; s < sides; s++) {
        dv_copy(z, B + s * n, n);
        if (rank < n)
            dv_shortest(n, rank, T, tau, diagonal, z);
        else
            dv_back_substitute(n, R, pivot, z);
        for (int j = 0; j < n; j++) B[s * n + pivot[j]] = z[j];
    }
    return rank;
}

/* The pseudo-inverse of A, row by row in `inverse`. work: 3 n n + 3 n doubles. */
static void dv_pseudo_inverse(int n, const double *A, double rcond, double *inverse, double *work,
                              int *pivot) {
    double *columns = work + 2 * n * n + 3 * n;
    dv_zero(columns, n * n);
    for (int i = 0; i < n; i++) columns[i * n + i] = 1.0;
    dv_least_squares(n, A, n, columns, rcond, work, pivot);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i * n + j] = columns[j * n + i];
}

/* The inverse of a well-conditioned A, else its pseudo-inverse; 1 in the first case.
 * work: 3 n n + 3 n doubles. */
static int dv_invert(int n, const double *A, double *inverse, double *work, int *pivot) {
    if (n == 1 && A[0] != 0.0) {
        inverse[0] = 1.0 / A[0];
        return 1;
    }
    dv_copy(work, A, n * n);
    if (dv_gauss_jordan(n, work, inverse) &&
        dv_largest(inverse, n * n) * dv_largest(A, n * n) <= 1e8)
        return 1;
    dv_pseudo_inverse(n, A, DV_REDUNDANT, inverse, work, pivot);
    return 0;
}
