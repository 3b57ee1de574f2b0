/* Many balls in free flight: each stays where it was when it last changed its course, until something
 * happens to it, so that an event costs the same however many others there are. Beside each state in x
 * is its time, `since`; whoever wants all bodies at the present time asks dv_state_at.
 *
 * At an event the bodies that take part are brought to the present, and the contacts that are looked at
 * are those among them: what happens is for run.c to say, as ever. What formulas do not tell is left to
 * steps: near misses, and bodies that stay in touch. */

#define DV_AT_HAND 4.0    /* tolerances of a gap: so near, contacts are looked at in an event */
#define DV_SOON 1e-6    /* s: an event so soon after the horizon may be one with it */
#define DV_TURNS 256    /* entries of the calendar that count as a step */
#define DV_FARTHEST 1e8 /* cells from the origin */
#define DV_NOT_YET 0.999 /* of the time that a slip lasts: so long it is sure to last */

/* ---- what may fly ---- */

/* The smaller or the larger of a contact's bodies; of a wall, the ball. */
static int dv_sorted_end(const dv_engine *e, int contact, int larger) {
    const int *ends = e->ends + 2 * contact;
    return ends[e->flat[contact] < 0 && (ends[0] < ends[1]) == larger];
}

/* Contacts by one of their bodies, otherwise in the order that they have; `first` of each body. */
static void dv_sort_contacts(const dv_engine *e, const int *in, int count, int larger, int *first,
                             int *out) {
    for (int b = 0; b <= e->bodies; b++) first[b] = 0;
    for (int i = 0; i < count; i++) first[dv_sorted_end(e, in[i], larger) + 1]++;
    for (int b = 0; b < e->bodies; b++) first[b + 1] += first[b];
    for (int i = 0; i < count; i++) out[first[dv_sorted_end(e, in[i], larger)]++] = in[i];
    for (int b = e->bodies; b > 0; b--) first[b] = first[b - 1];
    first[0] = 0;
}

static int dv_other_end(const dv_engine *e, int contact, int body) {
    const int *ends = e->ends + 2 * contact;
    return ends[0] == body ? ends[1] : ends[0];
}

/* List the contacts of every two balls and of every ball with walls. What can fly are bodies under
 * loads that never change and that need no orientation, if all contacts are of these kinds, no two of
 * the same balls. */
int dv_can_fly(dv_engine *e) {
    int balls = 0, walls = 0;
    if (!e->constant || e->properties || e->few || e->turning || e->driven_count || e->joints.count)
        return 0;
    for (int c = 0; c < e->contacts; c++) {
        if (e->flat[c] >= 0)
            e->walls[walls++] = c;
        else if (dv_model_is_round(e->kind[c]))
            e->pairs[balls++] = c;
        else
            return 0;
    }
    dv_sort_contacts(e, e->walls, walls, 0, e->wall_first, e->suspect);
    memcpy(e->walls, e->suspect, (size_t)walls * sizeof(int));
    dv_sort_contacts(e, e->pairs, balls, 1, e->pair_first, e->suspect);
    dv_sort_contacts(e, e->suspect, balls, 0, e->pair_first, e->pairs);
    for (int i = 1; i < balls; i++) {
        const int *a = e->ends + 2 * e->pairs[i - 1], *b = e->ends + 2 * e->pairs[i];
        if (dv_min(a[0], a[1]) == dv_min(b[0], b[1]) && a[0] + a[1] == b[0] + b[1]) return 0;
    }
    return 1;
}

/* Radii of balls; 0 if a ball has another one at another contact. */
int dv_find_radii(dv_engine *e) {
    for (int b = 0; b < e->bodies; b++) e->calendar.flyer[b].radius = -1.0;
    for (int i = 0; i < e->pair_first[e->bodies]; i++)
        for (int k = 0; k < 2; k++) {
            int c = e->pairs[i];
            double own = e->shape[e->shapes * c + k];
            double *radius = &e->calendar.flyer[e->ends[2 * c + k]].radius;
            if (*radius >= 0.0 && *radius != own) return 0;
            *radius = own;
            if (!(own > 0.0)) return 0;
        }
    return 1;
}

