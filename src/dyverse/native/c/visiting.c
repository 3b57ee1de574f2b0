/* Passing through a computation node: impacts and contact forces. See
 * dyverse.generation.visiting. Contacts that share no body are solved apart. */

static void dv_join(dv_found *found, const dv_answer *answer) {
    if (answer->status == DV_CONTRADICTION) found->failure = DV_INCONSISTENT;
    if (answer->status == DV_OPEN_END && !found->failure) found->failure = DV_NOT_CONVERGED;
    if (answer->sweeps >= found->answer.sweeps) found->answer.method = answer->method;
    if (answer->sweeps > found->answer.sweeps) found->answer.sweeps = answer->sweeps;
    found->answer.residual = dv_max(found->answer.residual, answer->residual);
    found->answer.scale = dv_min(found->answer.scale, answer->scale);
}

static dv_found dv_nothing_found(dv_engine *e, const dv_closed *closed) {
    dv_found none = {{DV_SOLVED, DV_SORPROX, 0, 0.0, 1.0}, DV_OK, 0};
    dv_zero(e->found_forces, 3 * closed->count);
    return none;
}

/* Begin the problem of one island; 0 if none of its contacts is driven together by more than
 * `noise`. `drive` is the free acceleration or the approach, three per contact. */
static int dv_pose(dv_engine *e, dv_closed *closed, int island, const double *drive,
                   double noise) {
    dv_problem *p = &e->problem;
    const int *members = closed->order + closed->first[island];
    int involved = 0;
    p->n = closed->first[island + 1] - closed->first[island];
    for (int j = 0; j < p->n; j++) {
        dv_copy(p->c + 3 * j, drive + 3 * members[j], 3);
        p->directed[j] = 0;
        involved |= p->c[3 * j] < -noise;
    }
    if (!involved) return 0;
    const dv_flat *f = dv_flat_of(e, closed->contact[members[0]]);
    if (f && p->n == 1)
        dv_copy(p->G, f->block, 9);
    else
        dv_delassus(e, closed, members, p->n, p->G);
    return 1;
}

static dv_code dv_scatter(dv_engine *e, const dv_closed *closed, int island, const double *part) {
    const int *members = closed->order + closed->first[island];
    for (int j = 0; j < e->problem.n; j++)
        dv_copy(e->found_forces + 3 * members[j], part + 3 * j, 3);
    return DV_OK;
}

/* Signorini and Coulomb on the acceleration level, with the direction of slip given. The rows of
 * `closed` are at x; forces go to found_forces, local axes. */
static dv_code dv_contact_forces(dv_engine *e, dv_closed *closed, double time, const double *x,
                                 dv_found *found) {
    dv_problem *p = &e->problem;
    *found = dv_nothing_found(e, closed);
    dv_free_acceleration(e, time, x, e->free);
    for (int k = 0; k < closed->count; k++)
        for (int r = 0; r < 3; r++)
            e->drive[3 * k + r] = dv_row_times(e, closed, k, r, e->free) + closed->bias[3 * k + r];
    for (int island = 0; island < closed->islands; island++) {
        if (!dv_pose(e, closed, island, e->drive, 0.0)) continue;
        for (int j = 0; j < p->n; j++) {
            int k = closed->order[closed->first[island] + j];
            double slip = dv_slip_speed(closed, k);
            p->directed[j] = slip > e->options.slip;
            p->mu[j] = dv_friction(e, closed->contact[k], p->directed[j] ? slip : 0.0);
            for (int i = 0; i < 2 && p->directed[j]; i++)
                p->sliding[2 * j + i] = closed->speed[3 * k + 1 + i] / slip;
        }
        if (!dv_prepare(p)) return DV_STUCK;
        dv_zero(e->local, 3 * p->n);
        dv_answer answer = dv_solve(p, e->local, 0, e->dense_work, e->pivots);
        dv_join(found, &answer);
        dv_scatter(e, closed, island, e->local);
    }
    return DV_OK;
}

/* Impulses at all contacts of `other` at once; to found_forces. An island whose contacts rest within
 * the tolerance takes no part: the rounding of a resting contact's speed is no impact. */
static dv_code dv_impulses(dv_engine *e, dv_closed *closed, dv_found *found) {
    dv_problem *p = &e->problem;
    *found = dv_nothing_found(e, closed);
    for (int island = 0; island < closed->islands; island++) {
        if (!dv_pose(e, closed, island, closed->speed, e->options.speed)) continue;
        double *gamma = e->local, *restitution = gamma + 3 * p->n, *impulse = gamma + 5 * p->n;
        for (int j = 0; j < p->n; j++) {
            int k = closed->order[closed->first[island] + j], c = closed->contact[k];
            p->mu[j] = dv_friction(e, c, dv_slip_speed(closed, k));
            restitution[2 * j] = e->e_N[c];
            restitution[2 * j + 1] = e->e_T[c];
        }
        dv_copy(gamma, p->c, 3 * p->n);
        if (!dv_prepare(p)) return DV_STUCK;
        dv_answer answer =
            dv_solve_impact(p, gamma, restitution, impulse, e->dense_work, e->pivots);
        dv_join(found, &answer);
        dv_scatter(e, closed, island, impulse);
    }
    return DV_OK;
}

