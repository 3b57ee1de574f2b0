/* The flow of a dynamical location: vector field, watched signals, and the way back from drift.
 * See dyverse.generation.dynamics and flow; paper (14), (15). */

/* Take the closed contacts of the modes into `closed`, with their islands. */
static dv_code dv_enter(dv_engine *e) {
    dv_closed *closed = &e->closed;
    closed->count = 0;
    for (int c = 0; c < e->contacts; c++) {
        if (e->modes[c] == DV_OPEN) continue;
        if (closed->count == e->room) return DV_TOO_MANY;
        closed->contact[closed->count++] = c;
    }
    e->now.closed = closed->count;
    dv_keep_flats(e, closed);
    dv_find_islands(e, closed);
    e->fresh = e->steady = 0;
    return DV_OK;
}

static void dv_unit(const double *vector, double *out) {
    double length = dv_length(vector[0], vector[1]);
    out[0] = length > 0.0 ? vector[0] / length : 1.0;
    out[1] = length > 0.0 ? vector[1] / length : 0.0;
}

/* Remember, in world axes, where contact k is heading. */
static void dv_set_ahead(dv_engine *e, int k, const double *way) {
    const double *frame = e->closed.frame + 9 * k;
    double unit[3] = {0.0, 0.0, 0.0};
    dv_unit(way, unit + 1);
    dv_to_world(frame, unit, e->ahead + 3 * e->closed.contact[k]);
}

/* Where each contact is heading: along its slip, or against the friction that a node found. */
static void dv_directions(dv_engine *e) {
    dv_closed *closed = &e->closed;
    dv_rows(e, closed, e->x);
    for (int k = 0; k < closed->count; k++) {
        int c = closed->contact[k];
        if (e->modes[c] == DV_TRANS) {
            double held[3];
            dv_to_frame(closed->frame + 9 * k, e->held + 3 * c, held);
            double back[2] = {-held[1], -held[2]};
            dv_set_ahead(e, k, back);
        } else {
            dv_set_ahead(e, k, closed->speed + 3 * k + 1);
        }
    }
}

/* Slip speed, counted negative once a contact slips back past where it was heading. */
static double dv_along(const dv_engine *e, int k, double *heading) {
    const dv_closed *closed = &e->closed;
    double slip = dv_slip_speed(closed, k);
    const double *speed = closed->speed + 3 * k, *ahead = e->ahead + 3 * closed->contact[k];
    heading[0] = dv_dot3(closed->frame + 9 * k + 3, ahead);
    heading[1] = dv_dot3(closed->frame + 9 * k + 6, ahead);
    return heading[0] * speed[1] + heading[1] * speed[2] < 0.0 ? -slip : slip;
}

/* Friction per unit of normal force at contact k, -μ d; zero where it sticks. Beyond a change of
 * sign d goes on as before, so that the field is smooth through the event. */
static double dv_rubbing(const dv_engine *e, int k, double *per_normal) {
    const dv_closed *closed = &e->closed;
    int c = closed->contact[k], mode = e->modes[c];
    double heading[2], mu = dv_friction(e, c, mode == DV_STICK ? 0.0 : dv_slip_speed(closed, k));
    per_normal[0] = per_normal[1] = 0.0;
    if (mode == DV_STICK || mu == 0.0) return mu;
    double along = dv_along(e, k, heading);
    int still = mode == DV_TRANS || along == 0.0;
    for (int i = 0; i < 2; i++)
        per_normal[i] = -mu * (still ? heading[i] : closed->speed[3 * k + 1 + i] / along);
    return mu;
}

/* One island of (15): the system D y + right = 0 of its normal forces and sticking friction. */
typedef struct {
    int n, m;      /* contacts, unknowns */
    const int *members;
    int *rows;     /* 3 * member + direction, of the equations and unknowns */
    double *G, *D, *inverse, *right, *y, *per_normal, *mu, *work;
} dv_system;

