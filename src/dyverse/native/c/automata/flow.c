/* The board, the pieces of generated code, and the rates of the present location. */

/* The results of one piece, from what is on the board. */
static const double *da_call(da_engine *e, int piece) {
    const da_structure *s = &e->s;
    const int *pick = s->pick + s->piece_first[piece];
    int count = s->piece_first[piece + 1] - s->piece_first[piece];
    for (int i = 0; i < count; i++) e->in[i] = e->board[pick[i]];
    da_model_functions[s->piece_function[piece]](e->in, e->out);
    return e->out;
}

/* The same, with each result put where it belongs on the board. */
static void da_apply(da_engine *e, int piece) {
    const int *target = e->s.target + e->s.piece_target[piece];
    const double *out = da_call(e, piece);
    for (int i = 0; i < e->s.piece_out[piece]; i++) e->board[target[i]] = out[i];
}

/* Look at another point: nothing is known there yet. */
static void da_put(da_engine *e, double time, const double *x) {
    e->board[0] = time;
    dv_copy(e->board + 1, x, e->n);
    e->stamp++;
    e->knows_second = 0;
}

/* Rates at the point on the board, with the values that functions that switch have now. Those that do
 * not change are there already, but for what a search for sides has left. */
static void da_plain_rates(da_engine *e) {
    if (e->w.count) dv_copy(e->f, e->still, e->n);
    if (e->outside.rates) e->outside.rates(e->outside.of, e->board[0], e->board + 1, e->f, e->g);
    for (int i = 0; i < e->movings; i++) da_apply(e, e->moving[i]);
}

/* Rates at the point on the board. */
static void da_rates_here(da_engine *e) {
    if (!e->w.slides || e->w.busy) {
        da_plain_rates(e);
        return;
    }
    double time = e->board[0];
    dv_copy(e->slide_x, e->board + 1, e->n);
    dx_field(&e->w, time, e->slide_x, e->slide_f);
    da_put(e, time, e->slide_x);
    dv_copy(e->f, e->slide_f, e->n);
}

static void da_rate(da_engine *e, double time, const double *x, double *out) {
    da_put(e, time, x);
    da_rates_here(e);
    dv_copy(out, e->f, e->n);
    e->now.counts[DV_N_RATES]++;
}

/* d²x/dt², where it is wanted. */
static void da_seconds_here(da_engine *e) {
    if (e->knows_second) return;
    e->knows_second = 1;
    for (int i = 0; i < e->second_count; i++) da_apply(e, e->seconds[i]);
}

/* The present state, with its rates. */
static void da_put_here(da_engine *e) {
    da_put(e, e->now.time, e->x);
    da_rates_here(e);
}

static void da_step_rate(void *of, double time, const double *x, double *rate) {
    da_rate((da_engine *)of, time, x, rate);
}

static double da_step_error(void *of, const double *error) {
    const da_outsider *outside = &((const da_engine *)of)->outside;
    return outside->step_error(outside->of, error);
}

static double da_relaxation(void *of) {
    const da_outsider *outside = &((const da_engine *)of)->outside;
    return outside->relaxation(outside->of);
}

/* The reference engine's method, so that both take the same steps. */
static void da_tie_steps(da_engine *e) {
    dv_steps *s = &e->step;
    s->of = e;
    s->x = e->x;
    s->relative = e->options.relative;
    s->absolute = e->options.absolute;
    s->longest = e->options.longest_step;
    s->rate = da_step_rate;
    if (e->outside.step_error) s->own_error = da_step_error;
    if (e->outside.relaxation) s->relaxation = da_relaxation;
    s->method = &DV_ORDER_8;
}

static void da_enter_switches(da_engine *e);

static int da_is_node(const da_engine *e) {
    return e->position[0] >= e->s.places;
}

/* Which pieces make the rates of the present places. */
static void da_enter_rates(da_engine *e) {
    const da_structure *s = &e->s;
    e->movings = e->second_count = 0;
    for (int i = 0; i < e->n; i++) {
        e->f[i] = s->variable_runs[i];
        e->g[i] = 0.0;
    }
    for (int c = 0; c < s->components; c++) {
        int rate = s->place_rate[e->position[c]], second = s->place_second[e->position[c]];
        if (rate >= 0 && s->piece_steady[rate]) da_apply(e, rate);
        if (rate >= 0 && !s->piece_steady[rate]) e->moving[e->movings++] = rate;
        if (second >= 0) e->seconds[e->second_count++] = second;
    }
    e->step.steady = e->movings == 0 && !e->outside.rates;
    dv_copy(e->still, e->f, e->n);
    for (int i = 0; i < s->shown; i++)
        e->board[1 + 3 * e->n + s->parameters + i] =
            e->position[s->shown_component[i]] == s->shown_place[i];
}

