/* Passing through a computation node: impacts and contact forces. See
 * dyverse.generation.node. Contacts that share no body are solved apart. */

#define DV_PASSABLE 1e3 /* times the tolerance: forces are taken if no others are found */
#define DV_UNSURE 10.0 /* times what forces leave: smaller accelerations may be none */
#define DV_PATIENT 8   /* passes through nodes of one instant, before its tolerance grows, */
#define DV_GROWING 4.0 /* from pass to pass, */
#define DV_GROWN 16    /* so often */
#define DV_STANDING 20 /* times at most that speeds of contacts nearly redundant are taken out */

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

/* Behind the contacts of an impact, those that touch and part: pushed together by it, they would be
 * next in the same instant, and so for ever; so they take part, and by Newton's law at once without
 * restitution. */
static void dv_add_bystanders(dv_engine *e) {
    int own = e->other.count;
    dv_survey(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        int among = !(e->gap0[c] <= e->options.gap);
        for (int k = 0; k < own && !among; k++) among = e->other.contact[k] == c;
        if (among || !dv_has_room(e, e->other.count)) continue;
        e->part[e->other.count] = e->rested[e->other.count] = 0;
        e->other.contact[e->other.count++] = c;
    }
}

/* Rows and islands of contacts that have just been listed. */
static void dv_regroup(dv_engine *e, dv_closed *closed) {
    dv_keep_flats(e, closed);
    dv_find_islands(e, closed);
    dv_rows(e, closed, e->x);
}

/* Take out of x the speeds of contacts that count as none, along normal and slip. Where contacts share
 * a load, even these would ask for accelerations that no force can give; and taken out later, when
 * forces are known, they would turn the slip of others. */
static void dv_still(dv_engine *e, dv_closed *closed) {
    double *error = e->stay;
    int *rows = e->work_int;
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i];
            int rests = e->halts[k] || dv_slip_speed(closed, k) <= DV_STANDSTILL * e->options.slip;
            if (!e->part[k] && closed->speed[3 * k] > e->options.speed) continue;
            for (int r = 0; r < (rests && e->part[k] ? 3 : 1); r++) {
                error[count] = closed->speed[3 * k + r];
                rows[count++] = 3 * k + r;
            }
        }
        dv_correct_island(e, closed, rows, count, error, e->x + e->coordinates);
    }
    dv_rows(e, closed, e->x);
}

/* Forces that keep all contacts of an island closed and those at rest sticking, the smallest of them,
 * to `stay`; 0 if there are none. Who can stay at rest, stays. */
static int dv_stays(dv_engine *e, dv_closed *closed, int island) {
    dv_system s = dv_system_of(e, closed, island);
    double *soft = s.unit + 6 * s.n;
    for (int j = 0; j < s.n; j++) {
        int k = s.members[j], c = closed->contact[k];
        double slip = dv_slip_speed(closed, k);
        int slips = slip > DV_STANDSTILL * e->options.slip;
        s.sticks[j] = !slips && !e->smooth[c];
        s.mu[j] = dv_friction(e, c, slips ? slip : 0.0);
        for (int i = 0; i < 2; i++)
            s.per_normal[2 * j + i] = slips ? -s.mu[j] * closed->speed[3 * k + 1 + i] / slip : 0.0;
    }
    dv_system_layout(e, &s);
    dv_load load = dv_load_of(&s, soft, e->stay);
    dv_base *b = s.n > DV_SMALL ? dv_base_here(e, &s, DV_FOR_SIGNALS, e->stay) : NULL;
    if (b) {
        load.soft = b->soft;
        int moves = b->moves && dv_system_rubs(&s);
        int use = s.n > DV_CROWDED && !moves ? DV_FOR_WATCH : DV_FOR_SIGNALS;
        double spare = b->changes ? dv_base_choose(e, &s, b, use, b->y, e->stay, s.rest)
                                  : dv_least_spare(&load, e->stay);
        return spare >= -e->options.acceleration / 2;
    }
    dv_system_fill(e, &s, e->free);
    dv_zero(s.y, s.m);
    dv_system_solve(e, &s);
    dv_system_forces(e, &s, s.y, e->stay);
    dv_system_softness(e, &s, soft);
    double spare = s.open ? dv_system_share(e, &s, soft, DV_FOR_SIGNALS, e->stay)
                          : dv_least_spare(&load, e->stay);
    return s.missed == 0.0 && spare >= -e->options.acceleration / 2;
}