static dv_system dv_system_of(dv_engine *e, int island) {
    dv_closed *closed = &e->closed;
    dv_system s;
    s.members = closed->order + closed->first[island];
    s.n = closed->first[island + 1] - closed->first[island];
    s.rows = e->work_int;
    s.G = e->problem.G;
    s.per_normal = e->local;
    s.mu = e->local + 2 * s.n;
    s.right = e->local + 3 * s.n;
    s.y = e->local + 6 * s.n;
    s.m = s.n;
    for (int j = 0; j < s.n; j++) {
        int k = s.members[j];
        s.rows[j] = 3 * j;
        s.mu[j] = dv_rubbing(e, k, s.per_normal + 2 * j);
    }
    for (int j = 0; j < s.n; j++)
        for (int i = 1; i < 3 && e->modes[closed->contact[s.members[j]]] == DV_STICK; i++)
            s.rows[s.m++] = 3 * j + i;
    s.D = e->dense_work;
    s.inverse = s.D + s.m * s.m;
    s.work = s.inverse + s.m * s.m;
    return s;
}

static void dv_system_fill(dv_engine *e, dv_system *s, const double *free) {
    dv_closed *closed = &e->closed;
    int N = 3 * s->n;
    dv_delassus(e, closed, s->members, s->n, s->G);
    for (int i = 0; i < s->m; i++) {
        int k = s->members[s->rows[i] / 3], r = s->rows[i] % 3;
        const double *g = s->G + s->rows[i] * N;
        s->right[i] = dv_row_times(e, closed, k, r, free) + closed->bias[3 * k + r];
        for (int j = 0; j < s->m; j++) s->D[i * s->m + j] = g[s->rows[j]];
        for (int j = 0; j < s->n; j++)
            s->D[i * s->m + j] += g[3 * j + 1] * s->per_normal[2 * j] +
                                  g[3 * j + 2] * s->per_normal[2 * j + 1];
    }
}

/* y = start - D⁺ (right + D start): of all solutions of redundant constraints the nearest to the
 * forces of the node that led here. */
static void dv_system_solve(dv_engine *e, dv_system *s) {
    int m = s->m;
    int regular = dv_invert(m, s->D, s->inverse, s->work, e->pivots);
    dv_zero(s->y, m);
    if (!regular) {
        for (int i = 0; i < m; i++) {
            int k = s->members[s->rows[i] / 3];
            s->y[i] = dv_dot(e->closed.frame + 9 * k + 3 * (s->rows[i] % 3),
                             e->held + 3 * e->closed.contact[k], 3);
        }
        for (int i = 0; i < m; i++) s->right[i] += dv_dot(s->D + i * m, s->y, m);
    }
    for (int i = 0; i < m; i++) s->y[i] -= dv_dot(s->inverse + i * m, s->right, m);
}

/* Forces and softness of an island's contacts into the motion. */
static void dv_system_read(dv_engine *e, const dv_system *s, dv_motion *motion) {
    int N = 3 * s->n;
    for (int j = 0; j < s->n; j++) {
        int k = s->members[j];
        double *force = motion->forces + 3 * k;
        force[0] = s->y[j];
        force[1] = s->per_normal[2 * j] * s->y[j];
        force[2] = s->per_normal[2 * j + 1] * s->y[j];
        motion->limit[k] = s->mu[j] * force[0];
        motion->normal_softness[k] = fabs(s->inverse[j * s->m + j]);
        motion->friction_softness[k] = 1.0 / s->G[(3 * j + 1) * N + 3 * j + 1];
    }
    for (int i = s->n; i < s->m; i++) {
        int k = s->members[s->rows[i] / 3], r = s->rows[i] % 3;
        double soft = fabs(s->inverse[i * s->m + i]);
        motion->forces[3 * k + r] = s->y[i];
        motion->friction_softness[k] = r == 1 ? soft : dv_max(motion->friction_softness[k], soft);
    }
    for (int j = 0; j < s->n; j++)
        for (int r = 0; r < 3; r++)
            dv_push(e, &e->closed, s->members[j], r, motion->forces[3 * s->members[j] + r],
                    motion->acceleration);
}

/* Forces and softness of a contact that touches no other: (15) with one contact. The ball's
 * acceleration goes to the motion. */
