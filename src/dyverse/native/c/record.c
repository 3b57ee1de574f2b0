/* Stretches of time in the log: see record.h. */
#ifndef DV_RECORD_C
#define DV_RECORD_C

#include "course.h"

/* A stretch of time begins, on sides of `switches` functions that switch. */
void dv_log_begin_arc(dv_record *r, double time, const double *x, int n, const double *sides,
                      int switches) {
    if (switches && dv_log_begins(r, DV_LOG_SIDES, 2L + switches)) dv_write_all(r, sides, switches);
    if (!dv_log_fits(r, 4L + n)) return;
    r->rows = r->used;
    dv_log_begins(r, DV_LOG_ARC, 4L + n);
    dv_write(r, 1);
    dv_write(r, time);
    dv_write_all(r, x, n);
}

/* The record that rows are added to: the last one if it has some of this stretch, or a new one. */
long dv_log_of_rows(dv_record *r) {
    const double *last = r->log + r->rows;
    int kind = r->rows < r->used ? (int)last[0] : 0;
    int goes_on = kind == DV_LOG_ARC || kind == DV_LOG_ROWS;
    if (goes_on && r->rows + (long)last[1] == r->used) return r->rows;
    r->rows = r->used;
    dv_log_begins(r, DV_LOG_ROWS, 3);
    dv_write(r, 0);
    return r->rows;
}

/* Rows of the step just made before `end`, `samples` of a whole one, and x, which is at `end`. */
void dv_log_rows(dv_record *r, const dv_steps *s, double end, int samples) {
    int count = 0;
    if (!(end > s->start) || !dv_log_fits(r, 3 + (long)samples * (1 + s->n))) return;
    long at = dv_log_of_rows(r);
    for (int last = 0; !last; count++) {
        double time = s->start + s->length * (count + 1) / samples;
        last = count + 1 == samples || time >= end;
        dv_write(r, last ? end : time);
        if (last)
            dv_copy(r->log + r->used, s->x, s->n);
        else
            dv_dense_state(s, time, r->log + r->used);
        r->used += s->n;
    }
    r->log[at + 1] = (double)(r->used - at);
    r->log[at + 2] += count;
}

/* Begin the log again, if it is to be kept. */
void dv_keep_record(dv_record *r, int keep) {
    r->keeps = keep;
    r->used = r->rows = r->out_of_memory = 0;
}

/* What was written goes to `out`, and the log begins again. */
void dv_hand_over(dv_record *r, double *out) {
    memcpy(out, r->log, (size_t)r->used * sizeof(double));
    r->used = r->rows = 0;
}

#endif
