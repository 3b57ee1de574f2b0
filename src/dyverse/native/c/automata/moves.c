/* Which jumps may be taken, which one is, and what it does; see dyverse.automaton.network.moves. */

/* A number as a value of a variable; 0 if it cannot be one. */
static int da_accepted(const da_engine *e, int variable, double *number) {
    if (!e->s.ranged) return 1;
    if (!(e->low[variable] <= *number && *number <= e->high[variable])) return 0;
    if (!e->s.variable_whole[variable]) return 1;
    double whole = rint(*number);
    if (fabs(*number - whole) > 1e-9) return 0;
    *number = whole;
    return 1;
}

/* One assignment, into fresh_x; 0 if it cannot be. */
static int da_assign_one(da_engine *e, int variable, double number) {
    if (!da_accepted(e, variable, &number)) return 0;
    if (e->assigned[variable] && !e->s.sequential && e->fresh_x[variable] != number) return 0;
    e->assigned[variable] = 1;
    e->fresh_x[variable] = number;
    return 1;
}

/* What the host's procedure of an edge assigns. */
static int da_assign_called(da_engine *e, int edge) {
    int *changed = e->changed;
    double *fresh = e->host_x;
    memset(changed, 0, (size_t)e->n * sizeof(int));
    int done = e->host.apply ? e->host.apply(e->host.of, edge, e->board + 1, fresh, changed) : -2;
    e->host_failed |= done < 0;
    for (int i = 0; i < e->n && done > 0; i++)
        if (changed[i] && !da_assign_one(e, i, fresh[i])) return 0;
    return done > 0;
}

/* The assignments of one edge, into fresh_x; 0 if one cannot be. */
static int da_assign(da_engine *e, int edge) {
    int piece = e->s.edge_reset[edge];
    if (piece >= 0) {
        const int *target = e->s.target + e->s.piece_target[piece];
        const double *out = da_call(e, piece);
        for (int i = 0; i < e->s.piece_out[piece]; i++)
            if (!da_assign_one(e, target[i] - 1, isfinite(out[i]) ? out[i] : NAN)) return 0;
    }
    if (e->s.edge_called[edge] && !da_assign_called(e, edge)) return 0;
    if (e->s.sequential) dv_copy(e->board + 1, e->fresh_x, e->n);
    return 1;
}

/* What every assignment of a jump starts from. */
static void da_begin_assigning(da_engine *e) {
    dv_copy(e->fresh_x, e->x, e->n);
    dv_copy(e->board + 1, e->x, e->n);
    memset(e->assigned, 0, (size_t)e->n * sizeof(int));
}

/* Where a component is behind the jump in `trial`. */
static int da_behind_trial(const da_engine *e, int component, int size) {
    for (int i = 0; i < size; i++)
        if (e->s.edge_component[e->trial[i]] == component) return e->s.edge_target[e->trial[i]];
    return e->position[component];
}

/* Whether the invariants hold behind the jump in `trial`: see dyverse.automaton.network.landing. One that
 * cannot be made is let through, and ends the run when it is taken. */
static int da_lands(da_engine *e, int size) {
    int doubtful = 0, made = 1, lands = 1;
    for (int i = 0; i < size; i++) doubtful |= e->s.edge_doubtful[e->trial[i]];
    if (!doubtful) return 1;
    da_begin_assigning(e);
    for (int i = 0; i < size && made; i++) made = da_assign(e, e->trial[i]);
    da_put(e, e->now.time, e->fresh_x);
    for (int c = 0; c < e->s.components && made && lands; c++) {
        int watch = e->s.place_invariant[da_behind_trial(e, c, size)];
        lands = watch < 0 || da_is_at(e, watch);
    }
    da_put_here(e);
    return lands;
}

/* Whether two jumps of equal rank are in this order: by the numbers of their edges. */
static int da_comes_before(const int *a, int n, const int *b, int m) {
    for (int i = 0; i < n && i < m; i++)
        if (a[i] != b[i]) return a[i] < b[i];
    return n < m;
}

/* Put the jump in `trial` among those to choose from, in order; 0 if there is no memory. */
static int da_keep_move(da_engine *e, int size) {
    int wide = e->s.components + 2, at = e->enabled;
    if ((at + 1) * wide > e->moves_room) {
        int room = 2 * e->moves_room + 8 * wide;
        int *larger = (int *)realloc(e->moves, (size_t)room * sizeof(int));
        e->record.out_of_memory |= !larger;
        if (!larger) return 0;
        e->moves = larger;
        e->moves_room = room;
    }
    for (; at > 0; at--) {
        int *before = e->moves + (at - 1) * wide;
        if (!da_comes_before(e->trial, size, before + 1, before[0])) break;
        memcpy(before + wide, before, (size_t)wide * sizeof(int));
    }
    e->moves[at * wide] = size;
    memcpy(e->moves + at * wide + 1, e->trial, (size_t)size * sizeof(int));
    return 1;
}

/* Whether the jump in `trial` may be taken right after, if time passes beside it. */
static int da_lasts(da_engine *e) {
    int channel = e->s.edge_channel[e->trial[0]], lasts = da_stays(e, e->trial[0]);
    if (channel >= 0 && !e->s.channel_broadcast[channel]) lasts &= da_stays(e, e->trial[1]);
    return lasts;
}

