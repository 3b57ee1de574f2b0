/* Islands of several contacts, factored once and solved often. From one moment to the next bodies move
 * by little, so the factors of an island's balance D y + r = 0 at one state find its forces at another
 * by a few refinements, each of which needs the rows of its contacts, and not D. Factors are kept for
 * the contacts and modes that they are of, also while the run is elsewhere, as long as there is room;
 * where refinements get nowhere, they are made anew. */

#define DV_SMALL 1         /* contacts: islands up to this are solved as they stand */
#define DV_REFINEMENTS 8   /* at most, before factors are made anew */
#define DV_EXACT 2e-15     /* what may be left, as a share of what drives the contacts, */
#define DV_CLOSE 1e-12     /* and where refinements get no further */
#define DV_EASILY 1e-6     /* pivots of the unit matrix over this: it need not be looked at closer */
#define DV_DISTINCT 1e-9   /* pivots from anywhere below this are of redundant constraints */
#define DV_HARDLY 1e-7     /* m/s²: what may be left of constraints that are nearly redundant, */
#define DV_HARDLY_HEAP 1e-4 /* and in a heap: less than what its contacts are followed by */
#define DV_SOFTEST 1e4     /* times its own share: softer contacts are of constraints nearly redundant */
#define DV_SIGNS 6         /* vectors that a large inverse is measured with */
#define DV_MEASURED 24     /* unknowns: larger inverses are not looked at column by column */

/* LU with pivots from anywhere, in place: entry (i, j) of the factors is that of row[i] and column[j]
 * of A. Returns the rank: how many pivots are over `small`. */
static int dv_full_lu(int n, double *A, double small, int *row, int *column) {
    for (int i = 0; i < n; i++) row[i] = column[i] = i;
    for (int k = 0; k < n; k++) {
        int r = k, c = k;
        double most = 0.0;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabs(A[i * n + j]) > most) {
                    most = fabs(A[i * n + j]);
                    r = i;
                    c = j;
                }
        if (!(most > small)) return k;
        for (int j = 0; j < n && r != k; j++) {
            double keep = A[k * n + j];
            A[k * n + j] = A[r * n + j];
            A[r * n + j] = keep;
        }
        for (int i = 0; i < n && c != k; i++) {
            double keep = A[i * n + k];
            A[i * n + k] = A[i * n + c];
            A[i * n + c] = keep;
        }
        int keep = row[k];
        row[k] = row[r];
        row[r] = keep;
        keep = column[k];
        column[k] = column[c];
        column[c] = keep;
        for (int i = k + 1; i < n; i++) {
            double f = A[i * n + k] /= A[k * n + k];
            if (f != 0.0) dv_add_times(A + i * n + k + 1, -f, A + k * n + k + 1, n - k - 1);
        }
    }
    return n;
}

/* Solve with the upper factor of the first `rank` rows and columns, in place. */
static void dv_upper_solve(int n, int rank, const double *U, double *x) {
    for (int i = rank - 1; i >= 0; i--)
        x[i] = (x[i] - dv_dot(U + i * n + i + 1, x + i + 1, rank - i - 1)) / U[i * n + i];
}

static void dv_forget_bases(dv_engine *e) {
    e->base_count = 0;
    e->base_used = 0;
}

/* Whether a base is of the island of a system. */
static int dv_is_base_of(const dv_base *b, const dv_system *s) {
    if (b->n != s->n || b->m != s->m) return 0;
    for (int j = 0; j < s->n; j++)
        if (b->who[j] != s->closed->contact[s->members[j]] || b->sticks[j] != s->sticks[j]) return 0;
    return 1;
}

static dv_base *dv_find_base(dv_engine *e, const dv_system *s) {
    for (int i = e->base_count - 1; i >= 0; i--)
        if (dv_is_base_of(e->bases + i, s)) return e->bases + i;
    return NULL;
}

/* Begin with the forces that a node has found, which are admissible, if there are new ones. */
static void dv_seed_base(const dv_engine *e, const dv_system *s, dv_base *b) {
    if (b->seeds == e->now.seeds) return;
    dv_system_follow(e, s);
    dv_copy(b->y, s->y, s->m);
    b->seeds = e->now.seeds;
}

