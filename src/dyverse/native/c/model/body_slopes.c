/* How bodies' accelerations, and the forces at their contacts, change along a direction of states and
 * numbers, exactly, also where contacts are closed and bodies are joined.
 *
 * Accelerations a, forces λ of contacts and pulls b of joints solve M a = h + Wλ - Cᵀb, where closed
 * contacts and joints have J a + bias = 0. So their changes solve the same linear system (the theorem
 * of implicit functions), M da = f + W dλ - Cᵀ db and J da + (dJ a + dbias) = 0, with
 * f = dh + dWλ - dCᵀb - dM a: in place of loads and biases stand what is known of their changes. What is
 * generated (loads, rows of contacts and joints, laws of friction) was differentiated by formula.
 *
 * Contacts that share a load have forces λ + ν, with Jᵀν = 0. If they do so by their shape, ν changes with
 * the bodies so that this stays, and da is the same with any of them; see dm_is_shape. */

#include "row_slopes.c"

#define DM_MISSED 1e-8 /* share of accelerations, or forces, that is a rounding error */

/* out += share * a row of twelve entries, to the bodies that forces move. */
static void dm_load(const dv_engine *b, const int *ends, double share, const double *row,
                    double *out) {
    for (int i = 0; i < 2; i++) {
        int place = ends[i] < 0 ? -1 : b->pushed[ends[i]];
        if (place >= 0) dv_add_times(out + DV_DOF * place, share, row + DV_DOF * i, DV_DOF);
    }
}

/* A row of twelve entries times speeds or accelerations of bodies. */
static double dm_along_row(const dv_engine *b, const int *ends, const double *row, const double *speeds) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        int place = ends[i] < 0 ? -1 : b->place[ends[i]];
        if (place >= 0) sum += dv_dot(row + DV_DOF * i, speeds + DV_DOF * place, DV_DOF);
    }
    return sum;
}

/* M⁻¹ times loads; of bodies that move along functions of time they are accelerations. */
static void dm_through_mass(const dv_engine *b, const double *loads, double *out) {
    for (int i = 0; i < b->speeds; i++) out[i] = b->inverse_mass[i] * loads[i];
    dv_accelerate_others(b, loads, out);
}

/* out += dM⁻¹ times loads, of bodies that forces move. */
static void dm_mass_change(const dv_engine *b, const dm_change *c, double *out) {
    const double *inverse = dm_of(b, c, b->inverse_mass), *mixed = dm_of(b, c, b->mixed);
    for (int body = 0; body < b->bodies; body++) {
        int row = b->pushed[body];
        if (row < 0) continue;
        double *own = out + DV_DOF * row;
        const double *in = c->loads + DV_DOF * row;
        for (int d = 0; d < DV_DOF; d++) own[d] += inverse[DV_DOF * row + d] * in[d];
        if (!b->lies[row]) continue;
        const double *k = mixed + 3 * (b->lies[row] - 1);
        own[3] += k[0] * in[4] + k[1] * in[5];
        own[4] += k[0] * in[3] + k[2] * in[5];
        own[5] += k[1] * in[3] + k[2] * in[4];
    }
}

/* What pulls of joints do, and how that changes, into loads and their changes. */
static void dm_pull_loads(dv_engine *b, dm_change *c) {
    dv_joints *h = &b->joints;
    dm_through_mass(b, c->loads, b->free);
    for (int turn = 0; turn < DV_HOLDS && h->count; turn++) {
        dv_joint_speeds(b, b->free, h->work);
        for (int i = 0; i < DV_HELD * h->count; i++)
            if (i % DV_HELD < h->conditions[i / DV_HELD])
                h->work[i] += h->scale[i] * h->bias[DV_JOINT_ROWS * (i / DV_HELD) + i % DV_HELD];
        dv_forward(h, h->work);
        dv_take_out(b, h->work, b->free);
        dv_add_times(c->pull, 1.0, h->work, DV_HELD * h->count);
    }
    for (int i = 0; i < h->count; i++)
        for (int r = 0; r < h->conditions[i]; r++) {
            double pull = -c->pull[DV_HELD * i + r];
            int at = DV_JOINT_ROWS * i + r;
            dm_load(b, h->ends + 2 * i, pull, h->J + 12 * at, c->loads);
            dm_load(b, h->ends + 2 * i, pull, c->joint + DM_JOINT * i + DV_JOINT_ROWS + 12 * r,
                    c->change);
        }
}

/* The same of forces at closed contacts, but for changes of these that are not known yet. */
static void dm_contact_loads(const dv_engine *b, dm_change *c) {
    const dv_closed *closed = &b->closed;
    for (int k = 0; k < closed->count; k++) {
        const int *ends = b->ends + 2 * closed->contact[k];
        const double *force = b->motion.forces + 3 * k, *J = closed->jacobian + 36 * k;
        for (int r = 0; r < 3; r++) {
            if (b->joints.count && closed->lost[3 * k + r]) continue;
            dm_load(b, ends, force[r], J + 12 * r, c->loads);
            dm_load(b, ends, force[r], c->contact + DM_ROWS * k + DM_J + 12 * r, c->change);
            if (r) dm_load(b, ends, c->rubbing[2 * k + r - 1] * force[0], J + 12 * r, c->change);
        }
    }
}

