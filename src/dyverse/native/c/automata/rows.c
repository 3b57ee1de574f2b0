/* Many runs of one model in one call: numbers and starts in, arrays out, run by run. */

static void da_begin_row(da_engine *e, const da_runs *rows, long row) {
    long room = rows->room;
    e->record.time = rows->event_times + row * room;
    e->record.kind = rows->event_kinds + row * room;
    e->record.what = rows->event_edges + 2 * row * room;
    e->record.most = rows->room;
    if (e->outside.start)
        e->outside.start(e->outside.of, 0.0, rows->outside + row * e->outside.numbers,
                         rows->starts + row * e->n);
    da_set_numbers(e, rows->numbers + row * da_number_count(&e->s));
    da_set_state(e, 0.0, rows->starts + row * e->n, rows->positions);
}

static void da_end_row(da_engine *e, const da_runs *rows, long row, dv_code code) {
    int p = e->s.properties;
    rows->codes[row] = (int)code;
    rows->times[row] = e->now.time;
    rows->counts[row] = e->record.events;
    rows->paths[row] = e->record.path;
    dv_copy(rows->finals + row * e->n, e->final, e->n);
    da_get_positions(e, rows->locations + row * e->s.components);
    dv_copy(rows->least + row * p, e->least, p);
    dv_copy(rows->least_at + row * p, e->when, p);
    dv_copy(rows->failed_at + row * p, e->failed, p);
}

long da_run_rows(da_engine *e, const da_runs *rows, long from, long to, int resume, double until) {
    for (long row = from; row < to; row++) {
        if (!resume) da_begin_row(e, rows, row);
        resume = 0;
        dv_code code = da_run(e, until);
        if (code == DV_PAUSED) return row;
        da_end_row(e, rows, row, code);
    }
    return to;
}