/* So many doubles, or none if there is no more room. */
static double *dv_base_room(dv_engine *e, long count) {
    double *at = e->base_memory + e->base_used;
    if (e->base_used + count > e->base_room) return NULL;
    e->base_used += count;
    return at;
}

/* Memory for the base of a system, perhaps in place of all others. */
static dv_base *dv_new_base(dv_engine *e, const dv_system *s) {
    long ints = (2L * s->n + 2L * s->m + 1) / 2;
    long need = (long)s->m * s->m + 4L * s->m + 4L * s->n + ints + 3L * s->n * s->m;
    if (e->base_count == 2 * e->room || e->base_used + need > e->base_room) dv_forget_bases(e);
    dv_base *b = e->bases + e->base_count;
    double *memory = dv_base_room(e, need);
    if (!memory) return NULL;
    e->base_count++;
    b->n = s->n;
    b->m = s->m;
    b->LU = memory;
    b->unit = b->LU + (long)s->m * s->m;
    b->y = b->unit + s->m;
    b->shared = b->y + s->m;
    b->dual = b->shared + s->m;
    b->soft = b->dual + s->m;
    b->firm = b->soft + 2 * s->n;
    b->who = (int *)(void *)(b->firm + 2 * s->n);
    b->sticks = b->who + s->n;
    b->row = b->sticks + s->n;
    b->column = b->row + s->m;
    b->null = b->firm + 2 * s->n + ints;
    for (int j = 0; j < s->n; j++) b->who[j] = s->closed->contact[s->members[j]];
    memcpy(b->sticks, s->sticks, (size_t)s->n * sizeof(int));
    b->seeds = b->fails = -1;
    dv_seed_base(e, s, b);
    dv_copy(b->shared, b->y, s->m);
    dv_zero(b->dual, s->m);
    return b;
}

/* Some z with D z = b, of which only as many rows count as are independent; z replaces b. */
static void dv_base_solve(const dv_base *b, double *z, double *work) {
    if (b->regular) {
        dv_lu_solve(b->m, b->LU, b->band, b->row, z);
        return;
    }
    for (int i = 0; i < b->rank; i++)
        work[i] = z[b->row[i]] - dv_dot(b->LU + i * b->m, work, i);
    dv_upper_solve(b->m, b->rank, b->LU, work);
    dv_zero(z, b->m);
    for (int i = 0; i < b->rank; i++) z[b->column[i]] = work[i];
}

/* Sums of the rows of |D⁻|; of a large matrix their size, by a few vectors of signs. Returns whether
 * they are all as large as those of independent constraints. */
static int dv_base_sums(const dv_base *b, double *sums, double *work) {
    int m = b->m, few = m > DV_MEASURED;
    double *column = work, *rest = column + m;
    unsigned long seed = (unsigned long)m;
    dv_zero(sums, m);
    for (int j = 0; j < (few ? DV_SIGNS : m); j++) {
        dv_zero(column, m);
        for (int i = 0; i < m && few; i++) {
            seed = (seed * 1103515245ul + 12345ul) & 0x7ffffffful;
            column[i] = seed & 0x10000ul ? b->unit[i] : -b->unit[i];
        }
        if (!few) column[j] = b->unit[j];
        dv_base_solve(b, column, rest);
        for (int i = 0; i < m; i++)
            sums[i] += few ? column[i] * column[i] / DV_SIGNS : fabs(column[i]);
    }
    int fine = 1;
    for (int i = 0; i < m; i++) {
        double size = few ? 2 * sqrt(sums[i]) : sums[i], own = b->unit[i];
        fine &= size < DV_SOFTEST * own;
        sums[i] = own * dv_max(size, own);
    }
    return fine;
}

/* Softness, as dv_system_softness has it; whether the constraints look independent. */
static int dv_base_softness(const dv_engine *e, dv_base *b, const dv_system *s, double *work) {
    double *sums = work;
    int fine = dv_base_sums(b, sums, work + b->m);
    for (int j = 0; j < s->n; j++) {
        double normal = b->soft[2 * j] = sums[s->normal[j]];
        b->soft[2 * j + 1] = s->sticks[j] ? s->mu[j] * normal + dv_system_rubbed(e, s, j, sums)
                                          : 1 / s->G[(3 * j + 1) * 3 * s->n + 3 * j + 1];
        for (int i = 0; i < 2; i++) {
            double most = DV_SOFTEST / s->G[(3 * j + i) * (3 * s->n + 1)];
            b->firm[2 * j + i] = dv_min(b->soft[2 * j + i], most);
        }
    }
    return fine;
}