/* dJ a + dbias in the place of biases. */
static void dm_swap_biases(dv_engine *b, const dm_change *c) {
    dv_joints *h = &b->joints;
    dv_closed *closed = &b->closed;
    dv_copy(c->contact_bias, closed->bias, 3 * closed->count);
    dv_copy(c->joint_bias, h->bias, DV_JOINT_ROWS * h->count);
    for (int k = 0; k < closed->count; k++)
        for (int r = 0; r < 3; r++) {
            const double *own = c->contact + DM_ROWS * k;
            closed->bias[3 * k + r] = own[DM_BIAS + r] + dm_along_row(b, b->ends + 2 * closed->contact[k],
                                                                  own + DM_J + 12 * r, c->a);
        }
    for (int i = 0; i < h->count; i++)
        for (int r = 0; r < h->conditions[i]; r++) {
            const double *own = c->joint + DM_JOINT * i;
            double turned = dm_along_row(b, h->ends + 2 * i, own + DV_JOINT_ROWS + 12 * r, c->a);
            h->bias[DV_JOINT_ROWS * i + r] = own[r] + turned / h->scale[DV_HELD * i + r];
        }
}

/* Whether the forces of an island that shares a load change so that no contact accelerates. Where some
 * slip with friction, the motion may depend on who bears how much. */
static int dm_meets(const dv_system *s) {
    double most = 0.0;
    for (int i = 0; i < s->m; i++) most = dv_max(most, fabs(s->right[i]) / s->unit[i]);
    return !dv_system_rubs(s) && s->missed <= DM_MISSED * most;
}

/* Some of the forces that an island could have besides. */
static void dm_find_others(dv_engine *b, dv_system *s, dm_change *c) {
    double *forces = s->unit + 3 * s->n;
    for (int i = 0; i < s->m; i++) {
        s->right[i] = 0.0;
        s->y[i] = s->unit[i] * cos(7.0 * i + 1.0);
    }
    dv_system_solve(b, s);
    dv_system_forces(b, s, s->y, forces);
    for (int j = 0; j < s->n; j++) dv_copy(c->others + 3 * s->members[j], forces + 3 * j, 3);
    c->shared = 1;
}

/* Solve for the changes, which drive bodies by b->free, those of forces to `out`; 0 if the motion could
 * depend on forces that are open. */
static int dm_solve_changes(dv_engine *b, dm_change *c, double *out) {
    dv_hold(b, b->free);
    dv_copy(b->motion.acceleration, b->free, b->speeds);
    for (int island = 0; island < b->closed.islands; island++) {
        dv_system s = dv_system_here(b, island);
        double *forces = s.unit + 3 * s.n;
        dv_system_fill(b, &s, b->free);
        dv_zero(s.y, s.m);
        dv_system_solve(b, &s);
        if (s.open && !dm_meets(&s)) return 0;
        dv_system_forces(b, &s, s.y, forces);
        dv_pull(b, &s, b->free, forces);
        for (int j = 0; j < s.n; j++) {
            int k = s.members[j];
            double *own = out + 3 * k, normal = b->motion.forces[3 * k];
            dv_copy(own, forces + 3 * j, 3);
            for (int r = 0; r < 2; r++) own[1 + r] += c->rubbing[2 * k + r] * normal;
        }
        if (s.open) dm_find_others(b, &s, c);
    }
    return 1;
}

/* Whether accelerations would change as much if λ were shared otherwise. It is so where contacts share
 * a load by their shape, as the corners of a box on a floor, and not where they do by chance. */
static int dm_is_shape(dv_engine *b, dm_change *c) {
    const dv_closed *closed = &b->closed;
    double most = 0.0;
    dv_zero(c->change, b->speeds);
    for (int k = 0; k < closed->count; k++)
        for (int r = 0; r < 3; r++) {
            const double *dJ = c->contact + DM_ROWS * k + DM_J + 12 * r;
            double force = c->others[3 * k + r];
            dm_load(b, b->ends + 2 * closed->contact[k], force, dJ, c->change);
            most += fabs(force) * dv_largest(dJ, 12);
        }
    dm_through_mass(b, c->change, b->free);
    dv_zero(closed->bias, 3 * closed->count);
    dv_zero(b->joints.bias, DV_JOINT_ROWS * b->joints.count);
    if (!dm_solve_changes(b, c, c->spare)) return 0;
    most *= dv_largest(b->inverse_mass, b->speeds);
    return dv_largest(b->motion.acceleration, b->speeds) <= DM_MISSED * most;
}