/* The contact of two balls, or -1: where it would be if each of them had one with all that follow, or
 * by bisection. */
static int dv_contact_of(const dv_engine *e, int a, int b) {
    int small = a < b ? a : b, large = a < b ? b : a;
    int low = e->pair_first[small], high = e->pair_first[small + 1];
    if (low == high) return -1;
    int guess = low + large - dv_other_end(e, e->pairs[low], small);
    if (guess >= low && guess < high && dv_other_end(e, e->pairs[guess], small) == large)
        return e->pairs[guess];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (dv_other_end(e, e->pairs[middle], small) <= large)
            low = middle;
        else
            high = middle;
    }
    return dv_other_end(e, e->pairs[low], small) == large ? e->pairs[low] : -1;
}

/* Whether bodies fly at present: those with a closed contact roll or slide along parabolas, too, and no
 * contact has only begun to slip. */
int dv_may_fly(const dv_engine *e) {
    const dv_closed *closed = &e->closed;
    int may = e->flies && (closed->count == 0 || e->steady);
    for (int k = 0; k < closed->count && may; k++) may = e->modes[closed->contact[k]] != DV_TRANS;
    return may;
}

/* ---- where bodies are ---- */

/* Six coordinates and speeds of a body, so much later. */
static void dv_carry(const double *weight, double later, double *q, double *v) {
    for (int d = 0; d < DV_DOF; d++) {
        q[d] += later * (v[d] + later / 2 * weight[d]);
        v[d] += later * weight[d];
    }
}

/* All bodies as they are at `time`. */
void dv_state_at(const dv_engine *e, double time, double *out) {
    dv_copy(out, e->x, e->size);
    if (!e->now.aloft) return;
    for (int row = 0; row < e->moving; row++)
        dv_carry(e->pull + DV_DOF * row, time - e->since[row], out + e->at[row],
                 out + e->coordinates + DV_DOF * row);
}

/* The same into the log. */
void dv_write_state(dv_engine *e, double time) {
    dv_record *r = e->record;
    dv_state_at(e, time, r->log + r->used);
    r->used += e->size;
}

/* Bring one body to the present. */
static void dv_bring(dv_engine *e, int body) {
    int row = e->place[body];
    if (row < 0) return;
    dv_carry(e->pull + DV_DOF * row, e->now.time - e->since[row], e->x + e->at[row],
             e->x + e->coordinates + DV_DOF * row);
    e->since[row] = e->now.time;
}

/* A body flies on from what is in x. */
static void dv_launch(dv_engine *e, int body) {
    dv_flyer *f = e->calendar.flyer + body;
    int row = e->place[body];
    f->turns++;
    if (row < 0) {
        dv_copy(f->q, e->position + 3 * body, 3);
        dv_zero(f->v, 3);
        dv_zero(f->a, 3);
        f->since = -INFINITY;
        return;
    }
    dv_copy(f->q, e->x + e->at[row], 3);
    dv_copy(f->v, e->x + e->coordinates + DV_DOF * row, 3);
    dv_copy(f->a, e->pull + DV_DOF * row, 3);
    f->since = e->since[row];
}

/* Position and velocity of a flyer. */
static void dv_flown(const dv_flyer *f, double time, double *q, double *v) {
    double later = f->since > -INFINITY ? time - f->since : 0.0;
    for (int i = 0; i < 3; i++) {
        q[i] = f->q[i] + later * (f->v[i] + later / 2 * f->a[i]);
        v[i] = f->v[i] + later * f->a[i];
    }
}

/* ---- what happens next ---- */

/* When two balls meet, if that is before `end`. It depends on what is known of both and on nothing
 * else: whoever asks later, in another piece of the run, is told the same. */
