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