/* Remember how far accelerations of the contacts of an island may be from the truth, if no method has
 * found them to the last digit. */
static void dv_doubt(dv_engine *e, const dv_closed *closed, int island, double residual) {
    const dv_problem *p = &e->problem;
    double scale = 0.0;
    for (int j = 0; j < p->n; j++) scale = dv_max(scale, fabs(p->c[3 * j]));
    if (!(residual * scale > e->options.acceleration / 8)) return;
    for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
        e->unsure[closed->order[i]] = DV_UNSURE * residual * scale;
}

/* Signorini and Coulomb on the acceleration level, with the direction of slip given, beginning with
 * the forces held: of several answers, nodes of one instant give the same. The rows of `closed` are
 * at x; forces go to found_forces, local axes. */
static dv_code dv_contact_forces(dv_engine *e, dv_closed *closed, double time, const double *x,
                                 dv_found *found) {
    dv_problem *p = &e->problem;
    *found = dv_nothing_found(e, closed);
    dv_free_acceleration(e, time, x, e->free);
    for (int k = 0; k < closed->count; k++)
        for (int r = 0; r < 3; r++)
            e->drive[3 * k + r] = dv_row_times(e, closed, k, r, e->free) + closed->bias[3 * k + r];
    for (int k = 0; k < closed->count; k++) {
        e->stays[k] = e->lost[k] = 0;
        e->unsure[k] = 0.0;
    }
    for (int island = 0; island < closed->islands; island++) {
        if (!dv_pose(e, closed, island, e->drive, 0.0)) continue;
        if (p->n > 1 && dv_stays(e, closed, island)) {
            dv_answer answer = {DV_SOLVED, DV_BALANCE, 0, 0.0, 1.0};
            dv_join(found, &answer);
            dv_scatter(e, closed, island, e->stay);
            for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
                e->stays[closed->order[i]] = 1;
            continue;
        }
        for (int j = 0; j < p->n; j++) {
            int k = closed->order[closed->first[island] + j];
            double slip = dv_slip_speed(closed, k);
            p->directed[j] = slip > DV_STANDSTILL * e->options.slip;
            p->mu[j] = dv_friction(e, closed->contact[k], p->directed[j] ? slip : 0.0);
            for (int i = 0; i < 2 && p->directed[j]; i++)
                p->sliding[2 * j + i] = closed->speed[3 * k + 1 + i] / slip;
        }
        dv_lead(e, closed, closed->order + closed->first[island], p->n, p->G);
        if (!dv_prepare(p)) return DV_STUCK;
        for (int j = 0; j < p->n; j++) {
            int k = closed->order[closed->first[island] + j];
            dv_to_frame(closed->frame + 9 * k, e->held + 3 * closed->contact[k], e->local + 3 * j);
        }
        p->tolerated = e->options.acceleration / 8;
        p->passable = DV_PASSABLE * e->options.acceleration;
        if (closed->company[closed->order[closed->first[island]]] >= DV_HEAP)
            p->passable *= dv_max(e->looser, 1.0);
        dv_answer answer = dv_solve(p, e->local, 0, e->dense_work, e->pivots);
        p->tolerated = p->passable = 0.0;
        dv_join(found, &answer);
        dv_scatter(e, closed, island, e->local);
        dv_doubt(e, closed, island, answer.residual);
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
            e->lost[closed->order[i]] = answer.status != DV_SOLVED;
    }
    return DV_OK;
}

