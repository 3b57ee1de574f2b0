/* The forces of one island of contacts: (15), and which of them are taken where it leaves some open.
 * See dyverse.generation.balance.balance and distribution. */

#define DV_REGULAR 1e-8   /* pivots of the unit matrix over this: it is solved as it stands */
#define DV_EASE 1e-10     /* added to the diagonal where constraints are redundant */
#define DV_EASE_SOFT 1e-6 /* the same where only the size of an inverse is asked for */
#define DV_REFINED 8      /* times, then: what is left is then as small as rounding */
#define DV_MISSED 1e-8    /* m/s²: what rounding of velocities may leave of a constraint */
#define DV_MOVES 1e-5     /* share of what a force does by itself: more than that of a redundant one */

/* What is asked of forces that the balance leaves open. */
enum {
    DV_FOR_MOTION, /* nothing, unless the motion depends on them */
    DV_FOR_WATCH,  /* any that are admissible, if there are any */
    DV_FOR_SIGNALS /* the least of these */
};

/* D y + right = 0: normal forces of all contacts of an island, friction of those that stick. */
typedef struct {
    int n, m;      /* contacts, unknowns */
    const dv_closed *closed;
    const int *members;
    int *sticks;   /* per contact of the island */
    int *normal;   /* the place of its normal force among the unknowns, perhaps that of its leader, */
    int *rubs;     /* and of its friction, if it sticks */
    int *leader;   /* the contact of the island whose normal force it has */
    int *rows;     /* of each unknown: 3 * contact of the island + direction */
    int band, open; /* whether some forces are open */
    double missed;  /* then: by how much contacts accelerate nevertheless (m/s²) */
    double *G, *D, *LU, *right, *y, *unit, *per_normal, *mu, *rest;
} dv_system;

/* In how many directions contact j of an island rubs. */
static int dv_system_tangents(const dv_engine *e, const dv_system *s, int j) {
    return e->single[s->closed->contact[s->members[j]]] ? 1 : 2;
}

/* The places of an island's unknowns and memory for its numbers; `sticks` is known. */
static void dv_system_layout(dv_engine *e, dv_system *s) {
    s->m = 0;
    for (int j = 0; j < s->n; j++) {
        int leads = s->leader[j] == j, rows = dv_system_tangents(e, s, j);
        s->normal[j] = s->m;
        if (leads) s->rows[s->m++] = 3 * j;
        s->rubs[j] = s->m;
        for (int r = 1; r <= rows && s->sticks[j]; r++) s->rows[s->m++] = 3 * j + r;
    }
    for (int j = 0; j < s->n; j++) s->normal[j] = s->normal[s->leader[j]];
    s->G = e->problem.G;
    s->D = e->dense_work;
    s->LU = s->D + s->m * s->m;
    s->rest = s->LU + s->m * s->m;
}

/* Who leads whom in an island. */
static void dv_system_lead(const dv_engine *e, dv_system *s) {
    for (int j = 0; j < s->n; j++) {
        int k = s->members[j], leader = dv_led_by(e, s->closed, k);
        s->leader[j] = j;
        for (int i = 0; i < s->n && leader != k; i++)
            if (s->members[i] == leader) s->leader[j] = i;
    }
}

/* The sum of unknowns for friction, if they are sums of the rows of an inverse: its length. */
static double dv_system_rubbed(const dv_engine *e, const dv_system *s, int j, const double *sums) {
    const double *own = sums + s->rubs[j];
    return dv_system_tangents(e, s, j) == 2 ? dv_length(own[0], own[1]) : own[0];
}

static dv_system dv_system_of(dv_engine *e, const dv_closed *closed, int island) {
    dv_system s;
    s.closed = closed;
    s.members = closed->order + closed->first[island];
    s.n = closed->first[island + 1] - closed->first[island];
    s.band = s.open = s.m = 0;
    s.missed = 0.0;
    s.sticks = e->work_int;
    s.normal = s.sticks + s.n;
    s.rubs = s.normal + s.n;
    s.leader = s.rubs + s.n;
    s.rows = s.leader + s.n;
    dv_system_lead(e, &s);
    s.per_normal = e->local;
    s.mu = s.per_normal + 2 * s.n;
    s.right = s.mu + s.n;
    s.y = s.right + 3 * s.n;
    s.unit = s.y + 3 * s.n;
    s.G = s.D = s.LU = s.rest = NULL;
    return s;
}

/* Unknowns to begin with: the forces followed so far. */
static void dv_system_follow(const dv_engine *e, const dv_system *s) {
    for (int i = 0; i < s->m; i++) {
        int k = s->members[s->rows[i] / 3];
        s->y[i] = dv_dot3(s->closed->frame + 9 * k + 3 * (s->rows[i] % 3),
                          e->followed + 3 * s->closed->contact[k]);
    }
}