static void dv_flat_motion(dv_engine *e, const dv_flat *f, int k, const double *x) {
    dv_motion *motion = &e->motion;
    double per_normal[2], right[3], *force = motion->forces + 3 * k, *a = e->free + f->row;
    int stick = e->modes[e->closed.contact[k]] == DV_STICK;
    dv_flat_moves(e, f, &e->closed, k, x);
    double mu = dv_rubbing(e, k, per_normal);
    right[0] = dv_dot3(f->jacobian, a);
    if (stick) {
        right[1] = dv_flat_row(f, 1, a);
        right[2] = dv_flat_row(f, 2, a);
        for (int r = 0; r < 3; r++) force[r] = -dv_dot3(f->inverse + 3 * r, right);
        motion->normal_softness[k] = fabs(f->inverse[0]);
        motion->friction_softness[k] = dv_max(fabs(f->inverse[4]), fabs(f->inverse[8]));
    } else {
        double D = f->block[0] + f->block[1] * per_normal[0] + f->block[2] * per_normal[1];
        force[0] = -right[0] / D;
        force[1] = per_normal[0] * force[0];
        force[2] = per_normal[1] * force[0];
        motion->normal_softness[k] = fabs(1.0 / D);
        motion->friction_softness[k] = 1.0 / f->block[4];
    }
    motion->limit[k] = mu * force[0];
    for (int d = 0; d < DV_DOF; d++)
        motion->acceleration[f->row + d] += force[0] * f->push[d] + force[1] * f->push[6 + d] +
                                            force[2] * f->push[12 + d];
}

/* Solve (15) in the present location: forces and accelerations at x, of all islands or of those
 * that are wanted. */
static void dv_solve_motion(dv_engine *e, double time, const double *x) {
    dv_closed *closed = &e->closed;
    dv_free_acceleration(e, time, x, e->free);
    dv_copy(e->motion.acceleration, e->free, e->half);
    for (int island = 0; island < closed->islands; island++) {
        if (e->partial && !e->wanted[island]) continue;
        int first = closed->order[closed->first[island]];
        const dv_flat *f = dv_flat_of(e, closed->contact[first]);
        if (f && closed->first[island + 1] - closed->first[island] == 1) {
            dv_flat_motion(e, f, first, x);
            continue;
        }
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
            dv_rows_of(e, closed, closed->order[i], x);
        dv_system system = dv_system_of(e, island);
        dv_system_fill(e, &system, e->free);
        dv_system_solve(e, &system);
        dv_system_read(e, &system, &e->motion);
    }
}

/* Whether a contact's forces stay as they are: friction does not turn its slip. */
static int dv_keeps_direction(const dv_engine *e, const dv_flat *f, int k) {
    const double *slip = e->closed.speed + 3 * k + 1, *a = e->motion.acceleration + f->row;
    int c = e->closed.contact[k];
    if (e->law[c] >= 0) return 0;
    if (e->modes[c] != DV_SLIP || e->smooth[c]) return 1;
    double rate[2] = {dv_flat_row(f, 1, a), dv_flat_row(f, 2, a)};
    double turns = fabs(slip[0] * rate[1] - slip[1] * rate[0]);
    return turns <= 1e-14 * dv_length(slip[0], slip[1]) * dv_length(rate[0], rate[1]);
}

/* Whether bodies fly, roll and slide along parabolas: constant loads, and no contact but of single
 * balls on walls. Solves for the motion. */
static int dv_find_steady(dv_engine *e) {
    const dv_closed *closed = &e->closed;
    if (!e->constant || closed->islands < closed->count) return 0;
    for (int k = 0; k < closed->count; k++)
        if (!dv_flat_of(e, closed->contact[k])) return 0;
    dv_solve_motion(e, e->now.time, e->x);
    for (int k = 0; k < closed->count; k++)
        if (!dv_keeps_direction(e, dv_flat_of(e, closed->contact[k]), k)) return 0;
    return 1;
}