static dv_meeting dv_pair_meets(const dv_engine *e, const dv_flyer *f, const dv_flyer *g, double end) {
    double since = dv_max(f->since, g->since), q[2][3], v[2][3], d[3], u[3], w[3];
    dv_flown(f, since, q[0], v[0]);
    dv_flown(g, since, q[1], v[1]);
    for (int i = 0; i < 3; i++) {
        d[i] = q[1][i] - q[0][i];
        u[i] = v[1][i] - v[0][i];
        w[i] = g->a[i] - f->a[i];
    }
    dv_meeting m = dv_balls_meet(d, u, w, f->radius + g->radius, end - since, &e->options);
    m.time += since;
    return m;
}

/* When a closed contact may change: if it slips, a little before that is over, which steps find. */
static double dv_stays_until(const dv_engine *e, int contact) {
    const dv_flat *f = dv_flat_of(e, contact);
    const double *v = e->x + e->coordinates + f->row, *a = e->pull + f->row;
    double square = 0.0, loses = 0.0;
    if (e->modes[contact] != DV_SLIP || e->smooth[contact]) return INFINITY;
    for (int r = 1; r < 3; r++) {
        double slip = dv_flat_row(f, r, v);
        square += slip * slip;
        loses -= slip * dv_flat_row(f, r, a);
    }
    return loses > 0.0 ? DV_NOT_YET * square / loses : INFINITY;
}

/* What happens next between a body and a wall. */
static dv_meeting dv_body_meets(const dv_engine *e, const dv_flyer *f, int contact) {
    const dv_flat *wall = dv_flat_of(e, contact);
    if (e->modes[contact] != DV_OPEN) return dv_meets(dv_stays_until(e, contact), 1);
    return dv_wall_meets(dv_flat_gap(wall, f->q), dv_dot3(wall->jacobian, f->v),
                         dv_dot3(wall->jacobian, f->a), &e->options);
}

/* The soonest of a body with its cells, walls and other balls, from the present on. */
static void dv_foresee(dv_engine *e, int body, double now) {
    dv_calendar *c = &e->calendar;
    const dv_flyer *f = c->flyer + body;
    double soonest = INFINITY;
    int what = DV_NOTHING, other = -1;
    for (int axis = 0; axis < 3 && f->radius > 0.0; axis++) {
        int up, k = f->cell[axis];
        double time = f->since + dv_leaves(f->q[axis], f->v[axis], f->a[axis], k * c->edge,
                                           (k + 1) * c->edge, now - f->since, &up);
        if (!(time < soonest)) continue;
        soonest = time;
        what = (up ? DV_CELL_UP : DV_CELL_DOWN) + axis;
    }
    for (int i = e->wall_first[body]; i < e->wall_first[body + 1]; i++) {
        dv_meeting m = dv_body_meets(e, f, e->walls[i]);
        if (!(f->since + m.time < soonest)) continue;
        soonest = f->since + m.time;
        what = m.delicate ? DV_DELICATE : e->walls[i];
    }
    for (dv_around_body n = dv_first_near(c, f); f->radius > 0.0 && n.body >= 0;
         dv_next_near(c, f, &n)) {
        if (n.body == body) continue;
        dv_meeting m = dv_pair_meets(e, f, c->flyer + n.body, soonest);
        int contact = m.time < soonest ? dv_contact_of(e, body, n.body) : -1;
        if (contact < 0) continue;
        soonest = m.time;
        what = m.delicate ? DV_DELICATE : contact;
        other = n.body;
    }
    c->when[body] = dv_max(soonest, now);
    c->what[body] = what;
    c->with[body] = other;
    c->turns[body] = other < 0 ? 0 : c->flyer[other].turns;
    dv_reschedule(c, body);
}

/* Whether what was foreseen for a body still holds: the other one flies on as it did. */
static int dv_holds(const dv_engine *e, int body) {
    const dv_calendar *c = &e->calendar;
    int other = c->with[body];
    return other < 0 || c->turns[body] == c->flyer[other].turns;
}

