/* Semismooth Newton on the natural map, for when sweeps crawl: dyverse.contact.law.newton.
 *
 * Unknowns are x_N = a λ_N, x_T = t λ_T, all in units of ξ. Redundant contacts make the Jacobian
 * singular; each step is then the shortest of the least-squares steps. */

#define DV_CROWD 12          /* contacts, from which on redundant ones are eased: */
#define DV_EASED 1e-9        /* by so much of their diagonals at first, */
#define DV_EASING_ON 1e3     /* by ever more where that leads far away, */
#define DV_MOST_EASED 1e-3   /* and at most */

typedef struct {
    double *H, *J, *x, *F, *there, *step, *work; /* H, J: N x N; vectors: N; work: for solving */
    int *pivot;
} dv_newton_work;

static dv_newton_work dv_newton_memory(int N, double *memory, int *pivot) {
    dv_newton_work w;
    w.H = memory;
    w.J = w.H + N * N;
    w.x = w.J + N * N;
    w.F = w.x + N;
    w.there = w.F + N;
    w.step = w.there + N;
    w.work = w.step + N;
    w.pivot = pivot;
    return w;
}

static double dv_weight(const dv_problem *p, int i) {
    return i % 3 == 0 ? p->a[i / 3] : p->t[i / 3];
}

/* H = G in the units of x; most of it is zero. */
static void dv_scale_matrix(const dv_problem *p, double *H) {
    int N = 3 * p->n;
    dv_zero(H, N * N);
    for (int i = 0; i < N; i++) {
        const int *beside = p->beside + i / 3 * p->n;
        for (int b = 0; b < p->besides[i / 3]; b++)
            for (int k = 3 * beside[b]; k < 3 * beside[b] + 3; k++)
                H[i * N + k] = p->G[i * N + k] / dv_weight(p, k);
    }
}

/* F at x; returns its length. */
static double dv_natural_map(const dv_problem *p, const double *H, const double *x, double *F) {
    double sum = 0.0;
    for (int j = 0; j < p->n; j++) {
        double xi[3], y[2], nearest[2], slope = p->t[j] / p->a[j];
        const double *X = x + 3 * j;
        for (int i = 0; i < 3; i++)
            xi[i] = dv_sparse(p, H, 3 * j + i, x) + p->c[3 * j + i];
        for (int i = 0; i < 2; i++) y[i] = X[1 + i] - xi[1 + i];
        double radius = dv_friction_limit(p, j, slope * X[0], p->t[j]); /* μ t/a max(0, x_N) */
        dv_friction_within(p, j, radius, y, nearest);
        F[3 * j] = dv_min(X[0], xi[0]);
        for (int i = 0; i < 2; i++) F[3 * j + 1 + i] = X[1 + i] - nearest[i];
        for (int i = 0; i < 3; i++) sum += F[3 * j + i] * F[3 * j + i];
    }
    return sqrt(sum);
}

/* Tangential rows of J: stick F_T = ξ_T; slip F_T = x_T - R u with
 * d(R u) = u dR + (R/‖y‖)(I - u uᵀ) dy; where slip is given u = -d, and dy is out. */
static void dv_tangential_rows(const dv_problem *p, const double *H, const double *x, int j,
                               double *J) {
    int N = 3 * p->n, at = 3 * j;
    double y[2], u[2], slope = p->mu[j] * p->t[j] / p->a[j];
    double radius = dv_friction_limit(p, j, p->t[j] / p->a[j] * x[at], p->t[j]);
    const double *h = H + (at + 1) * N;
    for (int i = 0; i < 2; i++)
        y[i] = x[at + 1 + i] - (dv_sparse(p, H, at + 1 + i, x) + p->c[at + 1 + i]);
    double length = dv_length(y[0], y[1]), turn = radius / dv_max(dv_max(length, radius), DBL_MIN);
    for (int i = 0; i < 2; i++) u[i] = y[i] / dv_max(length, DBL_MIN);
    if (p->directed[j]) {
        for (int i = 0; i < 2; i++) u[i] = -p->sliding[2 * j + i];
        turn = 0.0;
    } else if (length <= radius && radius > 0.0) {
        dv_copy(J + (at + 1) * N, h, 2 * N);
        return;
    }
    dv_zero(J + (at + 1) * N, 2 * N);
    for (int b = 0; b < 3 * p->besides[j]; b++) {
        int k = 3 * p->beside[j * p->n + b / 3] + b % 3;
        double dy[2], along, dR = k == at && x[at] > 0.0 ? slope : 0.0;
        for (int i = 0; i < 2; i++) dy[i] = (k == at + 1 + i ? 1.0 : 0.0) - h[i * N + k];
        along = u[0] * dy[0] + u[1] * dy[1];
        for (int i = 0; i < 2; i++)
            J[(at + 1 + i) * N + k] =
                (k == at + 1 + i ? 1.0 : 0.0) - u[i] * dR - turn * (dy[i] - u[i] * along);
    }
}