/* Impulses at the contacts of `other`, impact after impact; bystanders that are pushed together are
 * next, with their own restitution. */
static dv_code dv_impulses_in_turn(dv_engine *e, dv_closed *closed, dv_found *found) {
    *found = dv_nothing_found(e, closed);
    found->answer.method = DV_SEQUENCE;
    for (int island = 0; island < closed->islands; island++) {
        const int *members = closed->order + closed->first[island];
        int n = closed->first[island + 1] - closed->first[island];
        dv_answer answer = dv_solve_sequence(e, closed, members, n);
        if (answer.status == DV_STUCK_END) return DV_STUCK;
        dv_join(found, &answer);
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
            p->mu[j] = e->resists[c] ? 0.0 : dv_friction(e, c, dv_slip_speed(closed, k));
            if (e->resists[c]) dv_zero(p->c + 3 * j, 3); /* nothing resists turning in no time */
            int bounces = e->part[k] || e->impact == DV_IN_PHASES;
            restitution[2 * j] = bounces ? e->e_N[c] : 0.0;
            restitution[2 * j + 1] = bounces ? e->e_T[c] : 0.0;
        }
        dv_copy(gamma, p->c, 3 * p->n);
        if (!dv_prepare(p)) return DV_STUCK;
        dv_answer answer =
            (e->impact == DV_IN_PHASES ? dv_solve_phases : dv_solve_impact)(
                p, gamma, restitution, impulse, e->dense_work, e->pivots);
        dv_join(found, &answer);
        dv_scatter(e, closed, island, impulse);
    }
    return DV_OK;
}

/* What nearly touches now touches: the gaps of the contacts of an impact are taken out of x. */
static void dv_close_gaps(dv_engine *e, dv_closed *closed) {
    double *target = dv_shifted(e, e->x);
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i];
            if (!e->part[k]) continue;
            e->local[count] = closed->gap[k];
            e->work_int[count++] = 3 * k;
        }
        dv_correct_island(e, closed, e->work_int, count, e->local, target);
    }
    dv_shift(e, e->x);
}

/* Begin a list, in `closed`, which the location before needs no more, of the contacts of `other` that
 * may have come to rest by an impact; `place` says where they are in `other`. Returns whether one of
 * them parts. */
static int dv_list_slow(dv_engine *e, int *place) {
    const dv_closed *after = &e->other;
    dv_closed *slow = &e->closed;
    int parts = 0;
    slow->count = 0;
    for (int k = 0; k < after->count; k++) {
        double v = after->speed[3 * k];
        int candidate = e->part[k] && v > e->options.speed && v < DV_SLOW;
        parts |= candidate;
        if (!candidate && !(v <= e->options.speed)) continue;
        place[slow->count] = k;
        slow->contact[slow->count++] = after->contact[k];
    }
    return parts;
}

/* Whether a bounce of contact k is its last, if it is driven back so fast. */
static int dv_is_last(const dv_engine *e, const dv_closed *closed, int k, double drive) {
    double v = closed->speed[3 * k];
    return v * v <= 2 * drive * dv_last_height(e, closed, k);
}

/* Forces at the contacts of the list, and of those that part without being driven back enough fewer
 * and fewer, until the others rest by themselves. Returns whether some part and rest. */
static dv_code dv_find_resting(dv_engine *e, int *place, double *drive, int *any) {
    dv_closed *slow = &e->closed;
    for (int left = 1; left;) {
        dv_found found;
        int kept = 0;
        dv_regroup(e, slow);
        dv_code code = dv_contact_forces(e, slow, e->now.time, e->x, &found);
        if (code != DV_OK) return code;
        *any = left = 0;
        for (int k = 0; k < slow->count; k++) {
            double v = slow->speed[3 * k];
            int leader = dv_led_by(e, slow, k);
            drive[k] = e->found_forces[3 * leader] * dv_own(e, slow, leader, 0);
            int rests = v <= e->options.speed, ends = dv_is_last(e, slow, k, drive[k]);
            left |= !rests && !ends;
            *any |= !rests && ends;
        }
        for (int k = 0; k < slow->count && left; k++) {
            double v = slow->speed[3 * k];
            if (v > e->options.speed && !dv_is_last(e, slow, k, drive[k])) continue;
            place[kept] = place[k];
            slow->contact[kept++] = slow->contact[k];
        }
        if (left) slow->count = kept;
        if (!*any) return DV_OK;
    }
    return DV_OK;
}

