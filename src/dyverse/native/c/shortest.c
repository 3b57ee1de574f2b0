/* The admissible forces of least norm, from what was found a moment ago.
 *
 * Of λ0 + Σ z ν, with λ0 the shortest and ν orthonormal, the shortest within the cones of friction is
 * λ0 + Σ ν (ν·P(u)), P projecting on the cones, for u ⊥ ν with E P(u) = λ0, E = I - Σ ν νᵀ: there the
 * convex θ(u) = ½|P(u)|² - λ0·u is least. Newton's method on that dual [qi2006] takes a few steps from
 * the last u, where dv_share_load and dv_shorten begin with nothing; each needs a system of as many
 * unknowns as contacts at their limits have. A contact that sticks has three unknowns; any other has
 * one, the length of its normal force with the friction that is tied to it. */

#define DV_SHORT_TURNS 30
#define DV_SHORT_MET 1e-14   /* of the forces: what may be left */
#define DV_SHORT_CLOSE 1e-12 /* and where steps get no further */
#define DV_SHORT_EASE 1e-12  /* keeps systems regular where there is more than one u, at least; */
#define DV_SHORT_FAR 0.1     /* times what is left far away, */
#define DV_SHORT_MOST 1e-2   /* at most */

typedef struct {
    const dv_load *load;
    int m;
    int *place;     /* of the first unknown of each contact */
    double *basis;  /* ν, k rows of m */
    double *least, *u, *found, *left, *step, *there, *pull; /* λ0, u, P(u), λ0 - E P(u), … */
    double *slope;  /* I - P', nine numbers per contact */
    double *system; /* of the unknowns of contacts at their limits, */
    int *limited, *pivot, limits; /* which these are; those of a contact in a row */
} dv_short;

/* How long the force of a contact that does not stick is, over its normal force. */
static double dv_tied_length(const dv_load *l, int j) {
    return sqrt(1.0 + l->mu[j] * l->mu[j]);
}

/* Forces, three per contact, as unknowns. */
static void dv_short_unknowns(const dv_short *s, const double *forces, double *out) {
    for (int j = 0; j < s->load->n; j++) {
        if (s->load->sticks[j])
            dv_copy(out + s->place[j], forces + 3 * j, 3);
        else
            out[s->place[j]] = forces[3 * j] * dv_tied_length(s->load, j);
    }
}

/* Memory: (k + 7) m + 9 n + m m doubles, 2 m + n + 8 ints. */
static dv_short dv_short_begin(const dv_load *l, double *memory, int *ints) {
    dv_short s;
    memset(&s, 0, sizeof s);
    s.load = l;
    s.place = ints;
    for (int j = 0; j < l->n; j++) {
        s.place[j] = s.m;
        s.m += l->sticks[j] ? 3 : 1;
    }
    double **own[] = {&s.least, &s.u, &s.found, &s.left, &s.step, &s.there, &s.pull};
    for (int i = 0; i < 7; i++, memory += s.m) *own[i] = memory;
    s.slope = memory;
    s.basis = s.slope + 9 * l->n;
    s.system = s.basis + (long)l->k * s.m;
    s.limited = ints + l->n;
    s.pivot = s.limited + s.m;
    for (int c = 0; c < l->k; c++)
        dv_short_unknowns(&s, l->changes + (long)c * 3 * l->n, s.basis + (long)c * s.m);
    return s;
}

/* Take out of a vector what it shares with ν. */
static void dv_short_project(const dv_short *s, double *vector) {
    for (int c = 0; c < s->load->k; c++) {
        const double *own = s->basis + (long)c * s->m;
        double share = dv_dot(own, vector, s->m);
        dv_add_times(vector, -share, own, s->m);
    }
}

/* The nearest force of the cone ‖t‖ <= μ n, and I - P' if it is asked for; whether it is another. */
static int dv_nearest_in_cone(double mu, const double *u, double *out, double *slope) {
    double size = dv_length(u[1], u[2]);
    dv_copy(out, u, 3);
    if (size <= mu * u[0]) return 0;
    if (slope) dv_zero(slope, 9);
    for (int i = 0; i < 9 && slope; i += 4) slope[i] = 1.0;
    if (mu * size <= -u[0]) {
        dv_zero(out, 3);
        return 1;
    }
    double along = (u[0] + mu * size) / (1.0 + mu * mu), turn = mu * along / size;
    double axis[3] = {1.0, mu * u[1] / size, mu * u[2] / size};
    double across[3] = {0.0, -u[2] / size, u[1] / size};
    for (int i = 0; i < 3; i++) out[i] = along * axis[i];
    for (int i = 0; i < 9 && slope; i++)
        slope[i] -= axis[i / 3] * axis[i % 3] / (1.0 + mu * mu) +
                    turn * across[i / 3] * across[i % 3];
    return 1;
}

/* P(u); if `steep`, also who is at a limit, and I - P' there. */
static void dv_short_nearest(dv_short *s, const double *u, double *out, int steep) {
    s->limits = steep ? 0 : s->limits;
    for (int j = 0; j < s->load->n; j++) {
        int at = s->place[j], sticks = s->load->sticks[j], limited;
        double *slope = steep ? s->slope + 9 * j : NULL;
        if (sticks) {
            limited = dv_nearest_in_cone(s->load->mu[j], u + at, out + at, slope);
        } else {
            limited = !(u[at] > 0.0);
            out[at] = limited ? 0.0 : u[at];
        }
        for (int r = 0; r < (sticks ? 3 : 1) && limited && steep; r++)
            s->limited[s->limits++] = at + r;
    }
}