/* Into the next cell. */
static void dv_change_cell(dv_engine *e, int body) {
    dv_calendar *c = &e->calendar;
    int what = c->what[body], up = what >= DV_CELL_UP;
    dv_take_from_cell(c, body);
    c->flyer[body].cell[what - (up ? DV_CELL_UP : DV_CELL_DOWN)] += up ? 1 : -1;
    dv_put_into_cell(c, body);
}

/* How long the edges of cells are: about one ball is in each, and none is wider. */
static double dv_choose_edge(const dv_engine *e) {
    double low[3], high[3], widest = 0.0, volume = 1.0;
    int count = 0;
    for (int b = 0; b < e->bodies; b++) {
        const dv_flyer *f = e->calendar.flyer + b;
        if (f->radius < 0.0) continue;
        widest = dv_max(widest, 2 * f->radius);
        for (int i = 0; i < 3; i++) {
            low[i] = count ? dv_min(low[i], f->q[i]) : f->q[i];
            high[i] = count ? dv_max(high[i], f->q[i]) : f->q[i];
        }
        count++;
    }
    for (int i = 0; i < 3 && count; i++) volume *= dv_max(high[i] - low[i], widest);
    return dv_max(1.01 * widest, count ? cbrt(volume / count) : 1.0);
}

/* No open contact is looked at. */
static void dv_look_away(dv_engine *e) {
    int closed = 0;
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        e->listed[c] = e->modes[c] != DV_OPEN;
        if (e->listed[c]) e->live[closed++] = c;
    }
    e->live_count = closed;
}

/* The closed contacts are those that are looked at. */
void dv_list_closed(dv_engine *e) {
    for (int c = 0; c < e->contacts; c++) e->live[c] = c;
    e->live_count = e->contacts;
    dv_look_away(e);
}

/* What accelerates each body: those without a closed contact fall. */
static void dv_feel(dv_engine *e) {
    dv_copy(e->pull, e->closed.count && e->steady ? e->motion.acceleration : e->weight, e->speeds);
}

/* All bodies begin to fly as x and `since` say; 0 if one of them is too far away, or not a number. */
static int dv_lift(dv_engine *e) {
    dv_calendar *c = &e->calendar;
    dv_feel(e);
    for (int b = 0; b < e->bodies; b++) dv_launch(e, b);
    c->edge = dv_choose_edge(e);
    c->count = 0;
    for (int i = 0; i <= c->mask; i++) c->head[i] = -1;
    for (int b = 0; b < e->bodies; b++) {
        double q[3], v[3];
        dv_flown(c->flyer + b, e->now.time, q, v);
        for (int i = 0; i < 3; i++) {
            double place = floor(q[i] / c->edge);
            if (!(fabs(place) < DV_FARTHEST) || !isfinite(v[i])) return 0;
            c->flyer[b].cell[i] = (int)place;
        }
        if (c->flyer[b].radius > 0.0) dv_put_into_cell(c, b);
        if (e->place[b] < 0) continue;
        c->when[b] = INFINITY;
        c->at[b] = c->count;
        c->heap[c->count++] = b;
    }
    for (int i = 0; i < e->bodies; i++)
        if (e->place[i] >= 0) dv_foresee(e, i, e->now.time);
    dv_look_away(e);
    e->joiner_count = 0;
    e->now.aloft = 1;
    return 1;
}

static int dv_take_off(dv_engine *e) {
    for (int row = 0; row < e->moving; row++) e->since[row] = e->now.time;
    return dv_lift(e);
}

/* In an engine that was restored: as it was, or not at all. */
int dv_take_off_again(dv_engine *e) {
    if (!e->now.aloft) return 1;
    dv_feel(e);
    return e->now.flowing && e->flies && dv_lift(e);
}

/* How near bodies are that have not parted since the present stretch of time began. */
static double dv_in_touch(const dv_engine *e) {
    return e->now.time > e->now.arc_start ? e->options.lift : e->options.gap;
}