/* Take the normal gaps (or speeds, of the contacts marked in `chosen`) out of x. */
static void dv_take_out(dv_engine *e, dv_closed *closed, const int *chosen, const double *error,
                        int stride, double *target) {
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i];
            if (chosen && !chosen[k]) continue;
            e->local[count] = error[stride * k];
            e->work_int[count++] = 3 * k;
        }
        dv_correct_island(e, closed, e->work_int, count, e->local, target);
    }
}

/* The Zeno guard: contacts whose bouncing is over keep no normal speed; when it is over. A contact
 * that parts with speed v against an acceleration a that drives it back bounces to v²/2a, and its
 * impacts accumulate after 2v/(a(1 - e)). Below the tolerated height it is at rest. Leaves the rows
 * of `closed` at x. */
static dv_code dv_at_rest(dv_engine *e, dv_closed *closed) {
    const dv_options *o = &e->options;
    int slow = 0, last = 0, *stay = e->suspect;
    dv_rows(e, closed, e->x);
    for (int k = 0; k < closed->count; k++)
        slow |= closed->speed[3 * k] > o->speed && closed->speed[3 * k] < DV_SLOW;
    if (!slow) return DV_OK;
    dv_found found;
    dv_code code = dv_contact_forces(e, closed, e->now.time, e->x, &found);
    if (code != DV_OK) return code;
    double wait = 0.0;
    for (int k = 0; k < closed->count; k++) {
        double v = closed->speed[3 * k], rest;
        double drive = e->found_forces[3 * k] * dv_own(e, closed, k, 0);
        int c = closed->contact[k], ends;
        rest = 2 * drive * o->rest;
        ends = v > o->speed && v < DV_SLOW && v * v <= rest;
        stay[k] = ends || v <= o->speed;
        last |= ends;
        if (ends && e->e_N[c] < 1.0) wait = dv_max(wait, 2 * v / (drive * (1 - e->e_N[c])));
    }
    if (!last) return DV_OK;
    dv_take_out(e, closed, stay, closed->speed, 3, e->x + e->half);
    dv_rows(e, closed, e->x);
    e->now.accumulates = e->now.time + wait;
    return DV_OK;
}

/* No forces are known after an impact; it is an event if there was one. */
static void dv_end_impact(dv_engine *e, int first, int hits) {
    dv_zero(e->held, 3 * e->contacts);
    e->now.holds = 0;
    if (hits == 0) return;
    e->now.counts[DV_N_IMPACTS]++;
    dv_note(e, e->now.time, isnan(e->now.accumulates) ? DV_IMPACT : DV_ACCUMULATION, first, hits);
}

/* Through the impact node of the contacts in `other`: q̇ := q̇ + M⁻¹(W_N Λ_N + W_T Λ_T). */
static dv_code dv_visit_impact(dv_engine *e, dv_found *found) {
    dv_closed *closed = &e->other;
    double *world = e->drive; /* the result in world axes, for the log */
    double most = 0.0;
    e->now.accumulates = NAN;
    dv_rows(e, closed, e->x);
    dv_code code = dv_impulses(e, closed, found);
    if (code != DV_OK) return code;
    dv_take_out(e, closed, NULL, closed->gap, 1, e->x); /* what nearly touches now touches */
    for (int k = 0; k < closed->count; k++) {
        const double *impulse = e->found_forces + 3 * k;
        most = dv_max(most, sqrt(dv_dot(impulse, impulse, 3)));
        for (int r = 0; r < 3; r++)
            if (impulse[r] != 0.0) dv_push(e, closed, k, r, impulse[r], e->x + e->half);
        dv_to_world(closed->frame + 9 * k, impulse, world + 3 * closed->count + 3 * k);
    }
    int first = 0, hits = 0;
    for (int k = closed->count - 1; k >= 0; k--) { /* what rounding leaves of none is no hit */
        const double *impulse = e->found_forces + 3 * k;
        if (!(sqrt(dv_dot(impulse, impulse, 3)) > 1e-12 * most)) continue;
        first = closed->contact[k];
        e->hit[first] = 1;
        hits++;
    }
    code = dv_at_rest(e, closed);
    dv_copy(world, world + 3 * closed->count, 3 * closed->count);
    dv_end_impact(e, first, hits);
    return code;
}

/* Through the contact node of `other`: forces, held for the location that follows. */
static dv_code dv_visit_contact(dv_engine *e, dv_found *found) {
    dv_closed *closed = &e->other;
    e->now.accumulates = NAN;
    dv_rows(e, closed, e->x);
    dv_code code = dv_contact_forces(e, closed, e->now.time, e->x, found);
    if (code != DV_OK) return code;
    dv_zero(e->held, 3 * e->contacts);
    e->now.holds = 1;
    for (int k = 0; k < closed->count; k++) {
        dv_to_world(closed->frame + 9 * k, e->found_forces + 3 * k, e->drive + 3 * k);
        dv_copy(e->held + 3 * closed->contact[k], e->drive + 3 * k, 3);
    }
    return DV_OK;
}