/* G, D and the right side, scaled so that the diagonal of G is one. */
static void dv_system_fill(dv_engine *e, dv_system *s, const double *free) {
    int N = 3 * s->n, m = s->m;
    dv_delassus(e, s->closed, s->members, s->n, s->G);
    for (int i = 0; i < m; i++) s->unit[i] = 1 / sqrt(s->G[s->rows[i] * N + s->rows[i]]);
    s->band = 0;
    for (int i = 0; i < m; i++) {
        int k = s->members[s->rows[i] / 3], r = s->rows[i] % 3;
        const double *g = s->G + s->rows[i] * N;
        double *row = s->D + i * m;
        for (int j = 0; j < m; j++) row[j] = g[s->rows[j]];
        for (int j = 0; j < s->n; j++)
            row[s->normal[j]] += g[3 * j + 1] * s->per_normal[2 * j] +
                                 g[3 * j + 2] * s->per_normal[2 * j + 1];
        for (int j = 0; j < m; j++) {
            row[j] *= s->unit[i] * s->unit[j];
            if (row[j] != 0.0 && abs(i - j) > s->band) s->band = abs(i - j);
        }
        s->right[i] = s->unit[i] * (dv_row_times(e, s->closed, k, r, free) +
                                    s->closed->bias[3 * k + r]);
    }
}

static double dv_system_factor(dv_system *s, double ease, int *pivot) {
    dv_copy(s->LU, s->D, s->m * s->m);
    for (int i = 0; i < s->m; i++) s->LU[i * s->m + i] += ease;
    return dv_lu(s->m, s->LU, s->band, pivot);
}

/* y, from forces of which those that are open are kept as they are. */
static void dv_system_solve(dv_engine *e, dv_system *s) {
    int m = s->m;
    double *left = s->rest;
    s->open = !(dv_system_factor(s, 0.0, e->pivots) > DV_REGULAR);
    if (s->open) dv_system_factor(s, DV_EASE, e->pivots);
    for (int i = 0; i < m; i++) s->y[i] = s->open ? s->y[i] / s->unit[i] : 0.0;
    for (int turn = 0; turn < (s->open ? DV_REFINED : 1); turn++) {
        for (int i = 0; i < m; i++) left[i] = -s->right[i] - dv_banded(m, s->D, s->band, i, s->y);
        dv_lu_solve(m, s->LU, s->band, e->pivots, left);
        for (int i = 0; i < m; i++) s->y[i] += left[i];
    }
    for (int i = 0; i < m && s->open; i++) {
        double missed = fabs(s->right[i] + dv_banded(m, s->D, s->band, i, s->y)) / s->unit[i];
        if (missed > DV_MISSED) s->missed = dv_max(s->missed, missed);
    }
    for (int i = 0; i < m; i++) s->y[i] *= s->unit[i];
}

/* Sums of the rows of |D⁺|, to `sums`; D_ε⁻¹ D D_ε⁻¹ where there is no inverse. */
static void dv_system_inverse_sums(dv_engine *e, dv_system *s, double *sums) {
    int m = s->m;
    double *column = s->rest, *again = column + m;
    if (s->open) dv_system_factor(s, DV_EASE_SOFT, e->pivots);
    dv_zero(sums, m);
    for (int j = 0; j < m; j++) {
        dv_zero(column, m);
        column[j] = 1.0;
        dv_lu_solve(m, s->LU, s->band, e->pivots, column);
        for (int i = 0; i < m && s->open; i++) again[i] = dv_banded(m, s->D, s->band, i, column);
        if (s->open) {
            dv_copy(column, again, m);
            dv_lu_solve(m, s->LU, s->band, e->pivots, column);
        }
        for (int i = 0; i < m; i++) sums[i] += fabs(column[i]) * s->unit[i] * s->unit[j];
    }
}

/* How much force goes with an acceleration, two numbers per contact of the island: see
 * dyverse.generation.balance.balance.Balance.softness. Spoils the factors. */
static void dv_system_softness(dv_engine *e, dv_system *s, double *soft) {
    int N = 3 * s->n;
    double *sums = s->rest + 2 * s->m;
    dv_system_inverse_sums(e, s, sums);
    for (int j = 0; j < s->n; j++) {
        soft[2 * j] = sums[s->normal[j]];
        soft[2 * j + 1] = s->sticks[j] ? s->mu[j] * soft[2 * j] + dv_system_rubbed(e, s, j, sums)
                                       : 1 / s->G[(3 * j + 1) * N + 3 * j + 1];
    }
}

/* λ from y, three per contact of the island. */
static void dv_system_forces(const dv_engine *e, const dv_system *s, const double *y,
                             double *forces) {
    for (int j = 0; j < s->n; j++) {
        int rows = s->sticks[j] ? dv_system_tangents(e, s, j) : 0;
        forces[3 * j] = y[s->normal[j]];
        for (int i = 0; i < 2; i++)
            forces[3 * j + 1 + i] = s->per_normal[2 * j + i] * forces[3 * j];
        for (int i = 0; i < rows; i++) forces[3 * j + 1 + i] = y[s->rubs[j] + i];
    }
}

