/* Which jump is enabled, found from the signals without listing the others: an impact comes before
 * a release, a release before a contact that closes softly (forces that pull could have driven it),
 * and that before a change of friction. See dyverse.generation.switching. */

#define DV_UNSEEN 0.02 /* share of the rest height below which a hop is lost in rounding */

/* Begin a list of contacts in `other`. */
static void dv_begin_list(dv_engine *e) {
    e->other.count = 0;
}

static int dv_add(dv_engine *e, int contact) {
    if (!dv_has_room(e, e->other.count)) return 0;
    e->other.contact[e->other.count++] = contact;
    return 1;
}

/* Which of the contacts in `other`, all touching, close softly: they do not part and do not
 * accelerate apart, or part so slowly, and are driven back so hard, that event location could not
 * see the hop. Those that a node has parted must be driven together: next to nothing is not enough
 * to close them again, and ever more is needed where nodes of one instant contradict each other. */
static void dv_mark_pressed(dv_engine *e, int *pressed) {
    const dv_options *o = &e->options;
    double patience = dv_patience(e);
    dv_directions(e);
    dv_rate(e, e->now.time, e->x, e->yt);
    dv_keep_flats(e, &e->other);
    dv_rows(e, &e->other, e->x);
    for (int k = 0; k < e->other.count; k++) {
        double v = e->other.speed[3 * k];
        int l = dv_led_by(e, &e->other, k);
        double drive = -(dv_row_times(e, &e->other, l, 0, e->yt + e->coordinates) + e->other.bias[3 * l]);
        int parted = e->known[e->other.contact[k]];
        double least = parted ? dv_max(o->acceleration / 4, patience) : -o->acceleration / 4;
        pressed[k] = (v <= o->speed && drive >= least) ||
                     (drive > 0.0 && drive >= least && v * v <= 2 * drive * o->rest * DV_UNSEEN);
    }
}

/* Whether an open contact touches and does not part fast. */
static int dv_may_close(const dv_engine *e, int c) {
    return e->gap0[c] <= e->options.gap && e->modes[c] == DV_OPEN && e->speed0[c] < DV_SLOW;
}

/* G(s_k,i, I_j,en): contacts that touch and close, with all that touch and do not open. Only `softly`
 * those count that are pressed together without speed. */
static int dv_impact_jump(dv_engine *e, int softly, dv_code *code) {
    const dv_options *o = &e->options;
    int *pressed, soft = 0, closing = 0;
    dv_survey(e);
    dv_begin_list(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        if (!dv_may_close(e, c)) continue;
        soft |= e->speed0[c] >= -o->speed;
        closing |= e->speed0[c] < -o->speed;
        if (!dv_add(e, c)) *code = DV_TOO_MANY;
    }
    if (e->other.count == 0 || *code != DV_OK || !(closing || softly)) return DV_STAY;
    pressed = e->work_int; /* no sooner: lists may have moved */
    if (soft) dv_mark_pressed(e, pressed);
    for (int k = 0; k < e->other.count; k++) {
        double v = e->speed0[e->other.contact[k]];
        int presses = soft && pressed[k];
        closing |= v < -o->speed || presses;
        e->suspect[e->other.contact[k]] = v <= o->speed || presses;
    }
    if (!closing) return DV_STAY;
    dv_begin_list(e);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i], part = dv_may_close(e, c) ? e->suspect[c] : e->modes[c] != DV_OPEN;
        if (part && !dv_add(e, c)) *code = DV_TOO_MANY;
    }
    return DV_TO_IMPACT;
}

static double dv_apart(const dv_engine *e, const dv_closed *closed, int k) {
    int leader = dv_led_by(e, closed, k);
    return dv_row_times(e, closed, leader, 0, e->free) + closed->bias[3 * leader];
}

/* Go on with the closed contacts that `opens` does not mark. */
static int dv_without(dv_engine *e, const int *opens) {
    dv_begin_list(e);
    for (int k = 0; k < e->closed.count; k++)
        if (!opens[k]) dv_add(e, e->closed.contact[k]);
    return e->other.count ? DV_TO_CONTACT : DV_TO_FREE;
}

/* Mark the contacts that the contact node has just found to part, if its forces are those of now.
 * With much friction (15) may have a solution that keeps a contact closed although the node, which
 * knows the laws, has found one that opens it; the node decides. */
