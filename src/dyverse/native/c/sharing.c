/* Loads that several contacts share: dyverse.contact.law.sharing. The reserve is the most that every
 * contact can have to spare at once; it is found along the central path of a logarithmic barrier. */

#define DV_FIRST_WEIGHT 0.2 /* of the objective, per constraint */
#define DV_GROWTH 20.0  /* of the objective's weight, from one centre to the next */
#define DV_CENTRED 1e-2 /* Newton's decrement below which a point counts as central */
#define DV_ROOM 1e4     /* of normal forces, in units of the load: what is wedged is pressed at will */
#define DV_SHARP 1e-14  /* of the objective: how far to follow the path for forces of least norm */

/* work: (k + 1)² + 7 (k + 1) + 3 n doubles. */
static void dv_load_begin(dv_load *l, double *work) {
    int m = l->k + 1;
    double soft = dv_largest(l->soft, 2 * l->n);
    l->point = work;
    l->step = l->point + m;
    l->there = l->step + m;
    l->gradient = l->there + m;
    l->hessian = l->gradient + m;
    l->at = l->hessian + m * m;
    l->slope = l->at + 3 * l->n;
    l->force = dv_max(dv_largest(l->forces, 3 * l->n), DBL_MIN);
    l->acceleration = l->force / soft;
    dv_zero(l->point, m);
}

/* λ at a point, in units of force. */
static void dv_load_at(const dv_load *l, const double *point, double *forces) {
    int N = 3 * l->n;
    for (int i = 0; i < N; i++) forces[i] = l->forces[i] / l->force;
    for (int j = 0; j < l->k; j++)
        dv_add_times(forces, point[j], l->changes + j * N, N);
}

static double dv_soft(const dv_load *l, int i) {
    return l->soft[i] * l->acceleration / l->force;
}

/* What contact j has to spare, over its softness; `forces` in units. */
static double dv_spare(const dv_load *l, const double *forces, int j) {
    const double *own = forces + 3 * j;
    double spare = own[0] / dv_soft(l, 2 * j);
    if (!l->sticks[j]) return spare;
    double reserve = l->mu[j] * own[0] - dv_length(own[1], own[2]);
    return dv_min(spare, reserve / dv_soft(l, 2 * j + 1));
}

double dv_least_spare(const dv_load *l, const double *forces) {
    double least = INFINITY;
    for (int j = 0; j < l->n; j++) least = dv_min(least, dv_spare(l, forces, j));
    return least;
}

static int dv_load_order(const dv_load *l) {
    int order = 2 * l->n + 1;
    for (int j = 0; j < l->n; j++) order += 2 * (l->sticks[j] != 0);
    return order;
}

/* Axis u and left = u² - ‖v‖² of a contact's cone at reserve s. */
static double dv_cone(const dv_load *l, const double *own, int j, double s, double *left) {
    double axis = l->mu[j] * own[0] - s * dv_soft(l, 2 * j + 1), size = dv_length(own[1], own[2]);
    *left = (axis - size) * (axis + size);
    return axis;
}

/* The objective, w ‖λ‖²/2 or -w s, and the barrier, infinite outside. */
static double dv_load_value(dv_load *l, const double *point, double weight, int shorten) {
    double s = point[l->k], within = 1.0 - s, sum = 0.0, left;
    dv_load_at(l, point, l->at);
    if (!(within > 0.0)) return INFINITY;
    for (int j = 0; j < l->n; j++) {
        const double *own = l->at + 3 * j;
        double normal = own[0] - s * dv_soft(l, 2 * j);
        if (!(normal > 0.0 && own[0] < DV_ROOM)) return INFINITY;
        sum += log(normal) + log(DV_ROOM - own[0]);
        if (!l->sticks[j]) continue;
        double axis = dv_cone(l, own, j, s, &left);
        if (!(axis > 0.0 && left > 0.0)) return INFINITY;
        sum += log(left);
    }
    double aim = shorten ? dv_dot(l->at, l->at, 3 * l->n) / 2 : -s;
    return weight * aim - sum - log(within);
}

/* Add c v vᵀ to the Hessian, of the first m unknowns. */
static void dv_add_square(dv_load *l, int m, double c, const double *v) {
    for (int a = 0; a < m; a++) {
        double share = c * v[a], *row = l->hessian + a * (l->k + 1);
        if (share == 0.0) continue;
        dv_add_times(row, share, v, a + 1);
    }
}

/* Slopes of normal, axis and what lies across, of contact j: rows of k + 1. */
static void dv_load_slopes(dv_load *l, int j, int r, double factor, double by_reserve, double *out) {
    for (int i = 0; i < l->k; i++) out[i] = factor * l->changes[i * 3 * l->n + 3 * j + r];
    out[l->k] = by_reserve;
}

/* One contact's part of gradient and Hessian at the point whose forces are in `at`. */
static void dv_load_contact(dv_load *l, int j, double s, int m) {
    const double *own = l->at + 3 * j;
    double *d = l->slope, *tilt = d + l->k + 1, *across = tilt + l->k + 1, left;
    double soft = dv_soft(l, 2 * j), normal = own[0] - s * soft;
    dv_load_slopes(l, j, 0, 1.0, -soft, d);
    for (int i = 0; i < m; i++) l->gradient[i] -= d[i] / normal;
    dv_add_square(l, m, 1 / (normal * normal), d);
    double room = DV_ROOM - own[0];
    d[l->k] = 0.0;
    for (int i = 0; i < m; i++) l->gradient[i] += d[i] / room;
    dv_add_square(l, m, 1 / (room * room), d);
    if (!l->sticks[j]) return;
    double axis = dv_cone(l, own, j, s, &left);
    dv_load_slopes(l, j, 0, l->mu[j], -dv_soft(l, 2 * j + 1), d);
    for (int i = 0; i < m; i++) tilt[i] = axis * d[i];
    dv_add_square(l, m, -2 / left, d);
    for (int r = 1; r < 3; r++) {
        dv_load_slopes(l, j, r, 1.0, 0.0, across);
        for (int i = 0; i < m; i++) tilt[i] -= own[r] * across[i];
        dv_add_square(l, m, 2 / left, across);
    }
    for (int i = 0; i < m; i++) l->gradient[i] -= 2 * tilt[i] / left;
    dv_add_square(l, m, 4 / (left * left), tilt);
}

