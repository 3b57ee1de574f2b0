/* Jams in heaps: impulses where friction along the slips there are leaves no finite forces. See
 * dyverse.generation.node.jamming, of which this is the translation. */

#define DV_JAMS 8          /* jams one after the other in one instant */
#define DV_SHORTER 0.1     /* from one duration of the load to the next */
#define DV_FARTHER 4.0     /* ways that slips are let go in vain, from one to the next, */
#define DV_LOOSER 9        /* so often */
#define DV_LOOSEST 1e5     /* times more that forces of a heap may leave of accelerations then */
#define DV_JAM_ERROR 1e3   /* times the tolerated speed: what impulses may leave if none are better */

/* Impulses of an island that a load of a moment `span` (s) adds to its speeds `gamma`, from those in
 * `impulse`, to which they go; 0 if they are not found. The problem's G is that of the island. */
static int dv_jam_over(dv_engine *e, const dv_closed *closed, int island, double span,
                       const double *gamma, double *impulse) {
    dv_problem *p = &e->problem;
    const int *members = closed->order + closed->first[island];
    for (int i = 0; i < 3 * p->n; i++) {
        int k = members[i / 3], idle = e->resists[closed->contact[k]]; /* not in no time */
        p->c[i] = idle ? 0.0 : gamma[i] + span * e->drive[3 * k + i % 3];
    }
    p->tolerated = e->options.speed / 8;
    p->passable = DV_JAM_ERROR * e->options.speed;
    dv_answer answer = dv_solve(p, impulse, 0, e->dense_work, e->pivots);
    p->tolerated = p->passable = 0.0;
    return answer.status == DV_SOLVED;
}

/* Impulses by which an island jams, to `impulse`: those of a load that lasts ever more briefly, until
 * it adds no speed that counts. 0 if there are none, or they would add energy. */
static int dv_jam_impulses(dv_engine *e, const dv_closed *closed, int island, double *gamma,
                           double *impulse) {
    dv_problem *p = &e->problem;
    const int *members = closed->order + closed->first[island];
    double drive = 0.0, exchanged;
    int N;
    p->n = closed->first[island + 1] - closed->first[island];
    N = 3 * p->n;
    dv_delassus(e, closed, members, p->n, p->G);
    for (int j = 0; j < p->n; j++) {
        int k = members[j];
        p->directed[j] = 0;
        int idle = e->resists[closed->contact[k]];
        p->mu[j] = idle ? 0.0 : dv_friction(e, closed->contact[k], dv_slip_speed(closed, k));
        dv_copy(gamma + 3 * j, closed->speed + 3 * k, 3);
        if (idle) dv_zero(gamma + 3 * j, 3);
        drive = dv_max(drive, fabs(e->drive[3 * k]));
    }
    if (!(drive > 0.0) || !dv_prepare(p)) return 0;
    double least = e->options.speed / drive, span = sqrt(2 * e->options.heap / drive);
    dv_zero(impulse, N);
    for (;; span = dv_max(DV_SHORTER * span, least)) {
        if (!dv_jam_over(e, closed, island, span, gamma, impulse)) return 0;
        if (span <= least) break;
    }
    return dv_energy_change(p, gamma, impulse, &exchanged) < 0.0;
}

/* Behind the contacts of a node those that touch and part: pushed together by a jam, they would be next in
 * the same instant, and so for ever; so they take part. */
static void dv_with_bystanders(dv_engine *e, dv_closed *closed) {
    int own = closed->count;
    dv_add_bystanders(e);
    for (int k = own; k < closed->count; k++) e->lost[k] = e->struck[k] = 0;
    dv_regroup(e, closed);
    for (int i = 0; i < 3 * closed->count; i++)
        e->drive[i] = dv_row_times(e, closed, i / 3, i % 3, e->free) + closed->bias[i];
}

/* Whether an island is a heap without forces. */
static int dv_is_lost(const dv_engine *e, const dv_closed *closed, int island) {
    for (int i = closed->first[island]; i < closed->first[island + 1]; i++)
        if (e->lost[closed->order[i]]) return closed->company[closed->order[i]] >= DV_HEAP;
    return 0;
}

static int dv_any_lost(const dv_engine *e, const dv_closed *closed) {
    int any = 0;
    for (int island = 0; island < closed->islands; island++) any |= dv_is_lost(e, closed, island);
    return any;
}

/* Jam the islands of heaps that no forces were found for, and mark who takes an impulse in `struck`;
 * whether there are any. */
