/* Small dense linear algebra: inverses, and least squares of any rank.
 *
 * Matrices are stored row by row unless a comment says otherwise. Memory comes from the caller. */

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

#define DV_LARGE 1e4 /* times b: an answer of elimination beyond that has gone astray */

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
            dv_add_times(other + k, -f, own + k, last[rank] + 1 - k);
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
    if (!(dv_largest(z, n) <= DV_LARGE * size)) return 0;
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
    dv_add_times(target + k, -share, v + k, n - k);
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

/* A row of a matrix with so many entries beside its diagonal, times a vector. */
double dv_banded(int n, const double *A, int band, int row, const double *x) {
    int from = row > band ? row - band : 0, to = row + band < n ? row + band + 1 : n;
    return dv_dot(A + row * n + from, x + from, to - from);
}

/* LU with row pivoting of a matrix with so many entries beside its diagonal, in place. Returns the
 * smallest pivot; if it is zero, there is no more. */
double dv_lu(int n, double *A, int band, int *pivot) {
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        int low = k + band < n ? k + band + 1 : n, wide = k + 2 * band < n ? k + 2 * band + 1 : n;
        int best = k;
        for (int i = k + 1; i < low; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        pivot[k] = best;
        for (int j = k; j < wide && best != k; j++) {
            double keep = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = keep;
        }
        double own = A[k * n + k];
        least = dv_min(least, fabs(own));
        if (!(fabs(own) > 0.0)) return 0.0;
        for (int i = k + 1; i < low; i++) {
            double f = A[i * n + k] / own;
            A[i * n + k] = f;
            if (f == 0.0) continue;
            dv_add_times(A + i * n + k + 1, -f, A + k * n + k + 1, wide - k - 1);
        }
    }
    return least;
}

/* Solve A x = b with the factors of dv_lu; x replaces b. */
void dv_lu_solve(int n, const double *LU, int band, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        int low = k + band < n ? k + band + 1 : n;
        double own = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = own;
        for (int i = k + 1; i < low && own != 0.0; i++) b[i] -= LU[i * n + k] * own;
    }
    for (int k = n - 1; k >= 0; k--) {
        int wide = k + 2 * band < n ? k + 2 * band + 1 : n;
        b[k] = (b[k] - dv_dot(LU + k * n + k + 1, b + k + 1, wide - k - 1)) / LU[k * n + k];
    }
}

/* Solve A z = b for a symmetric A that may be singular; z replaces b. Along what is weaker than a
 * share DV_EASY of its diagonal nothing much is asked. work: n n + 2 n doubles. */
void dv_eased_solve(int n, const double *A, int band, double *b, double *work, int *pivot) {
    double *LU = work, *left = LU + n * n, *z = left + n;
    dv_copy(LU, A, n * n);
    for (int i = 0; i < n; i++) LU[i * n + i] *= 1 + DV_EASY;
    dv_lu(n, LU, band, pivot);
    dv_zero(z, n);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < n; i++) left[i] = b[i] - dv_banded(n, A, band, i, z);
        dv_lu_solve(n, LU, band, pivot, left);
        for (int i = 0; i < n; i++) z[i] += left[i];
    }
    dv_copy(b, z, n);
}

/* Vectors z with A z = 0, as rows of `null`, by elimination with pivots from anywhere; what is below
 * `small` is none. Returns how many. work: n n doubles; order: n ints. */
int dv_null_space(int n, const double *A, double small, double *null, double *work,
                         int *order) {
    int rank = 0;
    dv_copy(work, A, n * n);
    for (int i = 0; i < n; i++) order[i] = i;
    for (; rank < n; rank++) {
        int row = rank, column = rank;
        double most = 0.0;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(work[i * n + order[j]]) > most) {
                    most = fabs(work[i * n + order[j]]);
                    row = i;
                    column = j;
                }
        if (!(most > small)) break;
        int keep = order[column];
        order[column] = order[rank];
        order[rank] = keep;
        for (int j = 0; j < n && row != rank; j++) {
            double entry = work[rank * n + j];
            work[rank * n + j] = work[row * n + j];
            work[row * n + j] = entry;
        }
        for (int i = rank + 1; i < n; i++) {
            double f = work[i * n + order[rank]] / work[rank * n + order[rank]];
            for (int j = rank; j < n && f != 0.0; j++)
                work[i * n + order[j]] -= f * work[rank * n + order[j]];
        }
    }
    for (int c = rank; c < n; c++) {
        double *z = null + (c - rank) * n;
        dv_zero(z, n);
        z[order[c]] = 1.0;
        for (int i = rank - 1; i >= 0; i--) {
            double sum = -work[i * n + order[c]];
            for (int j = i + 1; j < rank; j++) sum -= work[i * n + order[j]] * z[order[j]];
            z[order[i]] = sum / work[i * n + order[i]];
        }
    }
    return n - rank;
}