/* Take normal speeds out of x, without making those slip that stand. */
static void dv_stand(dv_engine *e, dv_closed *closed) {
    double *error = e->stay;
    int *rows = e->work_int;
    for (int island = 0; island < closed->islands; island++) {
        int count = 0;
        for (int i = closed->first[island]; i < closed->first[island + 1]; i++) {
            int k = closed->order[i];
            int stands = !e->smooth[closed->contact[k]] &&
                         dv_slip_speed(closed, k) <= DV_STANDSTILL * e->options.slip;
            for (int r = 0; r < (stands ? 3 : 1); r++) {
                error[count] = closed->speed[3 * k + r];
                rows[count++] = 3 * k + r;
            }
        }
        dv_correct_island(e, closed, rows, count, error, e->x + e->coordinates);
    }
}

/* Whether the normal speed of a contact is more than counts as none. */
static int dv_moves_apart(const dv_engine *e, const dv_closed *closed) {
    double most = 0.0;
    for (int k = 0; k < closed->count; k++) most = dv_max(most, fabs(closed->speed[3 * k]));
    return most > e->options.speed / 8;
}

/* The Zeno guard: contacts whose bouncing is over keep no normal speed; when it is over. A contact
 * that parts with speed v against an acceleration a that drives it back bounces to v²/2a, and its
 * impacts accumulate after 2v/(a(1 - e)). Below the tolerated height it is at rest. (Without having
 * closed before it has hardly parted, and without restitution it hits once: nothing accumulates.) The
 * forces that drive it back are held for the contact node. The rows of `other` are before the impact,
 * and in the end at x. */
static dv_code dv_at_rest(dv_engine *e) {
    const dv_options *o = &e->options;
    dv_closed *slow = &e->closed, *after = &e->other;
    int any = 0, piled = 0, *place = e->suspect;
    double wait = 0.0, *drive = e->touch_drive;
    for (int k = 0; k < after->count; k++) {
        e->approached[k] = e->part[k] && after->speed[3 * k] < -o->speed;
        e->rested[k] = 0;
    }
    dv_rows(e, after, e->x);
    if (!dv_list_slow(e, place)) return DV_OK;
    dv_code code = dv_find_resting(e, place, drive, &any);
    if (code != DV_OK || !any) return code;
    for (int k = 0; k < slow->count; k++) {
        int c = slow->contact[k], at = place[k];
        double v = slow->speed[3 * k];
        dv_to_world(slow->frame + 9 * k, e->found_forces + 3 * k, e->held + 3 * c);
        e->known[c] = 1;
        e->rested[at] = v > o->speed && e->approached[at] && e->e_N[c] > 0.0;
        piled |= e->rested[at];
        if (e->rested[at] && e->e_N[c] < 1.0)
            wait = dv_max(wait, 2 * v / (drive[k] * (1 - e->e_N[c])));
    }
    for (int turn = 0; turn < DV_STANDING && dv_moves_apart(e, slow); turn++) {
        dv_stand(e, slow);
        dv_rows(e, slow, e->x);
    }
    dv_rows(e, after, e->x);
    if (piled) e->now.accumulates = e->now.time + wait;
    return DV_OK;
}

/* No forces are held any more. */
static void dv_drop_forces(dv_engine *e) {
    if (e->few) dv_zero(e->held, 3 * e->contacts);
    for (int i = 0; i < e->live_count && !e->few; i++) dv_zero(e->held + 3 * e->live[i], 3);
}