/* Changes of force that keep the balance, of length one and standing on one another. */
static void dv_base_changes(const dv_engine *e, dv_base *b, const dv_system *s, double *work) {
    int N = 3 * s->n, m = b->m;
    double *z = work, *y = z + m;
    b->changes = m - b->rank;
    for (int c = b->rank; c < m; c++) {
        for (int i = 0; i < b->rank; i++) z[i] = -b->LU[i * m + c];
        dv_upper_solve(m, b->rank, b->LU, z);
        dv_zero(y, m);
        y[b->column[c]] = b->unit[b->column[c]];
        for (int i = 0; i < b->rank; i++) y[b->column[i]] = b->unit[b->column[i]] * z[i];
        dv_system_forces(e, s, y, b->null + (c - b->rank) * N);
    }
    dv_orthonormal(N, b->changes, b->null);
}

/* Factor the balance of a system at the present rows. */
static void dv_factor_base(dv_engine *e, dv_system *s, dv_base *b) {
    dv_system_fill(e, s, e->free);
    dv_copy(b->LU, s->D, s->m * s->m);
    dv_copy(b->unit, s->unit, s->m);
    b->band = s->band;
    b->rank = s->m;
    b->changes = b->moves = 0;
    b->regular = dv_lu(s->m, b->LU, b->band, b->row) > DV_EASILY;
    if (b->regular && dv_base_softness(e, b, s, s->rest)) return;
    b->regular = 0;
    dv_copy(b->LU, s->D, s->m * s->m);
    b->rank = dv_full_lu(s->m, b->LU, DV_DISTINCT, b->row, b->column);
    dv_base_softness(e, b, s, s->rest);
    if (b->rank == b->m) return;
    dv_base_changes(e, b, s, s->rest);
    b->moves = dv_system_moves(e, s, b->null, b->changes);
}

/* Accelerations of the bodies of an island under forces, three per contact of it, besides those in
 * `free`, if there are any. */
static void dv_pull(dv_engine *e, const dv_system *s, const double *free, const double *forces) {
    double *a = e->motion.acceleration;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < 2; i++) {
            int first = e->ends[2 * s->closed->contact[s->members[j]] + i], body = first;
            do {
                int row = e->place[body];
                if (row >= 0 && free) dv_copy(a + DV_DOF * row, free + DV_DOF * row, DV_DOF);
                if (row >= 0 && !free) dv_zero(a + DV_DOF * row, DV_DOF);
                body = e->ring[body];
            } while (body != first);
        }
    for (int j = 0; j < s->n; j++) {
        const double *J = s->closed->jacobian + 36 * s->members[j];
        double f[3];
        for (int r = 0; r < 3; r++)
            f[r] = e->joints.count && s->closed->lost[3 * s->members[j] + r] ? 0.0 : forces[3 * j + r];
        for (int i = 0; i < 2; i++, J += DV_DOF) {
            int row = e->place[e->ends[2 * s->closed->contact[s->members[j]] + i]];
            if (row < 0) continue;
            const double *im = e->inverse_mass + DV_DOF * row;
            double *own = a + DV_DOF * row;
            for (int d = 0; d < DV_DOF; d++)
                own[d] += im[d] * (f[0] * J[d] + f[1] * J[12 + d] + f[2] * J[24 + d]);
            for (int r = 0; r < 3 && e->turning; r++) dv_add_mixed(e, row, f[r], J + 12 * r, own);
        }
    }
    if (e->joints.count) dv_take_forces(e, s->closed, s->members, s->n, forces, a);
}

