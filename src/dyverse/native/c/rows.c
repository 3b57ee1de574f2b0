/* Many runs of one model in one call: numbers and starts in, arrays out, run by run. */

static void dv_begin_row(dv_engine *e, const dv_runs *rows, long row) {
    long room = rows->room;
    dv_set_events(e, rows->event_times + row * room, rows->event_kinds + row * room,
                  rows->event_contacts + 2 * row * room, rows->room);
    dv_set_numbers(e, rows->numbers + row * dv_number_total(e));
    dv_set_state(e, 0.0, rows->starts + row * e->size);
}

static void dv_end_row(dv_engine *e, const dv_runs *rows, long row, dv_code code) {
    rows->codes[row] = (int)code;
    rows->times[row] = e->now.time;
    rows->counts[row] = e->record->events;
    rows->paths[row] = e->record->path;
    dv_get_state(e, rows->finals + row * e->size);
    dv_get_properties(e, rows->least + row * e->properties, rows->least_at + row * e->properties,
                      rows->failed_at + row * e->properties);
}

long dv_run_rows(dv_engine *e, const dv_runs *rows, long from, long to, int resume, double until) {
    for (long row = from; row < to; row++) {
        if (!resume) dv_begin_row(e, rows, row);
        resume = 0;
        dv_code code = dv_run(e, until);
        if (code == DV_PAUSED) return row;
        dv_end_row(e, rows, row, code);
    }
    return to;
}
