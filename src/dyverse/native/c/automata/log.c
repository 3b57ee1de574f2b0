/* What is written down of a run: events for counting, and the log for a driver that wants it all.
 *
 * The log is a stream of records of doubles. Each begins with its kind and its length in all:
 *   1 arc      time, x: a stretch of time begins here
 *   2 rows     n, then n rows of time, x
 *   3 jump     how many there were to choose from, which it was or -1, n, n edges, x after
 *   4 visit    node, sweeps, residual, failure (0 none), its local variables at the test, x after
 *   5 settled  time may pass again: what was told of this instant holds
 *   6 graze    time, signal, value
 *   7 rest     the present state is the last one
 *  10 sides    the values of functions that switch in the arc that follows; NaN: they slide
 * and what is outside may have records of its own, 8 and 9
 */

enum { DA_LOG_ARC = 1, DA_LOG_ROWS, DA_LOG_JUMP, DA_LOG_VISIT, DA_LOG_SETTLED, DA_LOG_GRAZE,
       DA_LOG_REST, DA_LOG_SIDES = 10 };

/* Stir a number into the path, by multiplication and shifts. */
static void da_mix(da_engine *e, unsigned long long number) {
    unsigned long long mixed = e->now.path ^ (number + 0x9e3779b97f4a7c15ull);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    e->now.path = mixed ^ (mixed >> 31);
}

/* An event of a kind, by its first edge or by the signal that grazed. */
static void da_note(da_engine *e, double time, int kind, int edge) {
    long at = e->now.events++;
    da_mix(e, (unsigned long long)kind << 32 | (unsigned)edge);
    if (at >= e->event_room) return;
    e->event_time[at] = time;
    e->event_kind[at] = kind;
    e->event_edge[at] = edge;
}

/* Room for `count` more numbers; 0 if there is none, or no log is kept. */
static int da_log_fits(da_engine *e, long count) {
    if (!e->keeps_log || e->out_of_memory) return 0;
    if (e->log_used + count <= e->log_room) return 1;
    long room = 2 * e->log_room + count + 4096;
    double *larger = realloc(e->log, (size_t)room * sizeof(double));
    if (!larger) {
        e->out_of_memory = 1;
        return 0;
    }
    e->log = larger;
    e->log_room = room;
    return 1;
}

static void da_write(da_engine *e, double number) {
    e->log[e->log_used++] = number;
}

static void da_write_all(da_engine *e, const double *numbers, int count) {
    dv_copy(e->log + e->log_used, numbers, count);
    e->log_used += count;
}

static void da_log_sides(da_engine *e) {
    int any = e->s.switches + e->outside_switches;
    if (any == 0 || !da_log_fits(e, 2 + e->w.count)) return;
    da_write(e, DA_LOG_SIDES);
    da_write(e, 2 + e->w.count);
    da_write_all(e, e->w.side, e->w.count);
}

static void da_log_arc(da_engine *e) {
    da_log_sides(e);
    if (!da_log_fits(e, 3 + e->n)) return;
    da_write(e, DA_LOG_ARC);
    da_write(e, 3 + e->n);
    da_write(e, e->now.time);
    da_write_all(e, e->x, e->n);
}

/* The present state instead of that in the row written last. */
static void da_log_last(da_engine *e) {
    if (da_log_fits(e, 0)) dv_copy(e->log + e->log_used - e->n, e->x, e->n);
}

static void da_log_mark(da_engine *e, int kind) {
    if (!da_log_fits(e, 2)) return;
    da_write(e, kind);
    da_write(e, 2);
}

static void da_log_jump(da_engine *e) {
    int length = 5 + e->best_size + e->n;
    if (!da_log_fits(e, length)) return;
    da_write(e, DA_LOG_JUMP);
    da_write(e, length);
    da_write(e, e->enabled);
    da_write(e, e->place);
    da_write(e, e->best_size);
    for (int i = 0; i < e->best_size; i++) da_write(e, e->best[i]);
    da_write_all(e, e->x, e->n);
}

static void da_log_visit(da_engine *e, const da_visit *v) {
    int locals = da_local_count(e, v->node), length = 6 + locals + e->n;
    if (!da_log_fits(e, length)) return;
    da_write(e, DA_LOG_VISIT);
    da_write(e, length);
    da_write(e, v->node);
    da_write(e, v->sweeps);
    da_write(e, v->residual);
    da_write(e, v->failure);
    da_write_all(e, da_local(e, v->node), locals);
    da_write_all(e, e->x, e->n);
}

/* Near misses before `end`, which are events too. */
static void da_log_nears(da_engine *e, double end) {
    for (int i = 0; i < e->near.count; i++) {
        const dv_near *near = e->near.miss + i;
        if (!(near->time < end)) continue;
        int number = e->column[near->signal].number;
        da_note(e, near->time, DA_GRAZE, number);
        if (!da_log_fits(e, 5)) continue;
        da_write(e, DA_LOG_GRAZE);
        da_write(e, 5);
        da_write(e, near->time);
        da_write(e, number);
        da_write(e, near->value);
    }
}

/* Rows of the step's grid before `end`, and the present state, which is at `end`. */
static void da_log_rows(da_engine *e, double end) {
    int m = e->options.points - 1, rows = 0;
    if (!da_log_fits(e, 3 + (long)(m + 1) * (e->n + 1))) return;
    long at = e->log_used;
    e->log_used += 3;
    for (int k = 1; k <= m; k++) {
        double time = dv_time_of(e->step.start, e->step.end, k, m);
        if (!(time < end)) break;
        da_write(e, time);
        da_write_all(e, e->grid_x + k * e->n, e->n);
        rows++;
    }
    da_write(e, end);
    da_write_all(e, e->x, e->n);
    e->log[at] = DA_LOG_ROWS;
    e->log[at + 1] = (double)(e->log_used - at);
    e->log[at + 2] = rows + 1;
}