/* What is left of the balance under forces y, scaled, to `left`. */
static void dv_left(dv_engine *e, const dv_system *s, const dv_base *b, const double *y, double *forces,
                    double *left) {
    dv_system_forces(e, s, y, forces);
    dv_pull(e, s, e->free, forces);
    for (int i = 0; i < s->m; i++) {
        int k = s->members[s->rows[i] / 3], r = s->rows[i] % 3;
        left[i] = -b->unit[i] * (dv_row_times(e, s->closed, k, r, e->motion.acceleration) +
                                 s->closed->bias[3 * k + r]);
    }
}

/* The largest of what is left, of all rows or of those alone that the factors solve for. */
static double dv_most_left(const dv_base *b, const double *left, int all) {
    double most = 0.0;
    for (int i = 0; i < (all ? b->m : b->rank); i++) {
        double own = fabs(left[all || b->regular ? i : b->row[i]]);
        if (!(own <= most)) most = own;
    }
    return most;
}

/* What drives the contacts: without forces, and with them. */
static double dv_drive_size(dv_engine *e, const dv_system *s, const dv_base *b, const double *y) {
    double most = DBL_MIN;
    for (int i = 0; i < s->m; i++) {
        int k = s->members[s->rows[i] / 3], r = s->rows[i] % 3;
        most = dv_max(most, b->unit[i] * fabs(dv_row_times(e, s->closed, k, r, e->free) +
                                              s->closed->bias[3 * k + r]));
        most = dv_max(most, fabs(y[i]) / b->unit[i]);
    }
    return most;
}

/* Whether forces are found: what is left is next to nothing, or no more than may be left of redundant
 * constraints. */
static int dv_is_met(const dv_system *s, const dv_base *b, const double *left, double size) {
    if (dv_most_left(b, left, 1) <= DV_CLOSE * size) return 1;
    int heap = s->closed->company[s->members[0]] >= DV_HEAP;
    int solved = dv_most_left(b, left, 0) <= DV_CLOSE * size;
    double most = heap && solved ? DV_HARDLY_HEAP : DV_HARDLY;
    for (int i = 0; i < b->m; i++)
        if (!(fabs(left[i]) <= most * b->unit[i])) return 0;
    return b->rank < b->m;
}

/* Refine y until the balance is met at the present rows; 0 if it is not. Forces and accelerations are
 * then those of y. */
static int dv_refine(dv_engine *e, const dv_system *s, const dv_base *b, double *y, double *forces,
                     double *work) {
    double *left = work, *rest = left + s->m;
    double before = INFINITY, size = dv_drive_size(e, s, b, y);
    for (int turn = 0; turn < DV_REFINEMENTS; turn++) {
        dv_left(e, s, b, y, forces, left);
        double most = dv_most_left(b, left, 0); /* the others are as redundant as they are */
        if (most <= DV_EXACT * size || !(most <= before / 8)) return dv_is_met(s, b, left, size);
        before = most;
        dv_base_solve(b, left, rest);
        for (int i = 0; i < s->m; i++) y[i] += b->unit[i] * left[i];
        size = dv_max(size, dv_drive_size(e, s, b, y));
    }
    return 0;
}

/* What a change of force y leaves of the balance at the present rows, scaled, to `left`; returns the
 * largest, as a share of what one force does by itself: of all rows, unless those that the factors leave
 * out are as redundant as they were. Whether bodies notice it is remembered. Behind
 * `left` there is room for 3 n numbers more. */
static double dv_left_by(dv_engine *e, const dv_system *s, dv_base *b, const double *y, double *forces,
                         double *left) {
    double noticed = 0.0, size = DBL_MIN, *gained = left + s->m;
    dv_system_forces(e, s, y, forces);
    dv_pull(e, s, NULL, forces);
    for (int i = 0; i < 3 * s->n; i++) {
        gained[i] = dv_row_times(e, s->closed, s->members[i / 3], i % 3, e->motion.acceleration);
        noticed = dv_max(noticed, fabs(gained[i]));
    }
    for (int i = 0; i < s->m; i++) {
        left[i] = -b->unit[i] * gained[s->rows[i]];
        size = dv_max(size, fabs(y[i]) / b->unit[i]);
    }
    b->moves |= noticed > DV_MOVES * size / b->unit[0];
    double most = dv_most_left(b, left, 1) / size;
    return most > 10 * DV_DISTINCT ? most : dv_most_left(b, left, 0) / size;
}

