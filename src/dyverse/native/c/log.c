/* What is written down of a run: events for counting, and the log for a driver that wants it all.
 *
 * The log is a stream of records of doubles. Each begins with its kind and its length in all:
 *   1 settled  time, n, then contact and mode of n closed contacts: the location after the instant
 *   2 arc      n, then n rows of time, x: a stretch of time begins here, after projection
 *   3 rows     n, then n rows of time, x: it goes on, after a graze or in a new log
 *   4 visit    impact (0) or contact (1) node, n, sweeps, residual, method, failure code,
 *              share of restitution, time of accumulation or NaN, n contacts, of each 0, 1 if its
 *              bouncing is over or 2 if it is not of the node, 3 n impulses or forces in world
 *              axes, x after
 *   5 graze    time, 2 contact + (0 gap or normal force, 1 the signal of its mode), value
 *   6 passed   as settled: a location that is left in the same instant
 *   7 sides    the values of functions that switch in the arc that follows; NaN: they slide
 */

enum {
    DV_LOG_SETTLED = 1,
    DV_LOG_ARC,
    DV_LOG_ROWS,
    DV_LOG_VISIT,
    DV_LOG_GRAZE,
    DV_LOG_PASSED,
    DV_LOG_SIDES
};

/* Stir a number into the path, by multiplication and shifts. */
static void dv_mix(dv_engine *e, unsigned long long number) {
    unsigned long long mixed = e->now.path ^ (number + 0x9e3779b97f4a7c15ull);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    e->now.path = mixed ^ (mixed >> 31);
}

/* An event at `count` contacts, of which `first` is the first. */
static void dv_note(dv_engine *e, double time, int kind, int first, int count) {
    long at = e->now.counts[DV_N_EVENTS]++;
    dv_mix(e, 1ull << 40 | (unsigned)kind);
    if (at >= e->event_room) return;
    e->event_time[at] = time;
    e->event_kind[at] = kind;
    e->event_contact[2 * at] = first;
    e->event_contact[2 * at + 1] = count;
}

/* Whether the next record of that length fits; without a log everything does. */
static int dv_log_fits(const dv_engine *e, long length) {
    return e->log == NULL || e->log_used + length <= e->log_room;
}

static void dv_put(dv_engine *e, double number) {
    e->log[e->log_used++] = number;
}

static void dv_put_all(dv_engine *e, const double *numbers, int count) {
    dv_copy(e->log + e->log_used, numbers, count);
    e->log_used += count;
}

static void dv_put_head(dv_engine *e, int kind, int length) {
    dv_put(e, kind);
    dv_put(e, length);
}

static long dv_longest_record(const dv_engine *e) {
    long rows = (long)(e->options.samples + 2) * (e->size + 1) + 3;
    long visit = 10 + 5L * e->room + e->size, settled = 4 + 2L * e->room;
    long most = rows > visit ? rows : visit;
    return (most > settled ? most : settled) + e->size + 5 + e->w.count + 5 * DV_NEAR_ROOM;
}

static void dv_log_location(dv_engine *e, int kind) {
    if (!e->log) return;
    dv_put_head(e, kind, 4 + 2 * e->closed.count);
    dv_put(e, e->now.time);
    dv_put(e, e->closed.count);
    for (int k = 0; k < e->closed.count; k++) {
        dv_put(e, e->closed.contact[k]);
        dv_put(e, e->modes[e->closed.contact[k]]);
    }
}

static void dv_log_arc(dv_engine *e) {
    if (!e->log) return;
    if (e->w.count) {
        dv_put_head(e, DV_LOG_SIDES, 2 + e->w.count);
        dv_put_all(e, e->w.side, e->w.count);
    }
    e->log_rows = e->log_used;
    dv_put_head(e, DV_LOG_ARC, 4 + e->size);
    dv_put(e, 1);
    dv_put(e, e->now.time);
    dv_put_all(e, e->x, e->size);
}

/* The record that rows are added to: the last one if it has some of this stretch, or a new one. */
static double *dv_log_of_rows(dv_engine *e) {
    double *last = e->log + e->log_rows;
    int goes_on = e->log_used > 0 && (last[0] == DV_LOG_ARC || last[0] == DV_LOG_ROWS);
    if (goes_on && e->log_rows + (long)last[1] == e->log_used) return last;
    e->log_rows = e->log_used;
    dv_put_head(e, DV_LOG_ROWS, 3);
    dv_put(e, 0);
    return e->log + e->log_rows;
}

static void dv_log_visit(dv_engine *e, int kind, const dv_found *found, const double *world) {
    if (!e->log) return;
    int n = e->other.count;
    dv_put_head(e, DV_LOG_VISIT, 10 + 5 * n + e->size);
    dv_put(e, kind);
    dv_put(e, n);
    dv_put(e, found->answer.sweeps);
    dv_put(e, found->answer.residual);
    dv_put(e, found->answer.method);
    dv_put(e, found->failure);
    dv_put(e, found->answer.scale);
    dv_put(e, e->now.accumulates);
    for (int k = 0; k < n; k++) dv_put(e, e->other.contact[k]);
    for (int k = 0; k < n; k++) dv_put(e, e->part[k] ? e->rested[k] : 2);
    dv_put_all(e, world, 3 * n);
    dv_put_all(e, e->x, e->size);
}

static void dv_log_graze(dv_engine *e, const dv_near *near) {
    dv_note(e, near->time, DV_GRAZE, near->signal / 2, 1);
    dv_mix(e, 1ull << 41 | (unsigned)near->signal);
    if (!e->log) return;
    dv_put_head(e, DV_LOG_GRAZE, 5);
    dv_put(e, near->time);
    dv_put(e, near->signal);
    dv_put(e, near->value);
}