/* Whether a contact has not parted since its last event. */
int dv_still_touches(const dv_engine *e, int contact) {
    const dv_flyer *f = e->calendar.flyer + e->ends[2 * contact];
    const dv_flyer *g = e->calendar.flyer + e->ends[2 * contact + 1];
    double q[2][3], v[3];
    if (dv_max(f->since, g->since) < e->now.time - e->options.gap / DV_PARTING) return 0;
    dv_flown(f, e->now.time, q[0], v);
    if (e->flat[contact] >= 0)
        return dv_flat_gap(dv_flat_of(e, contact), q[0]) <= dv_in_touch(e);
    dv_flown(g, e->now.time, q[1], v);
    for (int i = 0; i < 3; i++) q[1][i] -= q[0][i];
    return sqrt(dv_dot3(q[1], q[1])) - f->radius - g->radius <= dv_in_touch(e);
}

/* All bodies to the present, and none flies. Contacts that have not parted rest. */
void dv_land(dv_engine *e) {
    if (!e->now.aloft) return;
    for (int b = 0; b < e->bodies; b++) dv_bring(e, b);
    e->now.aloft = 0;
    e->step.fresh = 0;
    dv_know_nothing(e);
    if (!e->now.flowing) return;
    dv_survey(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        e->resting[c] = e->modes[c] == DV_OPEN && e->gap0[c] <= dv_in_touch(e);
    }
    dv_begin_steps(&e->step);
    e->steady = dv_find_steady(e);
}

/* ---- events ---- */

/* The bodies of a contact take part, and are brought to the present. */
static void dv_take_part(dv_engine *e, int contact) {
    const int *ends = e->ends + 2 * contact;
    e->clear[contact] = 0.0;
    for (int i = 0; i < 2; i++) {
        if (e->place[ends[i]] < 0 || e->joined[ends[i]]) continue;
        e->joined[ends[i]] = 1;
        e->joiners[e->joiner_count++] = ends[i];
        dv_bring(e, ends[i]);
        dv_launch(e, ends[i]);
    }
}

/* A contact is looked at if its bodies are close. */
static void dv_look_at(dv_engine *e, int contact, double gap) {
    if (!(gap <= DV_AT_HAND * e->options.gap) || e->listed[contact]) return;
    e->listed[contact] = 1;
    e->live[e->live_count++] = contact;
    dv_take_part(e, contact);
}

/* All contacts of a body that are close. */
static void dv_look_at_body(dv_engine *e, int body) {
    const dv_calendar *c = &e->calendar;
    const dv_flyer *f = c->flyer + body;
    double q[2][3], v[3];
    dv_flown(f, e->now.time, q[0], v);
    for (int i = e->wall_first[body]; i < e->wall_first[body + 1]; i++)
        dv_look_at(e, e->walls[i], dv_flat_gap(dv_flat_of(e, e->walls[i]), q[0]));
    for (dv_around_body n = dv_first_near(c, f); f->radius > 0.0 && n.body >= 0;
         dv_next_near(c, f, &n)) {
        dv_flown(c->flyer + n.body, e->now.time, q[1], v);
        for (int i = 0; i < 3; i++) q[1][i] -= q[0][i];
        double gap = sqrt(dv_dot3(q[1], q[1])) - f->radius - c->flyer[n.body].radius;
        int near = n.body != body && gap <= DV_AT_HAND * e->options.gap;
        int contact = near ? dv_contact_of(e, body, n.body) : -1;
        if (contact >= 0) dv_look_at(e, contact, gap);
    }
}

static int dv_compare(const void *a, const void *b) {
    int one = *(const int *)a, two = *(const int *)b;
    return (one > two) - (one < two);
}

/* What happens now: its contact, and those that happen together with it. */
static void dv_gather(dv_engine *e, int entry) {
    const dv_calendar *c = &e->calendar;
    if (entry >= c->count || c->when[c->heap[entry]] > e->now.time + DV_TOGETHER) return;
    int body = c->heap[entry];
    if (c->what[body] >= 0 && dv_holds(e, body)) dv_look_at(e, c->what[body], 0.0);
    dv_gather(e, 2 * entry + 1);
    dv_gather(e, 2 * entry + 2);
}

