/* Bodies as the outside of automata, in one instant: see dyverse.generation.coupled.automaton.
 *
 * They jump until they are in a dynamical location where they can stay. What contacts offer on the
 * events of that passage is then given to the automata, one signal after the other. */

static int dvc_is_node(int jump) {
    return jump == DV_TO_IMPACT || jump == DV_TO_CONTACT;
}

/* Through the node at whose entrance the bodies are, and on to the next place. */
static dv_code dvc_visit(dvc_pair *c) {
    dv_engine *b = c->bodies;
    dv_code code = dv_visit(b);
    int leaves = b->now.pending == DV_TO_FREE || b->now.pending == DV_TO_SLIP;
    return code == DV_OK && leaves ? dv_change_modes(b) : code;
}

/* Whether an event of this passage is an occasion to offer something. */
static int dvc_happened(const dv_engine *b, int occasion, int contact) {
    return occasion == DV_IMPACT ? b->hit[contact] : dv_change_of(b, contact) == occasion;
}

/* Put what is offered on this passage into the queue, each channel once. */
static void dvc_offer(dvc_pair *c) {
    int begin = c->last;
    for (int i = 0; i < c->links.offers; i++) {
        int channel = c->links.channel[i], given = 0;
        if (!dvc_happened(c->bodies, c->links.occasion[i], c->links.contact[i])) continue;
        for (int k = begin; k < c->last; k++) given |= c->queue[k] == channel;
        if (!given) c->queue[c->last++] = channel;
    }
}

/* The bodies can stay where they are. */
static void dvc_arrive(dvc_pair *c) {
    dv_engine *b = c->bodies;
    if (c->moved) {
        dv_note_changes(b);
        for (int k = 0; k < b->contacts; k++)
            if (b->hit[k]) dx_forget(&c->automata->w);
        dvc_offer(c);
    }
    if (b->closed.count) dv_directions(b);
    c->moved = b->now.updating = 0;
}

/* Let bodies that automata move follow a jump of these: a velocity may have jumped, a place not. */
static dv_code dvc_follow(dvc_pair *c, double time) {
    dv_engine *b = c->bodies;
    double leap = 0.0;
    if (!b->steered) return DV_OK;
    dv_copy(c->settled, b->x, b->size);
    dv_place_driven(b, time, c->settled);
    for (int i = 0; i < b->coordinates; i++) leap = dv_max(leap, fabs(c->settled[i] - b->x[i]));
    if (leap > DV_JUMP) return DV_FAULT;
    dv_copy(b->x, c->settled, b->size);
    return DV_OK;
}

static dv_code dvc_jump(void *of, double time, double *x, int *taken) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    dvc_put(c, time, x);
    dv_code code = dvc_is_node(b->now.pending) ? DV_OK : dvc_follow(c, time);
    if (code == DV_OK && !b->now.updating) code = dv_begin_update(b);
    *taken = 0;
    if (code != DV_OK) return code;
    int inside = dvc_is_node(b->now.pending);
    if (inside)
        code = dvc_visit(c);
    else
        b->now.pending = dv_next(b, &code);
    if (code != DV_OK) return code;
    *taken = inside || b->now.pending != DV_STAY;
    c->moved |= *taken;
    if (!*taken) dvc_arrive(c);
    if (!inside && *taken && !dvc_is_node(b->now.pending)) code = dv_change_modes(b);
    dv_copy(x, b->x, b->size);
    return code;
}

/* Whether the bodies would jump, or cannot be asked. */
static int dvc_enabled(void *of, double time, const double *x) {
    dvc_pair *c = (dvc_pair *)of;
    dv_code code = DV_OK;
    dvc_put(c, time, x);
    if (dv_next(c->bodies, &code) != DV_STAY || code != DV_OK) return 1;
    if (c->bodies->closed.count) dv_directions(c->bodies);
    return 0;
}

static int dvc_gives(void *of, int *channel) {
    dvc_pair *c = (dvc_pair *)of;
    if (c->first == c->last) return 0;
    *channel = c->queue[c->first++];
    if (*channel >= c->automata->s.channels) *channel = -1;
    if (c->first == c->last) c->first = c->last = 0;
    return 1;
}