/* One more jump that may be taken, of `size` edges in `trial`. */
static void da_consider(da_engine *e, int size) {
    const da_structure *s = &e->s;
    int committed = 0, rank = s->edge_rank[e->trial[0]];
    for (int i = 0; i < size; i++) e->hurried |= s->edge_urgent[e->trial[i]];
    e->considered++;
    if (s->doubts && !da_lands(e, size)) return;
    if (e->options.waits) e->lasting |= da_lasts(e);
    for (int i = 0; i < size; i++) {
        int edge = e->trial[i], at = e->position[s->edge_component[edge]];
        committed |= at < s->places && s->place_committed[at];
        if (s->edge_rank[edge] > rank) rank = s->edge_rank[edge];
    }
    if (e->committed && !committed) return;
    int channel = s->edge_channel_rank[e->trial[0]];
    int higher = channel != e->best_channel ? channel > e->best_channel : rank > e->best_rank;
    int equal = channel == e->best_channel && rank == e->best_rank;
    if (e->enabled && !higher && !equal) return;
    if (!equal) e->enabled = 0;
    if (e->host.choose && !da_keep_move(e, size)) return;
    e->enabled++;
    if (e->enabled > 1 && !da_comes_before(e->trial, size, e->best, e->best_size)) return;
    memcpy(e->best, e->trial, (size_t)size * sizeof(int));
    e->best_size = size;
    e->best_rank = rank;
    e->best_channel = channel;
}

/* The receiving edges that are ready, but for those of `component`, by the components they belong to;
 * how many of these there are. */
static int da_listen(da_engine *e, int channel, int component) {
    const int *owner = e->s.edge_component;
    int groups = 0, heard = 0;
    for (int k = da_partner(e, e->head[channel], component); k >= 0;
         k = da_partner(e, e->next[k], component)) {
        if (!da_ready(e, k)) continue;
        if (heard == 0 || owner[e->heard[heard - 1]] != owner[k]) e->group[groups++] = heard;
        e->heard[heard++] = k;
    }
    e->group[groups] = heard;
    for (int g = 0; g < groups; g++) e->chosen[g] = e->group[g];
    return groups;
}

/* Choose one edge of each of them in another way; 0 if there is none left. */
static int da_listen_on(da_engine *e, int groups) {
    int g = groups - 1;
    while (g >= 0 && ++e->chosen[g] == e->group[g + 1]) {
        e->chosen[g] = e->group[g];
        g--;
    }
    return g >= 0;
}

/* A broadcast with one edge of each component that is ready, in every combination. */
static void da_broadcast(da_engine *e, int sender) {
    int groups = da_listen(e, e->s.edge_channel[sender], e->s.edge_component[sender]);
    do {
        for (int g = 0; g < groups; g++) e->trial[1 + g] = e->heard[e->chosen[g]];
        e->trial[0] = sender;
        da_consider(e, 1 + groups);
    } while (da_listen_on(e, groups));
}

/* The jump to take now, in `best`; how many there were to choose from. */
static int da_find_move(da_engine *e) {
    const da_structure *s = &e->s;
    e->enabled = e->considered = e->hurried = e->lasting = 0;
    e->place = -1;
    da_enter(e);
    if (da_is_node(e)) {
        da_put(e, e->now.time, e->x);
    } else {
        da_decide(e);
        da_put_here(e);
    }
    for (int i = 0; i < e->alones; i++) {
        int edge = e->alone[i];
        if (!da_ready(e, edge)) continue;
        e->trial[0] = edge;
        if (s->edge_channel[edge] < 0)
            da_consider(e, 1);
        else
            da_broadcast(e, edge);
    }
    for (int i = 0; i < e->channels_seen; i++) {
        int channel = e->channel_order[i];
        for (int sender = e->senders[channel]; sender >= 0; sender = e->sender_next[sender]) {
            int own = s->edge_component[sender];
            if (!da_ready(e, sender)) continue;
            for (int k = da_partner(e, e->head[channel], own); k >= 0;
                 k = da_partner(e, e->next[k], own)) {
                if (!da_ready(e, k)) continue;
                e->trial[0] = sender;
                e->trial[1] = k;
                da_consider(e, 2);
            }
        }
    }
    return e->enabled;
}

/* A channel sent from outside is heard by one edge of each component that is ready, in every
 * combination; the first is in `best`. See dyverse.automaton.network.moves.heard. */
static void da_hear(da_engine *e, int channel) {
    da_enter(e);
    da_decide(e);
    da_put_here(e);
    e->enabled = 0;
    e->best_size = channel < 0 ? 0 : da_listen(e, channel, -1);
    do {
        for (int g = 0; g < e->best_size; g++) e->trial[g] = e->heard[e->chosen[g]];
        if (e->enabled == 0) memcpy(e->best, e->trial, (size_t)e->best_size * sizeof(int));
        if (e->host.choose && !da_keep_move(e, e->best_size)) return;
        e->enabled++;
    } while (da_listen_on(e, e->best_size));
}

/* Take the jump in `best`; all its assignments happen at once, from the values before. */
static dv_code da_take_move(da_engine *e) {
    da_begin_assigning(e);
    for (int i = 0; i < e->best_size; i++)
        if (!da_assign(e, e->best[i])) return DV_FAULT;
    for (int i = 0; i < e->best_size; i++) {
        int component = e->s.edge_component[e->best[i]], to = e->s.edge_target[e->best[i]];
        e->dirty |= e->position[component] != to;
        e->position[component] = to;
        e->jumped[component] = 1;
    }
    dv_copy(e->x, e->fresh_x, e->n);
    e->step.fresh = 0;
    e->allow_stamp++;
    e->now.counts[DV_N_JUMPS]++;
    return DV_OK;
}
