/* A whole run in memory of the caller, and back: see ../saving.h. What the host remembers, such as
 * how far it has drawn random numbers, is the host's. */

static dv_blocks da_run_blocks(da_engine *e) {
    dv_blocks b = dv_no_blocks();
    int p = e->s.properties;
    dv_add_course(&b, &e->record, &e->step);
    dv_add_switches(&b, &e->w, e->s.switches + e->outside_switches);
    dv_add_block(&b, &e->now, 1, sizeof e->now);
    dv_add_ints(&b, &e->hurried, 1);
    dv_add_doubles(&b, e->x, e->n);
    dv_add_doubles(&b, e->final, e->n);
    dv_add_ints(&b, e->position, e->s.components);
    dv_add_ints(&b, e->jumped, e->s.components);
    dv_add_ints(&b, e->behind, e->s.edges);
    dv_add_doubles(&b, e->approach, e->s.watch_first[e->s.watches]);
    dv_add_ints(&b, e->resting, da_most_columns(e));
    dv_add_block(&b, e->column, da_most_columns(e), sizeof(da_column));
    dv_add_doubles(&b, e->least, p);
    dv_add_doubles(&b, e->when, p);
    dv_add_doubles(&b, e->failed, p);
    return b;
}

unsigned long da_saved_size(da_engine *e) {
    size_t outside = e->outside.saved_size ? e->outside.saved_size(e->outside.of) : 0;
    return (unsigned long)(da_run_blocks(e).size + outside);
}

void da_save(da_engine *e, void *memory) {
    dv_blocks b = da_run_blocks(e);
    dv_save_blocks(&b, memory);
    if (e->outside.save) e->outside.save(e->outside.of, (char *)memory + b.size);
}

/* What belongs to a location is found again in it; the rest is put back afterwards. */
void da_restore(da_engine *e, const void *memory) {
    dv_blocks b = da_run_blocks(e);
    dv_restore_blocks(&b, memory);
    if (e->outside.restore) e->outside.restore(e->outside.of, (const char *)memory + b.size);
    e->dirty = 1;
    e->allow_stamp++;
    e->step.fresh = e->host_failed = e->crossings = 0;
    if (!da_is_node(e)) da_enter(e);
    dv_restore_blocks(&b, memory);
    da_list_left(e);
    if (e->w.count && !da_is_node(e)) dx_take(&e->w);
}