static int dv_mark_parted(dv_engine *e, int *opens) {
    double most = e->options.acceleration;
    int any = 0, current = e->now.holds;
    for (int k = 0; k < e->closed.count; k++)
        dv_to_frame(e->closed.frame + 9 * k, e->held + 3 * e->closed.contact[k],
                    e->found_forces + 3 * k);
    dv_accelerate(e, &e->closed, e->found_forces);
    for (int k = 0; k < e->closed.count; k++) {
        double apart = dv_apart(e, &e->closed, k);
        opens[k] = e->found_forces[3 * k] == 0.0 && apart > most / 4;
        any |= opens[k];
        current &= opens[k] || fabs(apart) <= most;
    }
    return any && current;
}

/* G(s_k,i, C_j,en) and G(s_k,i, S0): which contacts open is decided by complementarity, not by
 * the signs of (15) alone. The motion at x is known. */
static int dv_release_jump(dv_engine *e, dv_code *code) {
    double most = dv_margin(e);
    int pulls = 0, *opens = e->suspect;
    if (dv_mark_parted(e, opens)) return dv_without(e, opens);
    for (int k = 0; k < e->closed.count; k++)
        pulls |= e->motion.forces[3 * k] <
                 (e->motion.missed[k] - most / 2) * e->motion.soft[2 * k];
    if (!pulls) return DV_STAY;
    dv_found found;
    *code = dv_contact_forces(e, &e->closed, e->now.time, e->x, &found);
    if (*code != DV_OK) return DV_STAY;
    dv_accelerate(e, &e->closed, e->found_forces);
    int any = 0, begun = 0;
    for (int k = 0; k < e->closed.count; k++) {
        opens[k] = dv_apart(e, &e->closed, k) > most / 4 &&
                   e->found_forces[3 * k] <= most / 2 * e->motion.soft[2 * k];
        any |= opens[k];
        begun |= e->modes[e->closed.contact[k]] == DV_TRANS;
    }
    if (begun && !any) return DV_TO_SLIP; /* new forces, but no edge to their node yet */
    return dv_without(e, opens);
}

/* G(s_k,i, C_k,en) and G(s_k,i, s_k,j): stick, slip and the mode between change. A word with a
 * transitional contact has no edge to the contact node: when another contact changes first, or what
 * drives the bodies has changed so that friction would push one back, what has begun to slip counts
 * as slipping, and the node is next. */
static int dv_friction_jump(dv_engine *e) {
    const dv_closed *closed = &e->closed;
    int gives_way = 0, turns_back = 0, begun = 0, slips = 0;
    double doubt = e->options.acceleration; /* small rates make speeds uncertain */
    for (int k = 0; k < closed->count; k++) {
        int c = closed->contact[k], mode = e->modes[c];
        const double *force = e->motion.forces + 3 * k;
        double slip = dv_slip_speed(closed, k);
        double excess = dv_length(force[1], force[2]) - e->motion.limit[k];
        double most =
            (dv_margin(e) / 2 - e->motion.missed[k]) * e->motion.soft[2 * k + 1];
        if (mode == DV_TRANS) {
            begun = 1;
            slips |= slip >= dv_begun(e, k, doubt) * (1 - DV_NEARLY);
            turns_back |= e->motion.limit[k] > 0.0 && dv_onward(e, k) < -e->options.acceleration;
        }
        gives_way |= mode == DV_STICK && excess > most;
        gives_way |= mode == DV_SLIP && !e->smooth[c] &&
                     slip <= DV_STANDSTILL * e->options.slip + dv_ended(e, k, doubt);
    }
    if (begun) return gives_way || turns_back || slips ? DV_TO_SLIP : DV_STAY;
    if (!gives_way) return DV_STAY;
    dv_begin_list(e);
    for (int k = 0; k < closed->count; k++) dv_add(e, closed->contact[k]);
    return DV_TO_CONTACT;
}

/* Whether a contact has been switched on in the middle of its bodies. */
static int dv_overlaps(dv_engine *e) {
    if (e->conditions) dv_survey(e);
    for (int i = 0; i < e->live_count && e->conditions; i++) {
        int c = e->live[i];
        if (e->modes[c] == DV_OPEN && e->condition[c] >= 0 &&
            e->gap0[c] < -DV_OVERLAP * e->options.gap)
            return 1;
    }
    return 0;
}

/* Whether the velocity of a body that automata move has jumped, by its contact k. */
static int dv_is_shaken(const dv_engine *e, int k) {
    const double *speed = e->closed.speed + 3 * k;
    int stick = e->modes[e->closed.contact[k]] == DV_STICK;
    return fabs(speed[0]) > DV_JUMP || (stick && dv_length(speed[1], speed[2]) > DV_JUMP);
}