static void dv_jacobian(const dv_problem *p, const double *H, const double *x, double *J) {
    int N = 3 * p->n;
    for (int j = 0; j < p->n; j++) {
        const double *h = H + 3 * j * N;
        double *row = J + 3 * j * N;
        if (x[3 * j] > dv_sparse(p, H, 3 * j, x) + p->c[3 * j]) {
            dv_copy(row, h, N);
        } else {
            dv_zero(row, N);
            row[3 * j] = 1.0;
        }
        dv_tangential_rows(p, H, x, j, J);
    }
}

/* The first x + step/2^k that lowers ‖F‖; returns ‖F‖ there, or a negative number. */
static double dv_searched(const dv_problem *p, dv_newton_work *w, double before) {
    int N = 3 * p->n;
    for (double share = 1.0; share > 1e-3; share /= 2) {
        for (int i = 0; i < N; i++) w->there[i] = w->x[i] + share * w->step[i];
        double left = dv_natural_map(p, w->H, w->there, w->F);
        if (left <= (1 - 1e-4 * share) * before) {
            dv_copy(w->x, w->there, N);
            return left;
        }
    }
    return -1.0;
}

/* The step for what is left, in place of it, by elimination; 0 if that does not succeed. Where there are
 * many contacts some are redundant: the diagonal, which is of size one, is made larger by ever more. */
static int dv_newton_step(int n, dv_newton_work *w) {
    int N = 3 * n;
    double ease = DV_EASED, added = 0.0;
    if (n <= DV_CROWD) return dv_echelon(N, w->J, w->step, w->work, w->pivot);
    for (; ease <= DV_MOST_EASED; ease *= DV_EASING_ON) {
        for (int i = 0; i < N; i++) w->J[i * N + i] += ease - added;
        added = ease;
        if (dv_echelon(N, w->J, w->step, w->work, w->pivot)) return 1;
    }
    for (int i = 0; i < N; i++) w->J[i * N + i] -= added;
    return 0;
}

/* Newton steps with line search until ‖F‖ <= tolerance or it stops falling; then one more. */
static void dv_newton(const dv_problem *p, double *forces, double tolerance, double *memory,
                      int *pivot) {
    int N = 3 * p->n;
    dv_newton_work w = dv_newton_memory(N, memory, pivot);
    for (int i = 0; i < N; i++) w.x[i] = forces[i] * dv_weight(p, i);
    dv_scale_matrix(p, w.H);
    double left = dv_natural_map(p, w.H, w.x, w.F);
    for (int iteration = 0; iteration < 40; iteration++) {
        int met = left <= tolerance;
        dv_natural_map(p, w.H, w.x, w.F);
        dv_jacobian(p, w.H, w.x, w.J);
        for (int i = 0; i < N; i++) w.step[i] = -w.F[i];
        if (!dv_newton_step(p->n, &w)) dv_least_squares(N, w.J, 1, w.step, 1e-13, w.work, w.pivot);
        double found = dv_searched(p, &w, left);
        if (found < 0.0 || isnan(found)) break;
        left = found;
        if (met || left <= 1e-3 * tolerance) break;
    }
    for (int i = 0; i < N; i++) forces[i] = w.x[i] / dv_weight(p, i);
    dv_feasible(p, forces);
}
