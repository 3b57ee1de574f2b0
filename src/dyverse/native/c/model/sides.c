/* Functions that switch (../switches.h), as a caller who integrates sees them. */

/* Their signals, two each. */
static void dm_sides(dx_switches *w, double time, const double *x, double *signals) {
    for (int j = 0; j < 2 * dm_switches; j++) signals[j] = 1.0;
    if (w->count) dx_signals(w, time, x, signals, w->slope);
}

/* Mark those whose signals are not positive; whether there are some. */
static int dm_mark_turned(dx_switches *w, const double *signals) {
    int any = 0;
    for (int i = 0; i < w->count; i++) {
        w->crossed[i] = !(signals[2 * i] > 0.0 && signals[2 * i + 1] > 0.0);
        any |= w->crossed[i];
    }
    return any;
}

/* Memory of the caller, which is filled or read. */
typedef struct {
    char *memory;
    size_t used;
    int saving, restoring; /* neither: only the length is counted */
} dm_cursor;

static void dm_pass_bytes(dm_cursor *c, void *bytes, size_t size) {
    if (c->saving && size) memcpy(c->memory + c->used, bytes, size);
    if (c->restoring && size) memcpy(bytes, c->memory + c->used, size);
    c->used += size;
}

static void dm_pass_sides(dx_switches *w, dm_cursor *c) {
    dm_pass_bytes(c, &w->slides, sizeof w->slides);
    dm_pass_bytes(c, w->side, (size_t)dm_switches * sizeof(double));
    dm_pass_bytes(c, w->value, (size_t)dm_switches * sizeof(double));
    dm_pass_bytes(c, w->resting, 2 * (size_t)dm_switches * sizeof(int));
    dm_pass_bytes(c, w->times, (size_t)dm_switches * (DX_PILED + 1) * sizeof(double));
    dm_pass_bytes(c, w->noted, (size_t)dm_switches * sizeof(int));
    dm_pass_bytes(c, &w->last, sizeof w->last);
    dm_pass_bytes(c, &w->turns, sizeof w->turns);
    dm_pass_bytes(c, &w->switched, sizeof w->switched);
    dm_pass_bytes(c, &w->reason, sizeof w->reason);
    dm_pass_bytes(c, &w->end, sizeof w->end);
    if (c->restoring && dm_switches) dx_take(w);
}