/* So many signals are watched at once, at most. */
static int da_most_columns(const da_engine *e) {
    return e->outside.most + 2 * e->s.edges + e->s.components + 1;
}

static void da_add_column(da_engine *e, int kind, int watch, int partners, int number) {
    da_column column = {kind, watch, partners, number, 0};
    e->column[e->columns++] = column;
}

/* One more signal of the location, if it is looked at while time passes. */
static void da_add_signal(da_engine *e, int kind, int watch, int partners, int *number) {
    int is_edge = kind == DA_ALONE || kind == DA_SENDER;
    int skipped = is_edge ? e->options.tick > 0.0 : kind == DA_INVARIANT && e->options.endpoints;
    if (!skipped) da_add_column(e, kind, watch, partners, *number);
    ++*number;
}

/* Sort one edge that leaves the present places: alone, sending or receiving. */
static void da_file_edge(da_engine *e, int edge) {
    const da_structure *s = &e->s;
    int channel = s->edge_channel[edge];
    if (channel < 0 || (s->edge_sends[edge] && s->channel_broadcast[channel])) {
        e->alone[e->alones++] = edge;
        return;
    }
    int *head = s->edge_sends[edge] ? e->senders : e->head;
    int *tail = s->edge_sends[edge] ? e->sender_tail : e->tail;
    int *next = s->edge_sends[edge] ? e->sender_next : e->next;
    next[edge] = -1;
    if (head[channel] < 0) {
        head[channel] = edge;
        if (s->edge_sends[edge]) e->channel_order[e->channels_seen++] = channel;
    } else {
        next[tail[channel]] = edge;
    }
    tail[channel] = edge;
}

/* The next receiving edge that is not of `component`. */
static int da_partner(const da_engine *e, int edge, int component) {
    while (edge >= 0 && e->s.edge_component[edge] == component) edge = e->next[edge];
    return edge;
}

/* What is watched in the present places; see dyverse.automaton.network.flow.columns. */
static void da_enter_columns(da_engine *e) {
    const da_structure *s = &e->s;
    int number = 0;
    e->columns = 0;
    e->watches_receivers = e->now.waiting;
    int outside = e->outside.signals ? e->outside.signals(e->outside.of, e->floor, e->quiet) : 0;
    for (int i = 0; i < outside; i++) da_add_signal(e, DA_OUTSIDE, i, -1, &number);
    for (int i = 0; i < e->alones; i++) da_add_signal(e, DA_ALONE, e->alone[i], -1, &number);
    for (int i = 0; i < e->channels_seen; i++) {
        int channel = e->channel_order[i];
        for (int edge = e->senders[channel]; edge >= 0; edge = e->sender_next[edge]) {
            int partner = da_partner(e, e->head[channel], s->edge_component[edge]);
            if (partner >= 0) da_add_signal(e, DA_SENDER, edge, partner, &number);
        }
    }
    for (int c = 0; c < s->components; c++)
        if (s->place_invariant[e->position[c]] >= 0)
            da_add_signal(e, DA_INVARIANT, s->place_invariant[e->position[c]], -1, &number);
    if (e->urgent) da_add_signal(e, DA_URGENT, -1, -1, &number);
    if (!e->urgent && e->now.waiting && e->hurried) da_add_column(e, DA_URGENT, -1, -1, -2);
    for (int channel = 0; channel < s->channels && e->now.waiting; channel++)
        for (int edge = e->head[channel]; edge >= 0; edge = e->next[edge])
            da_add_column(e, DA_HEARD, edge, -1, -1);
}

/* Take up the places that the components are in now. */
static void da_enter(da_engine *e) {
    const da_structure *s = &e->s;
    if (!e->dirty) return;
    e->dirty = 0;
    e->alones = e->channels_seen = e->urgent = e->committed = 0;
    for (int c = 0; c < s->channels; c++) e->head[c] = e->senders[c] = -1;
    for (int c = 0; c < s->components; c++) {
        int at = e->position[c];
        /* the exits of nodes follow the places */
        int row = at < s->places ? at : at - s->nodes;
        for (int i = s->leaving_first[row]; i < s->leaving_first[row + 1]; i++)
            da_file_edge(e, s->leaving[i]);
        if (at >= s->places) return;
        e->urgent |= s->place_urgent[at] || s->place_committed[at];
        e->committed |= s->place_committed[at];
    }
    da_enter_rates(e);
    da_enter_switches(e);
    da_enter_columns(e);
}