/* The vector field (14): (q̇, q̈). */
static void dv_rate(dv_engine *e, double time, const double *x, double *out) {
    e->now.counts[DV_N_RATES]++;
    dv_copy(out, x + e->half, e->half);
    if (e->steady) {
        dv_copy(out + e->half, e->motion.acceleration, e->half);
        return;
    }
    if (e->closed.count == 0) {
        dv_free_acceleration(e, time, x, out + e->half);
        return;
    }
    dv_solve_motion(e, time, x);
    dv_copy(out + e->half, e->motion.acceleration, e->half);
}

/* Watched signals from forces and speeds, with a margin so that zero itself is inside: per contact
 * the normal force, then the reserve, slip speed, or how far slip is from counting as slip. */
static void dv_read_closed(dv_engine *e, double *out) {
    double margin = e->options.acceleration, heading[2];
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k], mode = e->modes[c];
        const double *force = e->motion.forces + 3 * k;
        out[2 * k] = force[0] + margin * e->motion.normal_softness[k];
        if (mode == DV_STICK)
            out[2 * k + 1] = e->motion.limit[k] - dv_length(force[1], force[2]) +
                             margin * e->motion.friction_softness[k];
        else if (e->smooth[c])
            out[2 * k + 1] = 1.0;
        else if (mode == DV_TRANS)
            out[2 * k + 1] = e->options.slip - dv_slip_speed(&e->closed, k);
        else
            out[2 * k + 1] = dv_along(e, k, heading);
    }
}

/* Watched signals of closed contacts at x. */
static void dv_watch_closed(dv_engine *e, double time, const double *x, double *out) {
    if (!e->steady) dv_solve_motion(e, time, x);
    for (int k = 0; k < e->closed.count && e->steady; k++)
        dv_flat_moves(e, dv_flat_of(e, e->closed.contact[k]), &e->closed, k, x);
    dv_read_closed(e, out);
}

/* Move `settled` back onto the constraints: gaps of closed contacts, or their speeds. */
static void dv_project(dv_engine *e, double *settled, int speeds) {
    dv_closed *closed = &e->closed;
    int *rows = e->work_int;
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i], stick = e->modes[closed->contact[k]] == DV_STICK;
            for (int r = 0; r < (speeds && stick ? 3 : 1); r++) {
                e->local[count] = speeds ? closed->speed[3 * k + r] : closed->gap[k];
                rows[count++] = 3 * k + r;
            }
        }
        dv_correct_island(e, closed, rows, count, e->local, settled + (speeds ? e->half : 0));
    }
}

/* How far closed contacts are from their constraints. */
static double dv_drift(const dv_engine *e) {
    const dv_closed *closed = &e->closed;
    double most = 0.0;
    for (int k = 0; k < closed->count; k++) {
        int stick = e->modes[closed->contact[k]] == DV_STICK;
        most = dv_max(most, fabs(closed->gap[k]));
        most = dv_max(most, dv_largest(closed->speed + 3 * k, stick ? 3 : 1));
    }
    return most;
}

/* Against drift: close the gaps of closed contacts and take out what velocity they must not have,
 * along M⁻¹ W, so that momentum stays as it is. Returns the largest move of any variable; moves
 * below `tolerated` may be left out. Remembers the slip directions anew. */
static double dv_settle(dv_engine *e, const double *x, double *settled, double tolerated) {
    dv_closed *closed = &e->closed;
    double moved = 0.0;
    dv_copy(settled, x, e->size);
    if (closed->count == 0) return 0.0;
    dv_rows(e, closed, settled);
    if (dv_drift(e) > 1e-2 * tolerated) {
        for (int turn = 0; turn < 2; turn++) {
            dv_project(e, settled, 0);
            dv_rows(e, closed, settled);
        }
        dv_project(e, settled, 1);
    }
    for (int i = 0; i < e->size; i++) moved = dv_max(moved, fabs(settled[i] - x[i]));
    for (int k = 0; k < closed->count; k++)
        if (e->modes[closed->contact[k]] != DV_TRANS && dv_slip_speed(closed, k) > 0.0)
            dv_set_ahead(e, k, closed->speed + 3 * k + 1);
    return moved;
}
