/* Contact problems: how wrong an answer is. See dyverse.contact.law.problem, of which this is the
 * translation: ξ = G λ + c, 0 <= λ_N ⟂ ξ_N >= 0, ‖λ_T‖ <= μ λ_N. Rows go normal, tangent 1, 2. */

/* The blocks of G in row j that are not zero; its own is among them. */
static void dv_find_beside(dv_problem *p, int j) {
    int N = 3 * p->n;
    p->besides[j] = 0;
    for (int k = 0; k < p->n; k++) {
        const double *block = p->G + 3 * j * N + 3 * k;
        double size = 0.0;
        for (int i = 0; i < 9 && k != j; i++) size += fabs(block[i / 3 * N + i % 3]);
        if (k == j || size > 0.0) p->beside[j * p->n + p->besides[j]++] = k;
    }
}

/* The scales of a contact's normal and tangents from its block of an N x N matrix; 0 if it cannot
 * move apart. */
int dv_scales(const double *block, int N, double *a, double *t) {
    double first = block[N + 1], second = block[2 * N + 2], beside = block[N + 2];
    double most = (first + second) / 2 + dv_length((first - second) / 2, beside);
    *a = block[0];
    *t = most > 0.0 ? most : block[0];
    return *a > 0.0 && isfinite(*a + *t);
}

/* a, t and what is beside each contact; 0 if some contact cannot move apart. */
int dv_prepare(dv_problem *p) {
    int N = 3 * p->n;
    for (int j = 0; j < p->n; j++) {
        if (!dv_scales(p->G + 3 * j * N + 3 * j, N, p->a + j, p->t + j)) return 0;
        dv_find_beside(p, j);
    }
    return 1;
}

/* How large friction may be, in `units` of force. */
static double dv_friction_limit(const dv_problem *p, int j, double normal, double units) {
    return p->mu[j] * (dv_max(normal, 0.0) + (p->granted ? units * p->granted[j] : 0.0));
}

/* Nearest point of the disc of that radius, or the friction of a slipping contact; (A6). */
static void dv_friction_within(const dv_problem *p, int j, double radius, const double *tangent,
                               double *out) {
    if (p->directed[j]) {
        out[0] = -radius * p->sliding[2 * j];
        out[1] = -radius * p->sliding[2 * j + 1];
        return;
    }
    double length = dv_length(tangent[0], tangent[1]);
    double shrink = length > radius ? radius / dv_max(length, DBL_MIN) : 1.0;
    out[0] = shrink * tangent[0];
    out[1] = shrink * tangent[1];
}

static void dv_friction_force(const dv_problem *p, int j, double normal, const double *tangent,
                              double *out) {
    dv_friction_within(p, j, dv_friction_limit(p, j, normal, 1.0), tangent, out);
}

/* A row of G, or of a matrix with the same zeros, times a vector. */
static double dv_sparse(const dv_problem *p, const double *G, int row, const double *vector) {
    const int *beside = p->beside + row / 3 * p->n;
    const double *g = G + row * 3 * p->n;
    double sum = 0.0;
    if (p->n == 1) return dv_dot3(g, vector);
    for (int i = 0; i < p->besides[row / 3]; i++)
        sum += dv_dot3(g + 3 * beside[i], vector + 3 * beside[i]);
    return sum;
}

static double dv_row(const dv_problem *p, int row, const double *forces) {
    return dv_sparse(p, p->G, row, forces) + p->c[row];
}

/* How far contact j is from its laws, in units of ξ: the natural map times its scale. */
static double dv_contact_residual(const dv_problem *p, const double *forces, int j) {
    const double *own = forces + 3 * j;
    double wrong = fabs(dv_min(p->a[j] * own[0], dv_row(p, 3 * j, forces)));
    if (p->mu[j] == 0.0 && own[1] == 0.0 && own[2] == 0.0) return wrong;
    double estimate[2], nearest[2];
    for (int i = 0; i < 2; i++)
        estimate[i] = own[1 + i] - dv_row(p, 3 * j + 1 + i, forces) / p->t[j];
    dv_friction_force(p, j, own[0], estimate, nearest);
    return dv_max(wrong, p->t[j] * dv_length(own[1] - nearest[0], own[2] - nearest[1]));
}

/* max |c_N|: what residuals are relative to. */
static double dv_scale(const dv_problem *p) {
    double most = DBL_MIN;
    for (int j = 0; j < p->n; j++) most = dv_max(most, fabs(p->c[3 * j]));
    return most;
}

static double dv_worst(const dv_problem *p, const double *forces) {
    double worst = 0.0;
    for (int j = 0; j < p->n; j++) {
        double left = dv_contact_residual(p, forces, j);
        if (!(left <= worst)) worst = left; /* also not a number */
    }
    return worst;
}

static double dv_residual(const dv_problem *p, const double *forces) {
    double worst = dv_worst(p, forces) / dv_scale(p);
    return isnan(worst) ? INFINITY : worst;
}

/* Bound of the rounding error of ξ itself, 8 ε max(|G| |λ| + |c|), over the scale. */
static double dv_rounding(const dv_problem *p, const double *forces) {
    int N = 3 * p->n;
    double most = 0.0;
    for (int i = 0; i < N; i++) {
        double sum = fabs(p->c[i]);
        for (int k = 0; k < N; k++) sum += fabs(p->G[i * N + k] * forces[k]);
        most = dv_max(most, sum);
    }
    return 8 * DBL_EPSILON * most / dv_scale(p);
}

static void dv_feasible(const dv_problem *p, double *forces) {
    for (int j = 0; j < p->n; j++) {
        double nearest[2];
        forces[3 * j] = dv_max(forces[3 * j], 0.0);
        dv_friction_force(p, j, forces[3 * j], forces + 3 * j + 1, nearest);
        forces[3 * j + 1] = nearest[0];
        forces[3 * j + 2] = nearest[1];
    }
}

/* Whether every contact is frictionless or has its slip direction given. */
static int dv_is_linear(const dv_problem *p) {
    for (int j = 0; j < p->n; j++)
        if (!p->directed[j] && p->mu[j] != 0.0) return 0;
    return 1;
}
