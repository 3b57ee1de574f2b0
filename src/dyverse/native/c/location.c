/* The flow of a dynamical location: vector field, watched signals, and the way back from drift.
 * See dyverse.mechanics.dynamics and flow; paper (14), (15). */

/* Take the closed contacts of the modes into `closed`, with their islands. */
static dv_code dv_enter(dv_engine *e) {
    dv_closed *closed = &e->closed;
    closed->count = 0;
    dv_look_around(e, DV_FAR);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (e->modes[c] == DV_OPEN) continue;
        if (!dv_has_room(e, closed->count)) return DV_TOO_MANY;
        closed->contact[closed->count++] = c;
    }
    e->now.closed = closed->count;
    for (int i = 0; i < 2 * closed->count; i++) e->motion.soft[i] = NAN;
    dv_keep_flats(e, closed);
    dv_find_islands(e, closed);
    e->step.fresh = e->steady = 0;
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

/* Which way a contact that does not slip yet begins to: against the friction that a node found, or,
 * if there is none to speak of, along its acceleration under the forces of the node, in `free`. */
static void dv_beginning(dv_engine *e, int k, double most, double *way) {
    double held[3];
    dv_to_frame(e->closed.frame + 9 * k, e->held + 3 * e->closed.contact[k], held);
    for (int i = 0; i < 2; i++) way[i] = -held[1 + i];
    if (dv_length(way[0], way[1]) > DV_FAINT * most) return;
    for (int i = 0; i < 2; i++)
        way[i] = dv_row_times(e, &e->closed, k, 1 + i, e->free) + e->closed.bias[3 * k + 1 + i];
}

