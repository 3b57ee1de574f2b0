/* What bodies write down of a run: see record.h. */

/* An event at `count` contacts, of which `first` is the first. */
static void dv_note(dv_engine *e, double time, int kind, int first, int count) {
    dv_mix(e->record, 1ull << 40 | (unsigned)kind);
    dv_note_event(e->record, time, e->beside ? -kind : kind, first, count);
    if (kind == DV_IMPACT) dx_forget(&e->w);
}

static void dv_log_modes(dv_engine *e) {
    dv_record *r = e->record;
    if (!dv_log_begins(r, DV_LOG_MODES, 4 + 2L * e->closed.count)) return;
    dv_write(r, e->now.time);
    dv_write(r, e->closed.count);
    for (int k = 0; k < e->closed.count; k++) {
        dv_write(r, e->closed.contact[k]);
        dv_write(r, e->modes[e->closed.contact[k]]);
    }
}

static void dv_log_visit(dv_engine *e, int kind, const dv_found *found, const double *world) {
    dv_record *r = e->record;
    int n = e->other.count;
    if (!dv_log_begins(r, DV_LOG_VISIT, 10 + 5L * n + e->size)) return;
    dv_write(r, kind);
    dv_write(r, n);
    dv_write(r, found->answer.sweeps);
    dv_write(r, found->answer.residual);
    dv_write(r, found->answer.method);
    dv_write(r, found->failure);
    dv_write(r, found->answer.scale);
    dv_write(r, e->now.accumulates);
    for (int k = 0; k < n; k++) dv_write(r, e->other.contact[k]);
    for (int k = 0; k < n; k++) dv_write(r, e->part[k] ? e->rested[k] : 2);
    dv_write_all(r, world, 3 * n);
    dv_write_state(e, e->now.time);
}

/* Near misses before `end`, which are events too. */
static void dv_log_nears(dv_engine *e, double end) {
    for (int i = 0; i < e->near.count; i++) {
        const dv_near *miss = e->near.miss + i;
        if (!(miss->time < end)) continue;
        dv_note(e, miss->time, DV_GRAZE, miss->signal / 2, 1);
        dv_mix(e->record, 1ull << 41 | (unsigned)miss->signal);
        dv_log_near(e->record, miss->time, miss->signal, miss->value);
    }
}
