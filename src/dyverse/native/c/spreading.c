/* Which impulses are taken where several contacts share a blow: the shortest. See
 * dyverse.contact.law.spreading, of which this is the translation. */

#define DV_SAME 1e-9      /* share of the largest speed that counts as none */
#define DV_SPREAD_RANK 1e-9
#define DV_SPREAD_TURNS 60
#define DV_SPREAD 1e-14
#define DV_LEARNT 3        /* changes between turns, from which the next one is foreseen */
#define DV_ALIKE 1e-12     /* changes that say nothing new */

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

/* One turn: the shortest impulses with slip in the directions of `now`, to the forces of `found`, and how
 * they can change, in `memory`; 0 if there are none, or no others because contacts are independent, unless
 * these are asked for, too. */
static int dv_spread_turn(const dv_problem *p, const int *kind, const double *now, int independent,
                          dv_load *found, double *memory, int *ints) {
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
    if (dv_least_squares(m, A, 1, y, DV_SPREAD_RANK, work, order) == m && !independent) return 0;
    for (int i = 0; i < m; i++) y[i] *= unit[i];
    dv_spread_out(p, m, places, per_normal, y, found->forces);
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
        dv_add_times(found->forces, -dv_dot(own, found->forces, N), own, N);
    }
    found->k = count;
    found->changes = null;
    return 1;
}

/* Where turns lead that change impulses as the last ones did: Anderson's mixing. `ends` are those of
 * `count` turns, `changes` what each has changed; the last end goes to `now`. Alone they may go round in
 * circles, for slip turns impulses and impulses turn slip. */
static void dv_spread_foreseen(int N, int count, const double *ends, const double *changes, double *now) {
    double A[DV_LEARNT * DV_LEARNT], shares[DV_LEARNT], work[2 * DV_LEARNT * DV_LEARNT + 3 * DV_LEARNT];
    int order[DV_LEARNT], learnt = count - 1;
    const double *last = changes + learnt * N;
    dv_copy(now, ends + learnt * N, N);
    for (int a = 0; a < learnt; a++) {
        const double *one = changes + a * N;
        shares[a] = 0.0;
        for (int i = 0; i < N; i++) shares[a] += (one[N + i] - one[i]) * last[i];
        for (int b = 0; b < learnt; b++) {
            const double *other = changes + b * N;
            double sum = 0.0;
            for (int i = 0; i < N; i++) sum += (one[N + i] - one[i]) * (other[N + i] - other[i]);
            A[a * learnt + b] = sum;
        }
    }
    if (learnt > 0) dv_least_squares(learnt, A, 1, shares, DV_ALIKE, work, order);
    for (int a = 0; a < learnt; a++)
        for (int i = 0; i < N; i++) now[i] -= shares[a] * (ends[(a + 1) * N + i] - ends[a * N + i]);
}

/* The shortest impulses of contacts of these kinds to `now`, by turns; pulling ones among them. 0 if they
 * are not found. memory: 4 N N + 16 N doubles. */
static int dv_spread_shortest(const dv_problem *p, const int *kind, const double *impulse, double size,
                              int independent, double *now, double *memory, int *ints) {
    int N = 3 * p->n, count = 0;
    double *ends = memory, *changes = ends + (DV_LEARNT + 1) * N;
    double *next = changes + (DV_LEARNT + 1) * N;
    dv_copy(now, impulse, N);
    for (int turn = 0; turn < DV_SPREAD_TURNS; turn++) {
        double change = 0.0;
        dv_load turned;
        turned.forces = next;
        if (!dv_spread_turn(p, kind, now, independent, &turned, next + N, ints)) return 0;
        for (int i = 0; i < N; i++) change = dv_max(change, fabs(next[i] - now[i]));
        if (change <= DV_SPREAD * size) {
            dv_copy(now, next, N);
            return 1;
        }
        if (count > DV_LEARNT) { /* forget the first */
            memmove(ends, ends + N, (size_t)(DV_LEARNT * N) * sizeof(double));
            memmove(changes, changes + N, (size_t)(DV_LEARNT * N) * sizeof(double));
            count--;
        }
        dv_copy(ends + count * N, next, N);
        for (int i = 0; i < N; i++) changes[count * N + i] = next[i] - now[i];
        dv_spread_foreseen(N, ++count, ends, changes, now);
    }
    return 0;
}

/* Let the contact that would pull most be open; 0 if none does. */
static int dv_spread_drop(const dv_problem *p, const double *now, int *kind) {
    int worst = 0;
    for (int j = 1; j < p->n; j++)
        if (now[3 * j] < now[3 * worst]) worst = j;
    if (!(now[3 * worst] < 0.0)) return 0;
    kind[worst] = 0;
    return 1;
}

/* The shortest impulses where something slips: who would have to pull most is dropped, one by one; 0 if
 * they are not found. memory: 4 N N + 16 N doubles. */
static int dv_spread_slipping(const dv_problem *p, int *kind, const double *impulse, double size,
                              double *now, double *memory, int *ints) {
    for (int dropped = 0; dropped < p->n; dropped++) {
        if (!dv_spread_shortest(p, kind, impulse, size, dropped > 0, now, memory, ints)) return 0;
        if (!dv_spread_drop(p, now, kind)) return 1;
    }
    return 0;
}

/* The same within the cones where nothing slips: they are convex, and the laws linear.
 * memory: 4 N N + 16 N doubles; ints: 8 n + 8. */
static int dv_spread_standing(const dv_problem *p, const int *kind, const double *impulse, double *now,
                              double *memory, int *ints) {
    int N = 3 * p->n, *sticks = ints;
    dv_load load;
    memset(&load, 0, sizeof load);
    load.n = p->n;
    load.forces = now;
    load.mu = p->mu;
    load.sticks = sticks;
    if (!dv_spread_turn(p, kind, impulse, 0, &load, memory + N, ints)) return 0;
    for (int j = 0; j < p->n; j++) sticks[j] = kind[j] == 3;
    dv_zero(memory, N);
    return dv_shortest_admissible(&load, memory, memory + 5 * N + 2 * N * N, ints + p->n);
}

/* The shortest impulses of few contacts in place of some, where that is to be had: who does not part may
 * be pressed, who would have to pull is not. memory: 5 N N + 20 N doubles. */
static void dv_spread_impulses(const dv_problem *p, double *impulse, double *memory, int *ints) {
    int N = 3 * p->n, n = p->n, *kind = ints, slips = 0, pressed = 0;
    double size = 0.0, most = 0.0, *now = memory;
    for (int i = 0; i < N; i++) {
        size = dv_max(size, fabs(impulse[i]));
        most = dv_max(most, fabs(p->c[i]));
    }
    if (n < 2 || n > DV_FEW || !(size > 0.0)) return;
    for (int j = 0; j < n; j++) {
        double slip = dv_length(dv_row(p, 3 * j + 1, impulse), dv_row(p, 3 * j + 2, impulse));
        int sticks = p->mu[j] > 0.0 && slip <= DV_SAME * most;
        kind[j] = !(fabs(dv_row(p, 3 * j, impulse)) <= DV_SAME * most) ? 0 : sticks ? 3 : 1;
        pressed += kind[j] > 0;
        slips |= kind[j] == 1 && p->mu[j] > 0.0;
    }
    if (!pressed) return;
    int found = slips ? dv_spread_slipping(p, kind, impulse, size, now, now + N, ints + n)
                      : dv_spread_standing(p, kind, impulse, now, now + N, ints + n);
    if (found && dv_worst(p, now) <= dv_max(dv_worst(p, impulse), 1e-12 * most))
        dv_copy(impulse, now, N);
}