/* Gradient and Hessian (lower half) of objective and barrier; m unknowns: with or without s. */
static void dv_load_derivatives(dv_load *l, double weight, int shorten) {
    int k = l->k, m = shorten ? k : k + 1;
    double s = l->point[k], within = 1.0 - s;
    dv_load_at(l, l->point, l->at);
    dv_zero(l->gradient, k + 1);
    dv_zero(l->hessian, (k + 1) * (k + 1));
    for (int j = 0; j < l->n; j++) dv_load_contact(l, j, s, m);
    if (!shorten) {
        l->gradient[k] += 1 / within - weight;
        l->hessian[k * (k + 1) + k] += 1 / (within * within);
        return;
    }
    for (int a = 0; a < k; a++) {
        const double *change = l->changes + a * 3 * l->n;
        l->gradient[a] += weight * dv_dot(change, l->at, 3 * l->n);
        for (int b = 0; b <= a; b++)
            l->hessian[a * (k + 1) + b] +=
                weight * dv_dot(change, l->changes + b * 3 * l->n, 3 * l->n);
    }
}

/* Newton's step by Cholesky's method; scaled first, because what is nearly used up weighs the most
 * by far. Returns the decrement. */
static double dv_load_step(dv_load *l, int m) {
    int row = l->k + 1;
    double *H = l->hessian, *step = l->step, *scale = l->slope, decrement = 0.0;
    for (int i = 0; i < m; i++) scale[i] = 1 / sqrt(H[i * row + i]);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = H[i * row + j] * scale[i] * scale[j] + (i == j ? 1e-14 : 0.0);
            sum -= dv_dot(H + i * row, H + j * row, j);
            H[i * row + j] = i == j ? sqrt(dv_max(sum, 1e-30)) : sum / H[j * row + j];
        }
        step[i] = -scale[i] * l->gradient[i] - dv_dot(H + i * row, step, i);
        step[i] /= H[i * row + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++) step[i] -= H[j * row + i] * step[j];
        step[i] /= H[i * row + i];
    }
    for (int i = 0; i < m; i++) {
        step[i] *= scale[i];
        decrement -= step[i] * l->gradient[i];
    }
    for (int i = m; i < row; i++) step[i] = 0.0;
    return decrement;
}

/* Along the step to the first half, quarter … that is lower; 0 if there is none. */
static int dv_load_search(dv_load *l, double decrement, double weight, int shorten, int order) {
    double before = dv_load_value(l, l->point, weight, shorten);
    double noise = 1e-13 * (fabs(before) + order);
    for (double share = 1.0; share > 1e-10; share /= 2) {
        for (int i = 0; i <= l->k; i++) l->there[i] = l->point[i] + share * l->step[i];
        double value = dv_load_value(l, l->there, weight, shorten);
        if (!(value <= before - share * decrement / 10 + noise)) continue;
        dv_copy(l->point, l->there, l->k + 1);
        return 1;
    }
    return 0;
}

/* To the point of the central path for one weight; 0 if it is not reached. */
static int dv_load_centre(dv_load *l, double weight, int shorten, int order) {
    for (int turn = 0; turn < 50; turn++) {
        dv_load_derivatives(l, weight, shorten);
        double decrement = dv_load_step(l, shorten ? l->k : l->k + 1);
        if (!(decrement > 0.0)) return 1;
        if (!dv_load_search(l, decrement, weight, shorten, order)) return 0;
        if (decrement < DV_CENTRED) return 1;
    }
    return 0;
}

static void dv_load_take(dv_load *l) {
    dv_load_at(l, l->point, l->at);
    for (int i = 0; i < 3 * l->n; i++) l->forces[i] = l->force * l->at[i];
}

/* The distribution with the most to spare, within a factor of two or `margin` of it, to `forces`.
 * Returns the reserve (m/s²). */
double dv_share_load(dv_load *l, double margin, double *work) {
    dv_load_begin(l, work);
    int order = dv_load_order(l);
    double tolerated = margin / l->acceleration, weight = DV_FIRST_WEIGHT * order;
    dv_load_at(l, l->point, l->at);
    double spare = dv_least_spare(l, l->at); /* from well within, or the path is hard to find */
    l->point[l->k] = dv_min(spare, 1.0) - 1.0 - fabs(spare);
    for (;; weight *= DV_GROWTH) {
        int centred = dv_load_centre(l, weight, 0, order);
        double gap = order / weight, found = l->point[l->k];
        int sure = found > gap || found + gap < -tolerated || gap < tolerated / 8;
        if (!sure && centred) continue;
        dv_load_take(l);
        return l->acceleration * found;
    }
}

/* The admissible distribution of least norm, from one that `dv_share_load` has found, to `forces`. */
void dv_shorten(dv_load *l, double reserve, double margin, double *work) {
    dv_load_begin(l, work);
    int order = dv_load_order(l);
    l->point[l->k] = reserve > margin ? 0.0 : -margin / l->acceleration;
    for (double weight = DV_GROWTH; order / weight > DV_SHARP / DV_GROWTH; weight *= DV_GROWTH)
        if (!dv_load_centre(l, weight, 1, order)) break;
    dv_load_take(l);
}