/* Bodies with closed contacts take part in whatever happens, as do all that are touched. */
static void dv_meet(dv_engine *e) {
    dv_look_away(e);
    e->joiner_count = 0;
    for (int i = 0, closed = e->live_count; i < closed; i++) dv_take_part(e, e->live[i]);
    dv_gather(e, 0);
    for (int i = 0; i < e->joiner_count; i++) dv_look_at_body(e, e->joiners[i]);
    for (int i = 0; i < e->joiner_count; i++) e->joined[e->joiners[i]] = 0;
    qsort(e->live, (size_t)e->live_count, sizeof(int), dv_compare);
    e->surveyed = 0;
    e->step.pace.made++;
}

/* After an event: nothing is remembered of its contacts that are open, and its bodies fly on. */
static void dv_fly_on(dv_engine *e) {
    const double *pull = e->closed.count ? e->motion.acceleration : e->weight;
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (e->modes[c] != DV_OPEN) continue;
        e->before[c] = e->hit[c] = e->known[c] = e->resting[c] = 0;
        dv_zero(e->held + 3 * c, 3);
    }
    for (int i = 0; i < e->joiner_count; i++) {
        int row = DV_DOF * e->place[e->joiners[i]];
        dv_copy(e->pull + row, pull + row, DV_DOF);
        dv_launch(e, e->joiners[i]);
    }
    for (int i = 0; i < e->joiner_count; i++) dv_foresee(e, e->joiners[i], e->now.time);
    e->joiner_count = 0;
    if (e->now.flowing) return;
    e->now.flowing = 1;
    e->now.arc_start = e->now.time;
    if (!e->record->keeps) return;
    dv_state_at(e, e->now.time, e->yt);
    dv_log_begin_arc(e->record, e->now.time, e->yt, e->size, NULL, 0);
}

/* Let time pass, in which nothing happens. As many rows are written of a `flight` as of a step, or of
 * the longest that a step may be: where others have events all the time, that is next to none now. */
static void dv_pass_time(dv_engine *e, double time, double flight) {
    dv_record *r = e->record;
    double start = e->now.time, span = time - start;
    double step = dv_min(dv_max(flight, span), e->options.longest_step);
    int rows = (int)dv_min(ceil(e->options.samples * (span / step)), 1e6);
    e->now.time = time;
    if (!(span > 0.0) || !dv_log_fits(r, 3 + (long)rows * (1 + e->size))) return;
    long at = dv_log_of_rows(r);
    for (int i = 1; i <= rows; i++) {
        double now = i < rows ? start + span * i / rows : time;
        dv_write(r, now);
        dv_write_state(e, now);
    }
    r->log[at + 1] = (double)(r->used - at);
    r->log[at + 2] += rows;
}

/* The end is reached; an event is due if it comes at once. */
static dv_code dv_at_horizon(dv_engine *e, double until, double next) {
    dv_pass_time(e, until, until - e->now.arc_start);
    e->stepped = next <= until + DV_SOON ? DV_FLOWN : 0;
    if (e->stepped) dv_land(e);
    return DV_HORIZON;
}

/* To the next event or to `until`; DV_OK: from here on by steps. */
dv_code dv_fly(dv_engine *e, double until) {
    dv_calendar *c = &e->calendar;
    if (!e->now.aloft && !dv_take_off(e)) return DV_OK;
    if (!e->now.flowing || e->joiner_count) dv_fly_on(e);
    for (;;) {
        int body = c->heap[0], what = c->what[body];
        double time = c->when[body];
        if (!(time <= until)) return dv_at_horizon(e, until, time);
        if (++e->turns % DV_TURNS == 0 && e->options.max_steps && e->budget-- == 0) return DV_PAUSED;
        int holds = dv_holds(e, body);
        if (what == DV_DELICATE && holds) {
            dv_land(e);
            return DV_OK;
        }
        if (what >= 0 && holds) {
            dv_pass_time(e, time, time - c->flyer[body].since);
            dv_meet(e);
            return DV_EVENT;
        }
        if (holds) dv_change_cell(e, body);
        dv_foresee(e, body, time);
    }
}