/* Where each contact is heading: along its slip, or where it begins to slip. */
static void dv_directions(dv_engine *e) {
    dv_closed *closed = &e->closed;
    double way[2], most = 0.0;
    int begun = 0;
    dv_rows(e, closed, e->x);
    for (int k = 0; k < closed->count; k++) {
        dv_to_frame(closed->frame + 9 * k, e->held + 3 * closed->contact[k], e->found_forces + 3 * k);
        most = dv_max(most, dv_largest(e->found_forces + 3 * k, 3));
        begun |= e->modes[closed->contact[k]] == DV_TRANS;
    }
    if (begun) dv_accelerate(e, closed, e->found_forces);
    for (int k = 0; k < closed->count; k++) {
        if (e->modes[closed->contact[k]] == DV_TRANS) {
            dv_beginning(e, k, most, way);
            dv_set_ahead(e, k, way);
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

/* The system of an island in the present location. */
static dv_system dv_system_here(dv_engine *e, int island) {
    dv_closed *closed = &e->closed;
    dv_system s = dv_system_of(e, closed, island);
    for (int j = 0; j < s.n; j++) {
        s.sticks[j] = e->modes[closed->contact[s.members[j]]] == DV_STICK;
        s.mu[j] = dv_rubbing(e, s.members[j], s.per_normal + 2 * j);
    }
    dv_system_layout(e, &s);
    return s;
}

/* Softness of an island's contacts, unless it is known since the location was entered. */
static void dv_soften(dv_engine *e, dv_system *s, double *soft) {
    for (int j = 0; j < s->n; j++) dv_copy(soft + 2 * j, e->motion.soft + 2 * s->members[j], 2);
    if (!isnan(soft[0])) return;
    dv_system_softness(e, s, soft);
    for (int j = 0; j < s->n; j++) dv_copy(e->motion.soft + 2 * s->members[j], soft + 2 * j, 2);
}

/* Other forces where the balance leaves them open; those that are watched are remembered. */
static void dv_distribute(dv_engine *e, dv_system *s, int use, double *forces, const double *soft) {
    if (!s->open || (use == DV_FOR_MOTION && !dv_system_rubs(s))) return;
    double spare = dv_system_share(e, s, soft, use, forces);
    if (use != DV_FOR_WATCH || spare < -e->options.acceleration) return;
    for (int j = 0; j < s->n; j++) {
        int k = s->members[j];
        dv_to_world(e->closed.frame + 9 * k, forces + 3 * j,
                    e->followed + 3 * e->closed.contact[k]);
    }
}

/* Whether the force of contact j of an island is another after some of `count` changes. */
static int dv_is_changed(const dv_system *s, int j, int count, const double *changes) {
    for (int c = 0; c < count; c++)
        if (dv_largest(changes + (long)c * 3 * s->n + 3 * j, 3) > DV_DISTINCT) return 1;
    return 0;
}

/* What was found for the contacts of an island, into the motion; `b` is its base, if it has one. */
static void dv_tell_island(dv_engine *e, const dv_system *s, const dv_base *b, const double *forces,
                           const double *soft) {
    for (int j = 0; j < s->n; j++) {
        int k = s->members[j];
        e->motion.shared[k] = b ? dv_is_changed(s, j, b->changes, b->null) : s->open;
        dv_copy(e->motion.forces + 3 * k, forces + 3 * j, 3);
        dv_copy(e->motion.soft + 2 * k, soft + 2 * j, 2);
        e->motion.limit[k] = s->mu[j] * forces[3 * j];
        e->motion.missed[k] = s->missed;
    }
}

/* Forces of a large island's contacts, and what they do to its bodies, from factors that are kept; 0 if
 * that does not succeed. Bodies move by forces of their own where they notice which are taken. */
static int dv_large_motion(dv_engine *e, dv_system *s, int use) {
    double *forces = s->unit + 3 * s->n, *work = s->rest;
    dv_base *b = dv_base_here(e, s, use, forces);
    if (!b) return 0;
    int apart = b->moves && dv_system_rubs(s);
    if (b->changes && use != DV_FOR_MOTION) dv_base_choose(e, s, b, use, b->y, forces, work);
    dv_tell_island(e, s, b, forces, b->soft);
    if (!apart) return 1;
    if (!dv_refine(e, s, b, b->shared, forces, work)) return 0;
    dv_base_choose(e, s, b, DV_FOR_MOTION, b->shared, forces, work);
    if (!dv_refine(e, s, b, b->shared, forces, work)) return 0;
    if (use == DV_FOR_MOTION) dv_tell_island(e, s, b, forces, b->soft);
    return 1;
}

/* Forces of an island's contacts, and what they do to its bodies, into the motion. */
static void dv_island_motion(dv_engine *e, int island, int use) {
    dv_system s = dv_system_here(e, island);
    if (s.n > DV_SMALL && dv_large_motion(e, &s, use)) return;
    double *forces = s.unit + 3 * s.n, *soft = forces + 3 * s.n;
    dv_system_follow(e, &s);
    dv_system_fill(e, &s, e->free);
    dv_system_solve(e, &s);
    dv_system_forces(e, &s, s.y, forces);
    dv_soften(e, &s, soft);
    dv_distribute(e, &s, DV_FOR_MOTION, forces, soft);
    dv_pull(e, &s, e->free, forces);
    if (use != DV_FOR_MOTION) {
        dv_system_forces(e, &s, s.y, forces);
        dv_distribute(e, &s, use, forces, soft);
    }
    dv_tell_island(e, &s, NULL, forces, soft);
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
        motion->soft[2 * k] = f->soft[0];
        motion->soft[2 * k + 1] = mu * f->soft[0] + dv_length(f->soft[1], f->soft[2]);
    } else {
        double D = f->block[0] + f->block[1] * per_normal[0] + f->block[2] * per_normal[1];
        force[0] = -right[0] / D;
        force[1] = per_normal[0] * force[0];
        force[2] = per_normal[1] * force[0];
        motion->soft[2 * k] = fabs(1.0 / D);
        motion->soft[2 * k + 1] = 1.0 / f->block[4];
    }
    motion->limit[k] = mu * force[0];
    motion->missed[k] = 0.0;
    motion->shared[k] = 0;
    for (int d = 0; d < DV_DOF; d++)
        motion->acceleration[f->row + d] += force[0] * f->push[d] + force[1] * f->push[6 + d] +
                                            force[2] * f->push[12 + d];
}

/* Solve (15) in the present location: forces and accelerations at x, of all islands or of those
 * that are wanted; `use` says which forces, where they are open. */
static void dv_solve_motion(dv_engine *e, double time, const double *x, int use) {
    dv_closed *closed = &e->closed;
    dv_free_acceleration(e, time, x, e->free);
    dv_copy(e->motion.acceleration, e->free, e->speeds);
    for (int island = 0; island < closed->islands; island++) {
        int first = closed->order[closed->first[island]];
        if (e->partial && !e->wanted[island]) continue;
        const dv_flat *f = dv_flat_of(e, closed->contact[first]);
        if (f && closed->first[island + 1] - closed->first[island] == 1) {
            dv_flat_motion(e, f, first, x);
            continue;
        }
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
            dv_rows_of(e, closed, closed->order[i], x);
        dv_island_motion(e, island, use);
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
int dv_find_steady(dv_engine *e) {
    const dv_closed *closed = &e->closed;
    if (!e->constant || closed->islands < closed->count) return 0;
    for (int k = 0; k < closed->count; k++)
        if (!dv_flat_of(e, closed->contact[k])) return 0;
    dv_solve_motion(e, e->now.time, e->x, DV_FOR_MOTION);
    for (int k = 0; k < closed->count; k++)
        if (!dv_keeps_direction(e, dv_flat_of(e, closed->contact[k]), k)) return 0;
    return 1;
}

/* The vector field (14): (q̇, q̈). */
static void dv_rate(dv_engine *e, double time, const double *x, double *out) {
    e->now.counts[DV_N_RATES]++;
    dv_move(e, x, x + e->coordinates, out);
    if (e->steady) {
        dv_copy(out + e->coordinates, e->motion.acceleration, e->speeds);
        return;
    }
    if (e->closed.count == 0) {
        dv_free_acceleration(e, time, x, out + e->coordinates);
        return;
    }
    dv_solve_motion(e, time, x, DV_FOR_MOTION);
    dv_copy(out + e->coordinates, e->motion.acceleration, e->speeds);
}

/* How fast contact k accelerates to where it is heading, which only friction can tell. */
static double dv_onward(const dv_engine *e, int k) {
    double heading[2];
    dv_along(e, k, heading);
    return dv_gain(e, &e->closed, k, heading, e->motion.acceleration);
}

/* The speed at which a contact that has begun to slip counts as slipping, if it gains speed by `doubt`
 * less than it seems to. */
static double dv_begun(const dv_engine *e, int k, double doubt) {
    if (e->closed.company[k] < DV_PILE) return e->options.slip;
    return e->options.slip + dv_brief(e, &e->closed, k, dv_onward(e, k) - doubt);
}

/* The speed at which a contact that slips counts as stopped, if it loses speed by `doubt` more than it
 * seems to. */
static double dv_ended(const dv_engine *e, int k, double doubt) {
    if (e->closed.company[k] < DV_PILE) return 0.0;
    double gain = dv_slip_gain(e, &e->closed, k, e->motion.acceleration);
    return dv_brief(e, &e->closed, k, doubt - gain);
}

/* The acceleration that counts as none in the present location. */
static double dv_margin(const dv_engine *e) {
    return dv_max(e->options.acceleration, e->now.doubt);
}

/* A force as it is watched: what is next to zero is zero, or its rounding would look like a change. */
static double dv_signal(double force, double margin) {
    return (fabs(force) <= margin / 8 ? 0.0 : force) + margin;
}

/* Watched signals from forces and speeds, with a margin so that zero itself is inside: per contact
 * the normal force, then the reserve, slip speed, or how far slip is from counting as slip. */
static void dv_read_closed(dv_engine *e, double *out) {
    double margin = dv_margin(e), heading[2];
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k], mode = e->modes[c];
        const double *force = e->motion.forces + 3 * k, *soft = e->motion.soft + 2 * k;
        if (dv_is_gone(e, c)) {
            out[2 * k] = -1.0;
            out[2 * k + 1] = 1.0;
            continue;
        }
        double missed = e->motion.missed[k];
        out[2 * k] = dv_signal(force[0] - missed * soft[0], margin * soft[0]);
        if (mode == DV_STICK)
            out[2 * k + 1] = dv_signal(
                e->motion.limit[k] - dv_length(force[1], force[2]) - missed * soft[1],
                margin * soft[1]);
        else if (e->smooth[c])
            out[2 * k + 1] = 1.0;
        else if (mode == DV_TRANS)
            out[2 * k + 1] = dv_begun(e, k, 0.0) - dv_slip_speed(&e->closed, k);
        else
            out[2 * k + 1] = dv_along(e, k, heading) - dv_ended(e, k, 0.0);
    }
}

/* Watched signals of closed contacts at x; forces that are not watched may be any. */
static void dv_watch_closed(dv_engine *e, double time, const double *x, int use, double *out) {
    if (!e->steady) dv_solve_motion(e, time, x, use);
    for (int k = 0; k < e->closed.count && e->steady; k++)
        dv_flat_moves(e, dv_flat_of(e, e->closed.contact[k]), &e->closed, k, x);
    dv_read_closed(e, out);
}

/* Move `settled` back onto the constraints: gaps of closed contacts, or their speeds. */
static void dv_project(dv_engine *e, double *settled, int speeds) {
    dv_closed *closed = &e->closed;
    int *rows = e->work_int;
    double *target = speeds ? settled + e->coordinates : dv_shifted(e, settled);
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i], stick = e->modes[closed->contact[k]] == DV_STICK;
            for (int r = 0; r < (speeds && stick ? 3 : 1); r++) {
                e->local[count] = speeds ? closed->speed[3 * k + r] : closed->gap[k];
                rows[count++] = 3 * k + r;
            }
        }
        dv_correct_island(e, closed, rows, count, e->local, target);
    }
    if (!speeds) dv_shift(e, settled);
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

