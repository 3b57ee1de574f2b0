/* Memory, numbers and starts of an engine, and what can be asked of it. */

int da_version(void) {
    return DA_VERSION;
}

int da_number_count(const da_structure *s) {
    return s->parameters + 2 * s->variables + s->properties;
}

/* A share of one block of memory; without a block, only the length is counted. */
static void *da_share(char **memory, size_t *used, size_t count, size_t size) {
    void *here = *memory ? *memory + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return here;
}

#define DA_DOUBLES(count) (double *)da_share(&memory, &used, (size_t)(count), sizeof(double))
#define DA_INTS(count) (int *)da_share(&memory, &used, (size_t)(count), sizeof(int))
#define DA_LONGS(count) (long *)da_share(&memory, &used, (size_t)(count), sizeof(long))

/* What a point takes: the board, and every watch there. */
static size_t da_lay_out_point(da_engine *e, char *memory, size_t used) {
    const da_structure *s = &e->s;
    int atoms = s->watch_first[s->watches], wide = s->widest + 2;
    e->board = DA_DOUBLES(s->board);
    e->in = DA_DOUBLES(wide);
    e->out = DA_DOUBLES(2 * wide);
    e->low = DA_DOUBLES(s->variables);
    e->high = DA_DOUBLES(s->variables);
    e->deadline = DA_DOUBLES(s->properties);
    e->still = DA_DOUBLES(s->variables);
    e->inside = DA_DOUBLES(s->watches);
    e->inside_rate = DA_DOUBLES(s->watches);
    e->stack = DA_DOUBLES(wide);
    e->stack_rate = DA_DOUBLES(wide);
    e->depth = DA_DOUBLES(wide);
    e->rate = DA_DOUBLES(wide);
    e->second = DA_DOUBLES(wide);
    e->approach = DA_DOUBLES(atoms);
    e->outside_v = DA_DOUBLES(e->outside.most);
    e->outside_r = DA_DOUBLES(e->outside.most);
    e->floor = DA_DOUBLES(e->outside.most);
    e->quiet = DA_INTS(e->outside.most);
    e->known = DA_LONGS(s->watches);
    e->known_truth = DA_LONGS(s->watches);
    e->truth = DA_INTS(s->watches);
    e->stack_truth = DA_INTS(2 * wide);
    e->least = DA_DOUBLES(s->properties);
    e->when = DA_DOUBLES(s->properties);
    e->failed = DA_DOUBLES(s->properties);
    e->loose_depths = DA_DOUBLES(3 * s->properties);
    return used;
}

/* What a location takes: its rates, its signals and its moves. */
static size_t da_lay_out_location(da_engine *e, char *memory, size_t used) {
    const da_structure *s = &e->s;
    e->position = DA_INTS(s->components);
    e->moving = DA_INTS(s->components);
    e->seconds = DA_INTS(s->components);
    e->column = (da_column *)da_share(&memory, &used, (size_t)da_most_columns(e), sizeof(da_column));
    e->next = DA_INTS(s->edges);
    e->sender_next = DA_INTS(s->edges);
    e->head = DA_INTS(s->channels);
    e->tail = DA_INTS(s->channels);
    e->senders = DA_INTS(s->channels);
    e->sender_tail = DA_INTS(s->channels);
    e->channel_order = DA_INTS(s->channels);
    e->alone = DA_INTS(s->edges);
    e->best = DA_INTS(s->components + 1);
    e->trial = DA_INTS(s->components + 1);
    e->heard = DA_INTS(s->edges);
    e->group = DA_INTS(s->components + 1);
    e->chosen = DA_INTS(s->components + 1);
    e->fresh_x = DA_DOUBLES(s->variables);
    e->assigned = DA_INTS(s->variables);
    e->jumped = DA_INTS(s->components);
    e->behind = DA_INTS(s->edges);
    e->left = DA_INTS(s->edges);
    e->allowed = DA_INTS(s->edges);
    e->changed = DA_INTS(s->variables);
    e->kept_behind = DA_INTS(s->edges);
    e->kept_jumped = DA_INTS(s->components);
    e->allow_known = DA_LONGS(s->edges);
    e->spare_x = DA_DOUBLES(s->variables);
    e->host_x = DA_DOUBLES(s->variables);
    e->told = (da_told *)da_share(&memory, &used, (size_t)e->options.max_jumps, sizeof(da_told));
    return used;
}

/* What a step takes: stages, dense output, and the search for events on it. */
static size_t da_lay_out_step(da_engine *e, char *memory, size_t used) {
    const da_structure *s = &e->s;
    int n = s->variables, signals = da_most_columns(e), points = e->options.points;
    long rows = dv_lay_out_steps(&e->step, n, NULL);
    dv_lay_out_steps(&e->step, n, DA_DOUBLES(rows));
    e->x = DA_DOUBLES(dv_row_length(n));
    e->final = DA_DOUBLES(n);
    e->grid_x = DA_DOUBLES(points * n);
    e->grid_v = DA_DOUBLES(points * signals);
    e->grid_r = DA_DOUBLES(points * signals);
    e->root = DA_DOUBLES(signals);
    e->spot_v = DA_DOUBLES(signals);
    e->spot_r = DA_DOUBLES(signals);
    e->before_v = DA_DOUBLES(signals);
    e->after_v = DA_DOUBLES(signals);
    e->around_r = DA_DOUBLES(signals);
    e->resting = DA_INTS(signals);
    e->risen = DA_INTS(signals);
    e->crossed = DA_INTS(signals);
    e->kept_resting = DA_INTS(signals);
    e->loose_x = DA_DOUBLES(n);
    e->loose_behind = DA_INTS(s->edges);
    e->loose_crossed = DA_INTS(signals);
    return used;
}