/* How coordinates' rates q̇ = N(q) v change: see dv_move. */
static void dm_moves_change(const dv_engine *b, const dm_change *c, double *out) {
    const dv_joints *h = &b->joints;
    const double *dv = c->dx + b->coordinates, *v = c->x + b->coordinates;
    for (int row = 0; row < b->moving; row++) {
        int at = b->at[row];
        double bend[4];
        dv_copy(out + at, dv + DV_DOF * row, b->lies[row] ? 3 : DV_DOF);
        if (!b->lies[row]) continue;
        dv_spin(c->x + at + 3, dv + DV_DOF * row + 3, out + at + 3);
        dv_spin(c->dx + at + 3, v + DV_DOF * row + 3, bend);
        for (int i = 0; i < 4; i++) out[at + 3 + i] += bend[i];
    }
    for (int i = 0; i < h->count; i++) {
        int last = h->conditions[i], at = b->coordinates - h->angles + h->angle[i];
        if (h->angle[i] < 0) continue;
        out[at] = dm_along_row(b, h->ends + 2 * i, h->J + 12 * (DV_JOINT_ROWS * i + last), dv) +
                  dm_along_row(b, h->ends + 2 * i, c->joint + DM_JOINT * i + DV_JOINT_ROWS + 12 * last, v);
    }
}

/* All changes at the state that the engine is at; 0 if some forces are open. */
static int dm_find_changes(dv_engine *b, double time, dm_change *c) {
    dv_closed *closed = &b->closed;
    dv_fill_bodies(b, c->x);
    dv_join_at(b, c->x);
    dv_solve_motion(b, time, c->x, DV_FOR_MOTION);
    dv_copy(c->a, b->motion.acceleration, b->speeds);
    for (int body = 0; body < b->bodies; body++) dm_body_change(b, c, body);
    for (int k = 0; k < closed->count; k++) {
        double *own = c->contact + DM_ROWS * k;
        dm_rows_change(b, c, closed->contact[k], own);
        dm_turn_change(b, c, b->ends + 2 * closed->contact[k], 3, closed->jacobian + 36 * k,
                       own + DM_J);
        dm_rubbing_change(b, c, k);
    }
    for (int i = 0; i < b->joints.count; i++) dm_joint_change(b, c, i);
    dv_model_loads(time, c->x, b->p, b->w.value, c->loads);
    dm_loads_slope(time, c->x, b->p, b->w.value, c->dx, c->dnumbers, c->change);
    dm_contact_loads(b, c);
    dm_pull_loads(b, c);
    dm_through_mass(b, c->change, b->free);
    dm_mass_change(b, c, b->free);
    dm_swap_biases(b, c);
    int known = dm_solve_changes(b, c, c->force);
    dv_copy(c->da, b->motion.acceleration, b->speeds);
    if (known && c->shared) known = dm_is_shape(b, c);
    dv_copy(closed->bias, c->contact_bias, 3 * closed->count);
    dv_copy(b->joints.bias, c->joint_bias, DV_JOINT_ROWS * b->joints.count);
    dv_copy(b->motion.acceleration, c->a, b->speeds);
    return known;
}

/* The rates of bodies; 0 if there is no formula. */
static int dm_body_slopes(dv_engine *b, double time, const double *x, const double *dx,
                          const double *dnumbers, double *out) {
    dm_change c;
    if (!dm_open_change(b, &c, x, dx, dnumbers)) return 0;
    int known = dm_find_changes(b, time, &c);
    dm_moves_change(b, &c, out);
    dv_copy(out + b->coordinates, c.da, b->speeds);
    free(c.body);
    return known;
}

/* How much the gap of a contact, its normal force or its friction changes; 0 if there is no formula. */
static int dm_contact_slope(dv_engine *b, double time, const dyverse_quantity *q, dm_change *c,
                            double *slope) {
    int contact = q->index, k = 0;
    double rows[DM_ROWS] = {0.0};
    *slope = 0.0;
    if (q->kind == DYVERSE_GAP) {
        dv_fill_bodies(b, c->x);
        for (int body = 0; body < b->bodies; body++) dm_body_change(b, c, body);
        if (!dv_is_gone(b, contact)) dm_rows_change(b, c, contact, rows);
        *slope = rows[0];
        return 1;
    }
    if (b->modes[contact] == DV_OPEN) return 1;
    if (!dm_find_changes(b, time, c)) return 0;
    while (b->closed.contact[k] != contact) k++;
    double most = dv_largest(c->others, 3 * b->closed.count);
    if (dv_largest(c->others + 3 * k, 3) > DM_MISSED * most) return 0; /* others bear it, too */
    const double *force = b->motion.forces + 3 * k, *change = c->force + 3 * k;
    double size = dv_length(force[1], force[2]);
    if (q->kind == DYVERSE_NORMAL)
        *slope = change[0];
    else if (size > 0.0)
        *slope = (force[1] * change[1] + force[2] * change[2]) / size;
    else
        return change[1] == 0.0 && change[2] == 0.0; /* it has a corner there */
    return 1;
}