/* Mark the closed contacts of bodies whose velocity has jumped; whether there are any. */
static int dv_mark_shaken(dv_engine *e, int *marks) {
    int any = 0;
    if (!e->steered) return 0;
    dv_rows(e, &e->closed, e->x);
    for (int k = 0; k < e->closed.count; k++) marks[k] = 0;
    for (int k = 0; k < e->closed.count; k++) {
        const int *ends = e->ends + 2 * e->closed.contact[k];
        for (int end = 0; end < 2; end++) {
            if (e->pushed[ends[end]] != DV_STEERED || !dv_is_shaken(e, k)) continue;
            for (int i = 0; i < e->closed.count; i++) {
                const int *others = e->ends + 2 * e->closed.contact[i];
                marks[i] |= others[0] == ends[end] || others[1] == ends[end];
            }
            any = 1;
        }
    }
    return any;
}

/* Where the run jumps from the present dynamical location; a node's contacts are in `other`. */
static int dv_next(dv_engine *e, dv_code *code) {
    *code = dv_overlaps(e) ? DV_FAULT : DV_OK;
    if (*code != DV_OK) return DV_STAY;
    if (dv_mark_gone(e, e->suspect)) return dv_without(e, e->suspect);
    if (dv_mark_shaken(e, e->suspect)) return dv_without(e, e->suspect);
    int jump = dv_impact_jump(e, e->closed.count == 0, code);
    if (jump != DV_STAY || *code != DV_OK || e->closed.count == 0) return jump;
    dv_directions(e);
    dv_solve_motion(e, e->now.time, e->x, DV_FOR_WATCH);
    jump = dv_release_jump(e, code);
    if (jump != DV_STAY || *code != DV_OK) return jump;
    jump = dv_impact_jump(e, 1, code);
    if (jump != DV_STAY || *code != DV_OK) return jump;
    if (e->other.count) dv_solve_motion(e, e->now.time, e->x, DV_FOR_WATCH); /* known no more */
    return dv_friction_jump(e);
}

/* G(I_k,ex, C_j,en) and G(I_k,ex, S0): contacts with ġ_N = 0 stay, the others open. The rows of
 * `other` are those after the impact. */
static int dv_after_impact(dv_engine *e) {
    int stay = 0;
    for (int k = 0; k < e->other.count; k++)
        if (e->part[k] && e->other.speed[3 * k] <= e->options.speed)
            e->other.contact[stay++] = e->other.contact[k];
    e->other.count = stay;
    return stay ? DV_TO_CONTACT : DV_TO_FREE;
}

/* Whether contact k begins to slip under the forces found: it accelerates along its surface, and by more
 * than the friction that it has to spare could, or than what the forces leave. Where no forces are right
 * to the last digit, one of both is the truth, and the other what is left. */
static int dv_gives(const dv_engine *e, const dv_closed *closed, int k) {
    const double *force = e->found_forces + 3 * k;
    double second[2];
    for (int i = 0; i < 2; i++)
        second[i] = dv_row_times(e, closed, k, 1 + i, e->free) + closed->bias[3 * k + 1 + i];
    double away = dv_length(second[0], second[1]), mu = dv_friction(e, closed->contact[k], 0.0);
    double spare = mu * force[0] - dv_length(force[1], force[2]);
    double none = dv_max(e->options.acceleration / 2, e->unsure[k]);
    return away > dv_max(none, spare * dv_own(e, closed, k, 1));
}

/* G(C_k,ex, s_k,i): the word that slip velocities and accelerations spell. A contact without
 * friction has nothing to stick with and counts as slipping; who stays at rest does not begin to
 * slip, whatever rounding leaves of its acceleration. Forces are in found_forces. */
static void dv_after_contact(dv_engine *e) {
    dv_closed *closed = &e->other;
    dv_accelerate(e, closed, e->found_forces);
    for (int i = 0; i < e->live_count; i++) e->modes[e->live[i]] = DV_OPEN;
    for (int k = 0; k < closed->count; k++) {
        int c = closed->contact[k];
        double slip = dv_slip_speed(closed, k), rest = DV_STANDSTILL * e->options.slip;
        double gain = dv_slip_gain(e, closed, k, e->free);
        int slips = slip > rest || e->smooth[c];
        int begins =
            slips ? gain > e->options.acceleration / 2 && slip <= rest + dv_brief(e, closed, k, gain)
                  : !e->stays[k] && dv_gives(e, closed, k);
        e->modes[c] = begins ? DV_TRANS : slips ? DV_SLIP : DV_STICK;
    }
}