static size_t da_lay_out_switches(da_engine *e, char *memory) {
    int most = e->s.switches + e->outside_switches;
    size_t used = dx_lay_out(&e->w, most, e->n, memory);
    e->switch_kind = (int *)da_share(&memory, &used, (size_t)most, sizeof(int));
    e->active = (int *)da_share(&memory, &used, (size_t)most, sizeof(int));
    e->slide_x = (double *)da_share(&memory, &used, (size_t)e->n, sizeof(double));
    e->slide_f = (double *)da_share(&memory, &used, (size_t)e->n, sizeof(double));
    return used;
}

static size_t da_lay_out(da_engine *e, char *memory) {
    size_t used = da_lay_out_point(e, memory, 0);
    used = da_lay_out_location(e, memory, used);
    return da_lay_out_step(e, memory, used);
}

dv_code da_create(const da_structure *structure, const dv_options *options, da_engine **engine) {
    da_outsider none;
    memset(&none, 0, sizeof none);
    return da_create_with(structure, options, &none, engine);
}

dv_code da_create_with(const da_structure *structure, const dv_options *options,
                       const da_outsider *outside, da_engine **engine) {
    da_engine *e = (da_engine *)calloc(1, sizeof(da_engine));
    if (!e) return DV_NO_MEMORY;
    e->outside = *outside;
    e->s = *structure;
    e->options = *options;
    e->n = structure->variables;
    e->memory = calloc(1, da_lay_out(e, NULL) + 16);
    if (!e->memory) {
        free(e);
        return DV_NO_MEMORY;
    }
    da_lay_out(e, (char *)e->memory);
    e->outside_switches = outside->switches;
    e->switch_memory = calloc(1, da_lay_out_switches(e, NULL) + 16);
    if (!e->switch_memory) {
        free(e->memory);
        free(e);
        return DV_NO_MEMORY;
    }
    da_lay_out_switches(e, (char *)e->switch_memory);
    da_tie_switches(e);
    da_tie_steps(e);
    e->f = e->board + 1 + e->n + structure->parameters;
    e->g = e->f + e->n;
    *engine = e;
    return DV_OK;
}

void da_destroy(da_engine *e) {
    if (!e) return;
    if (e->outside.destroy) e->outside.destroy(e->outside.of);
    free(e->record.log);
    free(e->moves);
    free(e->switch_memory);
    free(e->memory);
    free(e);
}

void da_set_numbers(da_engine *e, const double *numbers) {
    int p = e->s.parameters, n = e->n;
    dv_copy(e->board + 1 + n, numbers, p);
    dv_copy(e->low, numbers + p, n);
    dv_copy(e->high, numbers + p + n, n);
    dv_copy(e->deadline, numbers + p + 2 * n, e->s.properties);
}

void da_set_state(da_engine *e, double time, const double *x, const int *positions) {
    memset(&e->now, 0, sizeof e->now);
    e->record.events = 0;
    e->record.path = 0;
    memset(&e->step.pace, 0, sizeof e->step.pace);
    e->now.time = e->now.arc_start = e->now.tick_begin = time;
    dv_copy(e->x, x, e->n);
    da_record(e);
    memcpy(e->position, positions, (size_t)e->s.components * sizeof(int));
    e->dirty = 1;
    e->step.fresh = e->host_failed = 0;
    e->crossings = 0;
    e->w.count = e->s.switches + e->outside_switches;
    dx_begin(&e->w);
    e->allow_stamp++;
    for (int p = 0; p < e->s.properties; p++) {
        e->least[p] = INFINITY;
        e->when[p] = e->failed[p] = NAN;
    }
}

double da_time(const da_engine *e) {
    return e->now.time;
}

void da_set_host(da_engine *e, const da_host *host) {
    e->host = *host;
}

void da_get_state(const da_engine *e, double *x) {
    dv_copy(x, e->x, e->n);
}

int da_move(const da_engine *e, int move, int *edges) {
    const int *found = e->moves + (size_t)(move < 0 ? 0 : move) * (size_t)(e->s.components + 2);
    int size = move < 0 ? e->best_size : found[0];
    memcpy(edges, move < 0 ? e->best : found + 1, (size_t)size * sizeof(int));
    return size;
}

void da_get_final(const da_engine *e, double *x) {
    dv_copy(x, e->final, e->n);
}

void da_get_positions(const da_engine *e, int *positions) {
    memcpy(positions, e->position, (size_t)e->s.components * sizeof(int));
}

long da_events(const da_engine *e) {
    return e->record.events;
}

int da_crossed(const da_engine *e, int *signals) {
    for (int i = 0; i < e->crossings; i++) signals[i] = e->column[e->crossed[i]].number;
    return e->crossings;
}

void da_failure(const da_engine *e, int *reason, int *variable) {
    *reason = e->step.reason;
    *variable = e->step.variable;
}

void da_keep_log(da_engine *e, int keep) {
    dv_keep_record(&e->record, keep);
}

long da_log_used(const da_engine *e) {
    return e->record.used;
}

void da_take_log(da_engine *e, double *out) {
    dv_hand_over(&e->record, out);
}

void da_counts(const da_engine *e, long *counts) {
    memcpy(counts, e->now.counts, sizeof e->now.counts);
    counts[DV_N_EVENTS] = e->record.events;
    counts[DV_N_STEPS] = e->step.pace.made;
    counts[DV_N_REJECTED] = e->step.pace.rejected;
}
