/* Which jumps may be taken, which one is, and what it does; see dyverse.automaton.moves. */

/* Whether two jumps of equal rank are in this order: by the numbers of their edges. */
static int da_comes_before(const int *a, int n, const int *b, int m) {
    for (int i = 0; i < n && i < m; i++)
        if (a[i] != b[i]) return a[i] < b[i];
    return n < m;
}

/* One more jump that may be taken, of `size` edges in `trial`. */
static void da_consider(da_engine *e, int size) {
    const da_structure *s = &e->s;
    int committed = 0, rank = s->edge_rank[e->trial[0]];
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
    e->enabled = e->enabled && equal ? e->enabled + 1 : 1;
    if (e->enabled > 1 && !da_comes_before(e->trial, size, e->best, e->best_size)) return;
    memcpy(e->best, e->trial, (size_t)size * sizeof(int));
    e->best_size = size;
    e->best_rank = rank;
    e->best_channel = channel;
}

/* A broadcast with one edge of each component that is ready, in every combination. */
static void da_broadcast(da_engine *e, int sender) {
    const int *owner = e->s.edge_component;
    int groups = 0, heard = 0;
    for (int k = da_partner(e, e->head[e->s.edge_channel[sender]], owner[sender]); k >= 0;
         k = da_partner(e, e->next[k], owner[sender])) {
        if (!da_holds(e, k)) continue;
        if (heard == 0 || owner[e->heard[heard - 1]] != owner[k]) e->group[groups++] = heard;
        e->heard[heard++] = k;
    }
    e->group[groups] = heard;
    for (int g = 0; g < groups; g++) e->chosen[g] = e->group[g];
    for (;;) {
        for (int g = 0; g < groups; g++) e->trial[1 + g] = e->heard[e->chosen[g]];
        e->trial[0] = sender;
        da_consider(e, 1 + groups);
        int g = groups - 1;
        while (g >= 0 && ++e->chosen[g] == e->group[g + 1]) {
            e->chosen[g] = e->group[g];
            g--;
        }
        if (g < 0) return;
    }
}

/* The jump to take now, in `best`; how many there were to choose from. */
static int da_find_move(da_engine *e) {
    const da_structure *s = &e->s;
    e->enabled = 0;
    da_enter(e);
    if (da_is_node(e))
        da_put(e, e->now.time, e->x);
    else
        da_put_here(e);
    for (int i = 0; i < e->alones; i++) {
        int edge = e->alone[i];
        if (!da_holds(e, edge)) continue;
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
            if (!da_holds(e, sender)) continue;
            for (int k = da_partner(e, e->head[channel], own); k >= 0;
                 k = da_partner(e, e->next[k], own)) {
                if (!da_holds(e, k)) continue;
                e->trial[0] = sender;
                e->trial[1] = k;
                da_consider(e, 2);
            }
        }
    }
    return e->enabled;
}

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

/* The assignments of one edge, into fresh_x; 0 if one cannot be. */
static int da_assign(da_engine *e, int edge) {
    int piece = e->s.edge_reset[edge];
    if (piece < 0) return 1;
    const int *target = e->s.target + e->s.piece_target[piece];
    const double *out = da_call(e, piece);
    for (int i = 0; i < e->s.piece_out[piece]; i++) {
        int variable = target[i] - 1;
        double number = isfinite(out[i]) ? out[i] : NAN;
        if (!da_accepted(e, variable, &number)) return 0;
        if (e->assigned[variable] && !e->s.sequential && e->fresh_x[variable] != number) return 0;
        e->assigned[variable] = 1;
        e->fresh_x[variable] = number;
    }
    if (e->s.sequential) da_copy(e->board + 1, e->fresh_x, e->n);
    return 1;
}

/* Take the jump in `best`; all its assignments happen at once, from the values before. */
static da_code da_take_move(da_engine *e) {
    da_copy(e->fresh_x, e->x, e->n);
    da_copy(e->board + 1, e->x, e->n);
    memset(e->assigned, 0, (size_t)e->n * sizeof(int));
    for (int i = 0; i < e->best_size; i++)
        if (!da_assign(e, e->best[i])) return DA_FAULT;
    for (int i = 0; i < e->best_size; i++) {
        int component = e->s.edge_component[e->best[i]], to = e->s.edge_target[e->best[i]];
        e->dirty |= e->position[component] != to;
        e->position[component] = to;
    }
    da_copy(e->x, e->fresh_x, e->n);
    e->fresh = 0;
    e->now.counts[DA_N_JUMPS]++;
    return DA_OK;
}