/* No forces are known after an impact. */
static void dv_end_impact(dv_engine *e) {
    dv_drop_forces(e);
    for (int i = 0; i < e->live_count; i++) e->known[e->live[i]] = 0;
    e->now.holds = 0;
}

/* An impact is an event for those that took an impulse; for those that bounced their last, an
 * accumulation. */
static void dv_note_impact(dv_engine *e) {
    const dv_closed *closed = &e->other;
    int first[2] = {0, 0}, hits[2] = {0, 0};
    for (int k = closed->count - 1; k >= 0; k--) {
        if (!e->struck[k]) continue;
        first[e->rested[k]] = closed->contact[k];
        hits[e->rested[k]]++;
    }
    e->now.counts[DV_N_IMPACTS] += hits[0] + hits[1] > 0;
    if (hits[0]) dv_note(e, e->now.time, DV_IMPACT, first[0], hits[0]);
    if (hits[1]) dv_note(e, e->now.time, DV_ACCUMULATION, first[1], hits[1]);
}

/* By how much the impulse of a contact changes the speeds there by itself, ‖diag(G) Λ‖. */
static double dv_changed(const dv_engine *e, const dv_closed *closed, int k) {
    const double *impulse = e->found_forces + 3 * k;
    double squares = 0.0;
    for (int r = 0; r < 3; r++) {
        double change = impulse[r] != 0.0 ? dv_own(e, closed, k, r) * impulse[r] : 0.0;
        squares += change * change;
    }
    return sqrt(squares);
}

/* Mark who took an impulse that is more than what computation leaves of none: by itself it changes speeds
 * by more than an eighth of what counts as closing. The impulses themselves do not tell: where joints
 * keep contacts from closing up to 1e-12 m/s, these ask for as much however light an impact is. */
static void dv_mark_struck(dv_engine *e, const dv_closed *closed) {
    double most = 0.0;
    for (int k = 0; k < closed->count; k++) most = dv_max(most, dv_changed(e, closed, k));
    double least = dv_max(e->options.speed / 8, DV_ROUNDING * most);
    for (int k = 0; k < closed->count; k++) e->struck[k] |= dv_changed(e, closed, k) > least;
}

/* Through the impact node of the contacts in `other`: q̇ := q̇ + M⁻¹(W_N Λ_N + W_T Λ_T). */
static dv_code dv_visit_impact(dv_engine *e, dv_found *found) {
    dv_closed *closed = &e->other;
    double *world = e->drive; /* the result in world axes, for the log */
    e->now.accumulates = NAN;
    dv_rows(e, closed, e->x);
    dv_code code = e->impact == DV_IN_TURN ? dv_impulses_in_turn(e, closed, found)
                                           : dv_impulses(e, closed, found);
    if (code != DV_OK) return code;
    dv_close_gaps(e, closed);
    for (int k = 0; k < closed->count; k++) {
        const double *impulse = e->found_forces + 3 * k;
        for (int r = 0; r < 3; r++)
            if (impulse[r] != 0.0) dv_push(e, closed, k, r, impulse[r], e->x + e->coordinates);
        e->struck[k] = 0;
    }
    dv_mark_struck(e, closed);
    for (int k = 0; k < closed->count; k++) {
        double *told = world + 3 * closed->count + 3 * k;
        dv_zero(told, 3);
        if (e->struck[k]) dv_to_world(closed->frame + 9 * k, e->found_forces + 3 * k, told);
        e->hit[closed->contact[k]] |= e->struck[k];
    }
    dv_end_impact(e);
    code = dv_at_rest(e);
    dv_copy(world, world + 3 * closed->count, 3 * closed->count);
    dv_note_impact(e);
    return code;
}

/* What counts as none after so many passes in vain: nothing at first, then ever more. */
static double dv_grown(const dv_engine *e, int passes) {
    int more = passes - DV_PATIENT;
    return more <= 0 ? 0.0 : e->options.acceleration * pow(DV_GROWING, more < DV_GROWN ? more : DV_GROWN);
}

