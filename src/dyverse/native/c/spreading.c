/* Which impulses are taken where several contacts share a blow: the shortest. See
 * dyverse.contact.law.spreading, of which this is the translation. */

#define DV_SAME 1e-9      /* share of the largest impulse that counts as none, of a limit as all of it */
#define DV_SPREAD_RANK 1e-9
#define DV_SPREAD_TURNS 60
#define DV_SPREAD 1e-15

/* The columns by which unknowns give impulses: places of unknowns, and friction per normal impulse where
 * contacts slip; -1 if a direction is not known. kind: 0 not pressed, 1 slips or is smooth, 3 sticks. */
static int dv_spread_ways(const dv_problem *p, const int *kind, const double *now, double *per_normal,
                          int *places) {
    double most = 0.0;
    int m = 0;
    for (int i = 0; i < 3 * p->n; i++) most = dv_max(most, fabs(p->c[i]));
    for (int j = 0; j < p->n; j++) {
        for (int r = 0; r < kind[j]; r++) places[m++] = 3 * j + r;
        per_normal[2 * j] = per_normal[2 * j + 1] = 0.0;
        if (kind[j] != 1 || p->mu[j] == 0.0) continue;
        double xi[2] = {dv_row(p, 3 * j + 1, now), dv_row(p, 3 * j + 2, now)};
        double speed = dv_length(xi[0], xi[1]);
        if (speed <= DV_SAME * most) return -1;
        for (int i = 0; i < 2; i++) per_normal[2 * j + i] = -p->mu[j] * xi[i] / speed;
    }
    return m;
}

/* Impulses from unknowns y. */
static void dv_spread_out(const dv_problem *p, int m, const int *places, const double *per_normal,
                          const double *y, double *out) {
    dv_zero(out, 3 * p->n);
    for (int i = 0; i < m; i++) out[places[i]] = y[i];
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < 2; i++) out[3 * j + 1 + i] += per_normal[2 * j + i] * out[3 * j];
}

/* One turn: the shortest impulses with slip in the directions of `now`, to `found`; 0 if there are none
 * or no others. */
static int dv_spread_turn(const dv_problem *p, const int *kind, const double *now, double *found,
                          double *memory, int *ints) {
    int N = 3 * p->n, *places = ints, *order = ints + N;
    double *per_normal = memory, *unit = per_normal + N, *y = unit + N, *column = y + N;
    int m = dv_spread_ways(p, kind, now, per_normal, places);
    if (m <= 0) return 0;
    double *A = column + N, *null = A + m * m, *work = null + m * N;
    for (int i = 0; i < m; i++) unit[i] = 1 / sqrt(p->G[places[i] * (N + 1)]);
    for (int k = 0; k < m; k++) {
        dv_zero(y, m);
        y[k] = unit[k];
        dv_spread_out(p, m, places, per_normal, y, column);
        for (int i = 0; i < m; i++) A[i * m + k] = unit[i] * dv_dot(p->G + places[i] * N, column, N);
    }
    for (int i = 0; i < m; i++) y[i] = -unit[i] * p->c[places[i]];
    if (dv_least_squares(m, A, 1, y, DV_SPREAD_RANK, work, order) == m) return 0;
    for (int i = 0; i < m; i++) y[i] *= unit[i];
    dv_spread_out(p, m, places, per_normal, y, found);
    int count = dv_null_space(m, A, DV_SPREAD_RANK, null, work, order);
    for (int c = count - 1; c >= 0; c--) { /* from the last, since each grows from m numbers to N */
        for (int i = 0; i < m; i++) y[i] = unit[i] * null[c * m + i];
        dv_spread_out(p, m, places, per_normal, y, null + c * N);
    }
    for (int c = 0; c < count; c++) {
        double *own = null + c * N;
        for (int twice = 0; twice < 2; twice++)
            for (int b = 0; b < c; b++)
                dv_add_times(own, -dv_dot(own, null + b * N, N), null + b * N, N);
        double size = sqrt(dv_dot(own, own, N));
        for (int i = 0; i < N; i++) own[i] /= size;
        dv_add_times(found, -dv_dot(own, found, N), own, N);
    }
    for (int j = 0; j < p->n; j++) {
        const double *own = found + 3 * j;
        int fits = dv_length(own[1], own[2]) <= p->mu[j] * own[0] * (1 + DV_SAME);
        if (!(own[0] >= 0.0) || (kind[j] == 3 && !fits)) return 0;
    }
    return 1;
}

/* The shortest impulses in place of some, where that is to be had. memory: 5 N N + 12 N doubles. */
static void dv_spread_impulses(const dv_problem *p, double *impulse, double *memory, int *ints) {
    int N = 3 * p->n, *kind = ints;
    double size = 0.0, most = 0.0, *now = memory, *next = now + N;
    for (int i = 0; i < N; i++) {
        size = dv_max(size, fabs(impulse[i]));
        most = dv_max(most, fabs(p->c[i]));
    }
    if (p->n < 2 || !(size > 0.0)) return;
    for (int j = 0; j < p->n; j++) {
        const double *own = impulse + 3 * j;
        int sticks = dv_length(own[1], own[2]) < (1 - DV_SAME) * p->mu[j] * own[0];
        kind[j] = !(own[0] > DV_SAME * size) ? 0 : sticks ? 3 : 1;
    }
    dv_copy(now, impulse, N);
    for (int turn = 0; turn < DV_SPREAD_TURNS; turn++) {
        double change = 0.0;
        if (!dv_spread_turn(p, kind, now, next, next + N, ints + p->n)) return;
        for (int i = 0; i < N; i++) change = dv_max(change, fabs(next[i] - now[i]));
        dv_copy(now, next, N);
        if (change <= DV_SPREAD * size) break;
    }
    if (dv_worst(p, now) <= dv_max(dv_worst(p, impulse), 1e-12 * most)) dv_copy(impulse, now, N);
}
