/* What automata write down of a run: see ../record.h. */

/* An event of a kind, by its first edge or by the signal that grazed. */
static void da_note(da_engine *e, double time, int kind, int edge) {
    dv_mix(&e->record, (unsigned long long)kind << 32 | (unsigned)edge);
    dv_note_event(&e->record, time, kind, edge, 1);
}

static void da_log_arc(da_engine *e) {
    int any = e->s.switches + e->outside_switches;
    dv_log_begin_arc(&e->record, e->now.time, e->x, e->n, e->w.side, any ? e->w.count : 0);
}

static void da_log_jump(da_engine *e) {
    dv_record *r = &e->record;
    if (!dv_log_begins(r, DV_LOG_JUMP, 5L + e->best_size + e->n)) return;
    dv_write(r, e->enabled);
    dv_write(r, e->place);
    dv_write(r, e->best_size);
    for (int i = 0; i < e->best_size; i++) dv_write(r, e->best[i]);
    dv_write_all(r, e->x, e->n);
}

static void da_log_visit(da_engine *e, const da_visit *v) {
    dv_record *r = &e->record;
    int locals = da_local_count(e, v->node);
    if (!dv_log_begins(r, DV_LOG_NODE, 6L + locals + e->n)) return;
    dv_write(r, v->node);
    dv_write(r, v->sweeps);
    dv_write(r, v->residual);
    dv_write(r, v->failure);
    dv_write_all(r, da_local(e, v->node), locals);
    dv_write_all(r, e->x, e->n);
}

/* Near misses before `end`, which are events too. */
static void da_log_nears(da_engine *e, double end) {
    for (int i = 0; i < e->near.count; i++) {
        const dv_near *miss = e->near.miss + i;
        if (!(miss->time < end)) continue;
        int number = e->column[miss->signal].number;
        da_note(e, miss->time, DA_GRAZE, number);
        dv_log_near(&e->record, miss->time, number, miss->value);
    }
}