/* An acceleration that counts as none where nodes and locations of one instant contradict each other:
 * contacts are then nearly redundant, or at their limits several at once, and forces are not known well
 * enough to tell who begins to slip. None does that would do so slower than this. */
static double dv_patience(const dv_engine *e) {
    return dv_grown(e, e->now.jumps / 2 + e->now.creeps / 2);
}

/* The same in a heap whose nodes have led back to its modes time after time: whoever would begin to slip
 * under less has not gone as far since as slips are followed in a heap. */
static double dv_weariness(const dv_engine *e) {
    double since = e->now.time - e->now.vain_since, grown = dv_grown(e, e->now.vain);
    return grown > 0.0 ? dv_min(grown, 2 * e->options.heap / (since * since)) : 0.0;
}

/* The larger of both at a contact of a node. */
static double dv_tired(const dv_engine *e, const dv_closed *closed, int k) {
    double patience = dv_patience(e);
    return closed->company[k] >= DV_HEAP ? dv_max(patience, dv_weariness(e)) : patience;
}

/* Mark contacts whose slip is over under the forces found, as far as these are known; whether there are
 * any. Where a location says so of a slip time after time and its node does not, it is over. */
static int dv_mark_halts(dv_engine *e, dv_closed *closed) {
    int any = 0;
    for (int k = 0; k < closed->count; k++) any |= closed->company[k] >= DV_PILE;
    if (!any) return 0; /* no slip is brief, and none is marked */
    any = 0;
    dv_accelerate(e, closed, e->found_forces);
    for (int k = 0; k < closed->count; k++) {
        double slip = dv_slip_speed(closed, k), rest = DV_STANDSTILL * e->options.slip;
        double gain = dv_slip_gain(e, closed, k, e->free);
        double doubt = dv_max(e->options.acceleration, dv_tired(e, closed, k));
        double brief = dv_brief(e, closed, k, doubt - gain);
        e->halts[k] = slip > rest && brief > 0.0 && slip <= DV_ABOUT * (rest + brief);
        any |= e->halts[k];
    }
    return any;
}

/* Where no forces are found along the slips there are: mark those that what drives the contacts together
 * could stop unseen; whether there are any. */
static int dv_mark_slow(dv_engine *e, dv_closed *closed) {
    int any = 0;
    double drive = 0.0, rest = DV_STANDSTILL * e->options.slip;
    for (int k = 0; k < closed->count; k++) drive = dv_max(drive, fabs(e->drive[3 * k]));
    for (int k = 0; k < closed->count; k++) {
        double slip = dv_slip_speed(closed, k);
        e->halts[k] = slip > rest && slip <= dv_brief(e, closed, k, drive);
        any |= e->halts[k];
    }
    return any;
}

/* Take out of x the slip of contacts that halt, without pushing those together that touch and part. */
static void dv_halt(dv_engine *e, dv_closed *closed) {
    int own = closed->count;
    dv_add_bystanders(e);
    for (int k = own; k < closed->count; k++) e->halts[k] = 0;
    dv_regroup(e, closed);
    dv_still(e, closed);
    if (closed->count == own) return;
    closed->count = own;
    dv_regroup(e, closed);
}

/* Stop the contacts of islands in which one slips in Painlevé's way, if impulses that do so obey the
 * laws: an impact without collision. Marks who is stopped in `rested`; whether anybody is. See
 * dyverse.generation.node.painleve. */
