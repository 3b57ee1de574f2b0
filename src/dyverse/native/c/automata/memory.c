/* Where a run that stopped can go on; see dyverse.automaton.memory. */

int da_columns(da_engine *e, int waiting, int *kinds, int *watches) {
    e->now.waiting = waiting;
    if (!da_is_node(e)) {
        da_enter(e);
        if (e->watches_receivers != waiting) da_enter_columns(e);
    }
    for (int j = 0; j < e->columns; j++) {
        kinds[j] = e->column[j].kind;
        watches[j] = e->column[j].watch;
    }
    return e->columns;
}

static size_t da_atoms(const da_engine *e) {
    return (size_t)e->s.watch_first[e->s.watches];
}

void da_get_memory(const da_engine *e, da_memory *m) {
    m->settled = e->now.settled;
    m->flowing = e->now.flowing;
    m->waiting = e->now.waiting;
    m->since = e->now.arc_start;
    m->tick_begin = e->now.tick_begin;
    m->ticks = e->now.ticks;
    for (int j = 0; j < e->columns; j++) {
        m->resting[j] = e->resting[j];
        m->turned[j] = e->column[j].turned;
    }
    memcpy(m->approach, e->approach, da_atoms(e) * sizeof(double));
    memcpy(m->behind, e->behind, (size_t)e->s.edges * sizeof(int));
}

/* Edges that were left behind, as a list. */
static void da_list_left(da_engine *e) {
    e->lefts = 0;
    for (int edge = 0; edge < e->s.edges; edge++)
        if (e->behind[edge]) e->left[e->lefts++] = edge;
}

/* Take up the stretch of time: its signals are those that da_columns told. */
static void da_take_up(da_engine *e, const da_memory *m) {
    e->now.arc_start = m->since;
    memcpy(e->approach, m->approach, da_atoms(e) * sizeof(double));
    memcpy(e->behind, m->behind, (size_t)e->s.edges * sizeof(int));
    da_list_left(e);
    for (int j = 0; j < e->columns; j++) {
        e->resting[j] = m->resting[j];
        e->column[j].turned = m->turned[j];
    }
    da_set_sides(e, m->side_values, m->sides);
    if (e->w.count) dx_rest(&e->w, e->now.time, e->x);
    da_signals_here(e);
    int goes_on = !da_outside(e) || (e->options.tick > 0.0 && da_is_locked(e));
    e->now.flowing = e->now.settled = goes_on; /* numbers may be others than they were */
    if (!e->now.flowing) return;
    da_log_arc(e);
    da_judge(e);
}

int da_is_flowing(const da_engine *e) {
    return e->now.flowing;
}

void da_go_on(da_engine *e, const da_memory *m) {
    e->now.settled = m->settled;
    e->now.waiting = m->waiting;
    e->now.tick_begin = m->tick_begin;
    e->now.ticks = m->ticks;
    if (m->flowing) da_take_up(e, m);
}