/* Changes of force that keep the balance, rows of 3 n; returns how many. */
static int dv_system_changes(dv_engine *e, dv_system *s, double *changes) {
    int m = s->m, count;
    double *null = s->LU, *work = changes + m * 3 * s->n;
    count = dv_null_space(m, s->D, DV_REGULAR, null, work, e->pivots);
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < m; i++) null[c * m + i] *= s->unit[i];
        dv_system_forces(e, s, null + c * m, changes + c * 3 * s->n);
    }
    return count;
}

/* Whether changes that keep the balance still change how bodies accelerate. */
static int dv_system_moves(const dv_engine *e, const dv_system *s, const double *changes,
                           int count) {
    int N = 3 * s->n;
    for (int c = 0; c < count; c++) {
        const double *change = changes + c * N;
        double size = dv_largest(change, N), most = 0.0, own = 0.0;
        for (int i = 0; i < N; i++) {
            int j = i / 3, idle = i % 3 == 0 ? s->leader[j] != j
                                             : i % 3 > dv_system_tangents(e, s, j);
            if (idle) continue; /* nothing is pushed along it */
            most = dv_max(most, fabs(dv_dot(s->G + i * N, change, N)));
            own = dv_max(own, s->G[i * N + i]);
        }
        if (most > DV_MOVES * own * size) return 1;
    }
    return 0;
}

/* Whether a contact of an island slips with friction: then open forces can change the motion. */
static int dv_system_rubs(const dv_system *s) {
    for (int j = 0; j < s->n; j++)
        if (!s->sticks[j] && s->mu[j] > 0.0) return 1;
    return 0;
}

/* Make changes stand on one another, of length one. */
static void dv_orthonormal(int N, int count, double *changes) {
    for (int c = 0; c < count; c++) {
        double *own = changes + c * N;
        for (int turn = 0; turn < 2; turn++)
            for (int b = 0; b < c; b++) {
                const double *other = changes + b * N;
                double share = dv_dot(own, other, N);
                dv_add_times(own, -share, other, N);
            }
        double size = sqrt(dv_dot(own, own, N));
        for (int i = 0; i < N; i++) own[i] /= size;
    }
}

/* The shortest of the forces λ + Σ z ν: what orthonormal changes share with it is taken out. */
static void dv_shortest_forces(int N, int count, const double *changes, double *forces) {
    for (int c = 0; c < count; c++) {
        const double *own = changes + c * N;
        double share = dv_dot(own, forces, N);
        dv_add_times(forces, -share, own, N);
    }
}

/* The load that such forces of an island are, measured by `soft`. */
static dv_load dv_load_of(const dv_system *s, const double *soft, double *forces) {
    dv_load load;
    memset(&load, 0, sizeof load);
    load.n = s->n;
    load.forces = forces;
    load.mu = s->mu;
    load.sticks = s->sticks;
    load.soft = soft;
    load.force = load.acceleration = 1.0;
    return load;
}

/* Whether forces with that to spare need not be replaced. */
static int dv_spares_enough(const dv_engine *e, double spare) {
    return spare >= -e->options.acceleration / 8;
}

/* Other forces for an island whose own are open, by orthonormal changes: see DV_FOR_WATCH and its like.
 * What they have to spare is measured by `soft`, and weighed by `firm` in the search for the most.
 * Returns it (m/s²), if there are any that meet all constraints. */
static double dv_choose(dv_engine *e, const dv_system *s, const double *soft, const double *firm,
                        int use, int count, const double *changes, double *dual, double *forces,
                        double *work) {
    double margin = e->options.acceleration;
    dv_load load = dv_load_of(s, soft, forces);
    load.k = count;
    load.changes = changes;
    double spare = dv_least_spare(&load, forces);
    if (use == DV_FOR_WATCH && dv_spares_enough(e, spare)) return spare;
    dv_shortest_forces(3 * s->n, count, changes, forces);
    spare = dv_least_spare(&load, forces);
    if (dv_spares_enough(e, spare)) return spare;
    if (use != DV_FOR_WATCH && dual && dv_shortest_admissible(&load, dual, work, e->pivots))
        return dv_least_spare(&load, forces);
    load.soft = firm;
    spare = dv_share_load(&load, margin, work);
    if (use != DV_FOR_WATCH && spare >= -margin / 2) dv_shorten(&load, spare, margin, work);
    if (soft == firm) return spare;
    load.soft = soft;
    load.force = load.acceleration = 1.0;
    return dv_least_spare(&load, forces);
}

/* The same for a system that was just solved; the changes are found first. */
static double dv_system_share(dv_engine *e, dv_system *s, const double *soft, int use,
                              double *forces) {
    int N = 3 * s->n;
    double *changes = s->LU + s->m * s->m;
    dv_load load = dv_load_of(s, soft, forces);
    double spare = dv_least_spare(&load, forces);
    if (use == DV_FOR_WATCH && dv_spares_enough(e, spare)) return spare;
    int count = dv_system_changes(e, s, changes);
    if (count == 0 || (use == DV_FOR_MOTION && !dv_system_moves(e, s, changes, count))) return spare;
    dv_orthonormal(N, count, changes);
    return dv_choose(e, s, soft, soft, use, count, changes, NULL, forces,
                     changes + count * N);
}