static int dv_jam(dv_engine *e, dv_closed *closed) {
    dv_problem *p = &e->problem;
    int any = 0;
    for (int island = 0; island < closed->islands; island++) {
        const int *members = closed->order + closed->first[island];
        int paradox = 0, N;
        p->n = closed->first[island + 1] - closed->first[island];
        N = 3 * p->n;
        dv_delassus(e, closed, members, p->n, p->G);
        for (int j = 0; j < p->n; j++) {
            const double *gamma = closed->speed + 3 * members[j], *g = p->G + 3 * j * (N + 1);
            double slip = dv_slip_speed(closed, members[j]);
            int slips = slip > DV_STANDSTILL * e->options.slip;
            dv_copy(e->local + 3 * j, gamma, 3);
            p->mu[j] = dv_friction(e, closed->contact[members[j]], slips ? slip : 0.0);
            double own = g[0] - p->mu[j] * (g[1] * gamma[1] + g[2] * gamma[2]) / slip;
            paradox |= slips && own <= 0.0;
        }
        double *impulse = e->local + N;
        if (!paradox || !dv_stopping(p, e->local, impulse, e->dense_work, e->pivots)) continue;
        for (int i = 0; i < N; i++)
            dv_push(e, closed, members[i / 3], i % 3, impulse[i], e->x + e->coordinates);
        for (int j = 0; j < p->n; j++) e->rested[members[j]] = any = 1;
    }
    return any;
}

/* Where there are no forces: contacts jam, if the model lets them, and then there may be some. */
static dv_code dv_jammed_forces(dv_engine *e, dv_closed *closed, dv_found *found) {
    double *v = e->x + e->coordinates;
    int first = closed->count, hits = 0;
    dv_copy(e->yt, v, e->speeds);
    if (!dv_jam(e, closed)) return DV_OK;
    dv_rows(e, closed, e->x);
    dv_code code = dv_contact_forces(e, closed, e->now.time, e->x, found);
    if (code != DV_OK || found->failure) {
        dv_copy(v, e->yt, e->speeds);
        return code;
    }
    found->answer.method = DV_SHOCK;
    for (int k = closed->count - 1; k >= 0; k--) {
        if (!e->rested[k]) continue;
        first = closed->contact[k];
        e->hit[first] = 1;
        hits++;
    }
    dv_note(e, e->now.time, DV_IMPACT, first, hits);
    return DV_OK;
}

#include "jamming.c"

/* Forces at the contacts of a node; those whose slip is over are at rest first. */
static dv_code dv_settled_forces(dv_engine *e, dv_closed *closed, dv_found *found) {
    for (int k = 0; k < closed->count; k++) e->halts[k] = 0;
    dv_still(e, closed);
    dv_code code = dv_contact_forces(e, closed, e->now.time, e->x, found);
    if (code == DV_OK && found->failure == DV_INCONSISTENT && e->without_collision)
        return dv_jammed_forces(e, closed, found);
    if (code != DV_OK) return code;
    if (found->failure ? dv_mark_slow(e, closed) : dv_mark_halts(e, closed)) {
        dv_halt(e, closed);
        code = dv_contact_forces(e, closed, e->now.time, e->x, found);
    }
    return code == DV_OK && found->failure ? dv_heap_forces(e, closed, found) : code;
}

/* Through the contact node of `other`: forces, held for the location that follows. */
static dv_code dv_visit_contact(dv_engine *e, dv_found *found) {
    dv_closed *closed = &e->other;
    e->now.accumulates = NAN;
    dv_rows(e, closed, e->x);
    dv_code code = dv_settled_forces(e, closed, found);
    if (code != DV_OK) return code;
    for (int k = 0; k < closed->count; k++)
        e->unsure[k] = dv_max(e->unsure[k], dv_tired(e, closed, k));
    e->now.doubt = dv_largest(e->unsure, closed->count);
    dv_drop_forces(e);
    e->now.holds = 1;
    for (int k = 0; k < closed->count; k++) {
        e->known[closed->contact[k]] = 1;
        dv_to_world(closed->frame + 9 * k, e->found_forces + 3 * k, e->drive + 3 * k);
        dv_copy(e->held + 3 * closed->contact[k], e->drive + 3 * k, 3);
        dv_copy(e->followed + 3 * closed->contact[k], e->drive + 3 * k, 3);
    }
    e->now.seeds++;
    return DV_OK;
}