/* Whether a change of force that keeps the balance loads a contact that slips with friction: it then turns
 * with the slip. Bodies do not notice any other. */
static int dv_changes_turn(const dv_system *s, const dv_base *b) {
    int N = 3 * s->n;
    for (int j = 0; j < s->n; j++)
        for (int c = 0; c < b->changes && !s->sticks[j] && s->mu[j] > 0.0; c++)
            if (fabs(b->null[c * N + 3 * j]) > DV_DISTINCT) return 1;
    return 0;
}

/* The changes of force that keep the balance at the present rows, from those of a moment ago. 0 if they
 * are not found. */
static int dv_renew_changes(dv_engine *e, const dv_system *s, dv_base *b, double *forces,
                            double *work) {
    int N = 3 * s->n;
    double *y = work, *left = y + s->m, *rest = left + s->m;
    for (int c = 0; c < b->changes; c++) {
        double before = INFINITY, *change = b->null + c * N;
        for (int i = 0; i < s->m; i++) y[i] = change[s->rows[i]];
        for (int turn = 0; turn < DV_REFINEMENTS; turn++) {
            double most = dv_left_by(e, s, b, y, forces, left);
            if (most <= DV_CLOSE) break; /* forces chosen by changes are refined themselves */
            if (!(most <= before / 8)) return 0;
            before = most;
            dv_base_solve(b, left, rest);
            for (int i = 0; i < s->m; i++) y[i] += b->unit[i] * left[i];
        }
        dv_copy(change, forces, N);
    }
    dv_orthonormal(N, b->changes, b->null);
    return 1;
}

/* Forces y that the balance leaves open, chosen for a use; what they have to spare. */
static double dv_base_choose(dv_engine *e, const dv_system *s, const dv_base *b, int use, double *y,
                             double *forces, double *work) {
    double spare = dv_choose(e, s, b->soft, b->firm, use, b->changes, b->null, b->dual, forces,
                             work);
    for (int i = 0; i < s->m; i++) y[i] = forces[s->rows[i]];
    return spare;
}

/* Whether a use of forces asks how they can change: not where bodies do not notice and those that are
 * there are as good as any. */
static int dv_asks_changes(const dv_engine *e, const dv_system *s, const dv_base *b, int use,
                           double *forces) {
    if (!b->changes || !dv_system_rubs(s)) return 0;
    if (use == DV_FOR_SIGNALS || dv_changes_turn(s, b)) return 1;
    dv_load load = dv_load_of(s, b->soft, forces);
    return use == DV_FOR_WATCH && !dv_spares_enough(e, dv_least_spare(&load, forces));
}

/* Forces of a base at the present rows, to s->y, and changes of them if the use asks for these; 0 if they
 * are not found. */
static int dv_base_forces(dv_engine *e, const dv_system *s, dv_base *b, int use, double *forces) {
    dv_copy(s->y, b->y, s->m);
    if (!dv_refine(e, s, b, s->y, forces, s->rest)) return 0;
    if (!dv_asks_changes(e, s, b, use, forces)) return 1;
    return dv_renew_changes(e, s, b, forces, s->rest) && dv_refine(e, s, b, s->y, forces, s->rest);
}

/* The base of a system, with forces refined at the present rows; nothing if that does not succeed, now or
 * since the location was entered: constraints that are nearly redundant have other forces if they are
 * solved as they stand, and motion would jump from those to these and back. */
static dv_base *dv_base_here(dv_engine *e, dv_system *s, int use, double *forces) {
    dv_base *b = dv_find_base(e, s);
    if (b && b->fails == e->now.seeds) return NULL;
    if (b) {
        dv_seed_base(e, s, b);
        if (dv_base_forces(e, s, b, use, forces)) {
            dv_copy(b->y, s->y, s->m);
            return b;
        }
    } else {
        b = dv_new_base(e, s);
        if (!b) return NULL;
    }
    dv_factor_base(e, s, b);
    dv_copy(s->y, b->y, s->m);
    if (!dv_refine(e, s, b, s->y, forces, s->rest)) {
        b->fails = e->now.seeds;
        return NULL;
    }
    dv_copy(b->y, s->y, s->m);
    return b;
}