/* Mark the closed contacts that have been switched off; whether there are any. */
static int dv_mark_gone(const dv_engine *e, int *marks) {
    int any = 0;
    for (int k = 0; k < e->closed.count && e->conditions; k++) {
        int gone = dv_is_gone(e, e->closed.contact[k]);
        if (marks) marks[k] = gone;
        any |= gone;
    }
    return any;
}

/* Whether a state that was followed can need putting right. */
static int dv_can_drift(const dv_engine *e) {
    if (dv_mark_gone(e, NULL)) return 0; /* an event is due */
    return e->closed.count || e->turning || e->driven_count || e->joints.count;
}

/* Against drift: put moved bodies where they are, give quaternions length one, fit joints, close the gaps
 * of closed contacts and take out what velocity they must not have, along M⁻¹ W, so that momentum stays
 * as it is. Returns the largest move of any variable; moves below `tolerated` may be left out. Remembers
 * the slip directions anew. */
static double dv_settle(dv_engine *e, double time, const double *x, double *settled,
                        double tolerated) {
    dv_closed *closed = &e->closed;
    double moved = 0.0;
    if (!dv_can_drift(e)) return 0.0;
    dv_copy(settled, x, e->size);
    dv_place_driven(e, time, settled);
    dv_normalise(e, settled);
    dv_fit(e, settled, 1e-2 * tolerated);
    if (closed->count) dv_rows(e, closed, settled);
    if (closed->count && dv_drift(e) > 1e-2 * tolerated) {
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