static int dv_jam_heaps(dv_engine *e, dv_closed *closed) {
    int any = 0;
    dv_zero(e->found_forces, 3 * closed->count);
    for (int island = 0; island < closed->islands; island++) {
        const int *members = closed->order + closed->first[island];
        int N = 3 * (closed->first[island + 1] - closed->first[island]);
        double *gamma = e->local, *impulse = gamma + N;
        if (!dv_is_lost(e, closed, island)) continue;
        if (!dv_jam_impulses(e, closed, island, gamma, impulse)) continue;
        for (int i = 0; i < N; i++)
            dv_push(e, closed, members[i / 3], i % 3, impulse[i], e->x + e->coordinates);
        dv_scatter(e, closed, island, impulse);
        any = 1;
    }
    dv_mark_struck(e, closed);
    return any;
}

/* Leave out the contacts that part, by a jam or as before. */
static void dv_leave_parted(dv_engine *e, dv_closed *closed) {
    int stay = 0;
    dv_rows(e, closed, e->x);
    for (int k = 0; k < closed->count; k++) {
        if (closed->speed[3 * k] > e->options.speed) continue;
        int at = stay++, contact = closed->contact[k], struck = e->struck[k];
        for (; at > 0 && closed->contact[at - 1] > contact; at--) { /* bystanders came last */
            closed->contact[at] = closed->contact[at - 1];
            e->struck[at] = e->struck[at - 1];
        }
        closed->contact[at] = contact;
        e->struck[at] = struck;
    }
    closed->count = stay;
    for (int k = 0; k < stay; k++) {
        e->halts[k] = 0;
        e->part[k] = 1;
    }
    dv_regroup(e, closed);
}

/* A jam is an impact of those that are struck and stay closed. */
static void dv_note_jam(dv_engine *e, const dv_closed *closed) {
    int first = closed->count, hits = 0;
    for (int k = closed->count - 1; k >= 0; k--) {
        e->rested[k] = e->struck[k];
        if (!e->struck[k]) continue;
        first = closed->contact[k];
        e->hit[first] = 1;
        hits++;
    }
    if (hits) dv_note(e, e->now.time, DV_IMPACT, first, hits);
}

/* Mark the slips of heaps without forces that what drives them could stop within so many times the way
 * that is not followed there; whether there are any. */
static int dv_mark_slower(dv_engine *e, const dv_closed *closed, double times) {
    int any = 0;
    double drive = 0.0, rest = DV_STANDSTILL * e->options.slip;
    for (int k = 0; k < closed->count; k++) drive = dv_max(drive, fabs(e->drive[3 * k]));
    for (int k = 0; k < closed->count; k++) {
        double slip = dv_slip_speed(closed, k);
        int heap = e->lost[k] && closed->company[k] >= DV_HEAP;
        e->halts[k] = heap && slip > rest && slip <= dv_brief(e, closed, k, times * drive);
        any |= e->halts[k];
    }
    return any;
}

/* Where a heap has no forces and does not jam: its slower slips end, and ever faster ones, and forces may
 * leave ever more of accelerations, up to a share of what drives the contacts, until there are some. */
static dv_code dv_slowed_forces(dv_engine *e, dv_closed *closed, dv_found *found) {
    dv_code code = DV_OK;
    double times = DV_FARTHER;
    for (int turn = 0; turn < DV_LOOSER && code == DV_OK && dv_any_lost(e, closed); turn++) {
        if (dv_mark_slower(e, closed, times)) dv_halt(e, closed);
        e->looser = dv_min(times, DV_LOOSEST);
        code = dv_contact_forces(e, closed, e->now.time, e->x, found);
        times *= DV_FARTHER;
    }
    e->looser = 1.0;
    return code;
}

/* Where a heap has no forces: it jams, until there are some; not where impacts and jams have taken turns
 * in this instant, which could go on for ever. */
static dv_code dv_heap_forces(dv_engine *e, dv_closed *closed, dv_found *found) {
    dv_code code = DV_OK;
    int jams = 0;
    for (int k = 0; k < closed->count; k++) e->struck[k] = 0;
    for (int some = dv_patience(e) == 0.0; some && code == DV_OK && jams < DV_JAMS; jams += some) {
        if (!dv_any_lost(e, closed)) break;
        dv_with_bystanders(e, closed);
        some = dv_jam_heaps(e, closed);
        dv_leave_parted(e, closed);
        dv_still(e, closed);
        code = dv_contact_forces(e, closed, e->now.time, e->x, found);
    }
    if (code == DV_OK) code = dv_slowed_forces(e, closed, found);
    if (!jams || code != DV_OK || found->failure) return code;
    found->answer.method = DV_SHOCK;
    dv_note_jam(e, closed);
    return code;
}