/* θ at u, whose P(u) goes to `found` and λ0 - E P(u) to `left`. */
static double dv_short_value(dv_short *s, const double *u, int steep) {
    dv_short_nearest(s, u, s->found, steep);
    dv_copy(s->left, s->found, s->m);
    dv_short_project(s, s->left);
    for (int i = 0; i < s->m; i++) s->left[i] = s->least[i] - s->left[i];
    return dv_dot(s->found, s->found, s->m) / 2 - dv_dot(s->least, u, s->m);
}

/* Multiply a row of unknowns at limits by I - P', contact by contact, from the left. */
static void dv_short_steepen(const dv_short *s, const double *row, double *out) {
    for (int j = 0, i = 0; i < s->limits; j++) {
        if (s->limited[i] != s->place[j]) continue;
        const double *Q = s->slope + 9 * j;
        if (!s->load->sticks[j]) {
            out[i] = row[i];
            i++;
            continue;
        }
        double own[3] = {row[i], row[i + 1], row[i + 2]};
        for (int r = 0; r < 3; r++) out[i++] = dv_dot3(own, Q + 3 * r);
    }
}

/* Newton's step: E P' d = what is left, or d - E (I - P') d = left, which is asked of the unknowns at
 * limits first. */
static void dv_short_step(dv_short *s, double ease) {
    int z = s->limits;
    double *A = s->system, *d = s->step;
    for (int a = 0; a < z; a++) {
        for (int b = 0; b < z; b++) {
            double sum = a == b ? 1.0 : 0.0;
            for (int c = 0; c < s->load->k; c++) {
                const double *own = s->basis + (long)c * s->m;
                sum -= own[s->limited[a]] * own[s->limited[b]];
            }
            A[a * z + b] = sum * (1.0 - ease);
        }
        dv_short_steepen(s, A + a * z, A + a * z);
        for (int b = 0; b < z; b++) A[a * z + b] = (a == b ? 1.0 : 0.0) - A[a * z + b];
        d[a] = s->left[s->limited[a]];
    }
    if (z) dv_lu(z, A, z, s->pivot);
    if (z) dv_lu_solve(z, A, z, s->pivot, d);
    dv_short_steepen(s, d, d);
    dv_zero(s->pull, s->m);
    for (int a = 0; a < z; a++) s->pull[s->limited[a]] = d[a] * (1.0 - ease);
    dv_short_project(s, s->pull);
    for (int i = 0; i < s->m; i++) d[i] = s->left[i] + s->pull[i];
}

/* Along the step to the first half, quarter … that lowers θ; near the end what is left decides, since
 * θ is then flat to rounding. Returns what is left, or a negative number. */
static double dv_short_search(dv_short *s, double *value) {
    double slope = dv_dot(s->left, s->step, s->m), before = dv_largest(s->left, s->m);
    for (double share = 1.0; share > 1e-6; share /= 2) {
        for (int i = 0; i < s->m; i++) s->there[i] = s->u[i] + share * s->step[i];
        double there = dv_short_value(s, s->there, 1), left = dv_largest(s->left, s->m);
        if (!(there <= *value - 1e-4 * share * slope) && !(left <= before / 4)) continue;
        dv_copy(s->u, s->there, s->m);
        *value = there;
        return left;
    }
    return -1.0;
}

/* Of the forces of a load, which are the shortest that keep the balance, the shortest that are also
 * admissible; 0 if they are not found. `u` are its unknowns as found last, or zero. */
int dv_shortest_admissible(dv_load *l, double *u, double *memory, int *ints) {
    dv_short s = dv_short_begin(l, memory, ints);
    int N = 3 * l->n;
    dv_short_unknowns(&s, l->forces, s.least);
    dv_short_project(&s, s.least);
    dv_copy(s.u, dv_largest(u, s.m) > 0.0 ? u : s.least, s.m);
    dv_short_project(&s, s.u);
    double size = dv_max(dv_largest(s.least, s.m), DBL_MIN), value = dv_short_value(&s, s.u, 1);
    double left = dv_largest(s.left, s.m);
    for (int turn = 0; turn < DV_SHORT_TURNS && left > DV_SHORT_MET * size; turn++) {
        dv_short_step(&s, dv_max(DV_SHORT_EASE, dv_min(DV_SHORT_MOST, DV_SHORT_FAR * left / size)));
        double next = dv_short_search(&s, &value);
        if (next < 0.0) break;
        left = next;
    }
    if (!(left <= DV_SHORT_CLOSE * size)) return 0;
    dv_copy(u, s.u, s.m);
    dv_short_value(&s, s.u, 0);
    for (int c = 0; c < l->k; c++) {
        double share = dv_dot(s.basis + (long)c * s.m, s.found, s.m);
        dv_add_times(l->forces, share, l->changes + c * N, N);
    }
    return 1;
}
