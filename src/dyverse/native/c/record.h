/* What is written down of a run: events for counting, and the log for a driver that wants it all. The
 * records of the log are described in dyverse.h. */
#ifndef DV_RECORD_H
#define DV_RECORD_H

#include "dyverse.h"
#include "numbers.h"

typedef struct {
    int keeps;         /* whether there is a log */
    int out_of_memory; /* whether there was no memory for more of it */
    double *log;
    long room, used;
    long rows;         /* where the record is that got rows last */

    long events;       /* so far */
    unsigned long long path; /* a number for them: runs with the same events at the same places */
    double *time;      /* of each of the first `most` events */
    int *kind, *what;  /* two numbers each: the first contact, edge or signal, and how many there are */
    int most;
} dv_record;

/* Stir a number into the path, by multiplication and shifts. */
static inline void dv_mix(dv_record *r, unsigned long long number) {
    unsigned long long mixed = r->path ^ (number + 0x9e3779b97f4a7c15ull);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    r->path = mixed ^ (mixed >> 31);
}

/* An event at `count` places, of which `first` is the first. */
static inline void dv_note_event(dv_record *r, double time, int kind, int first, int count) {
    long at = r->events++;
    if (at >= r->most) return;
    r->time[at] = time;
    r->kind[at] = kind;
    r->what[2 * at] = first;
    r->what[2 * at + 1] = count;
}

/* Room for `count` more numbers; 0 if there is none, or no log is kept. */
static inline int dv_log_fits(dv_record *r, long count) {
    if (!r->keeps || r->out_of_memory) return 0;
    if (r->used + count <= r->room) return 1;
    long room = 2 * r->room + count + 4096;
    double *larger = (double *)realloc(r->log, (size_t)room * sizeof(double));
    r->out_of_memory = !larger;
    if (!larger) return 0;
    r->log = larger;
    r->room = room;
    return 1;
}

static inline void dv_write(dv_record *r, double number) {
    r->log[r->used++] = number;
}

static inline void dv_write_all(dv_record *r, const double *numbers, int count) {
    dv_copy(r->log + r->used, numbers, count);
    r->used += count;
}

/* Begin a record of so many numbers in all; 0 if it is not to be written. */
static inline int dv_log_begins(dv_record *r, int kind, long length) {
    if (!dv_log_fits(r, length)) return 0;
    dv_write(r, kind);
    dv_write(r, (double)length);
    return 1;
}

static inline void dv_log_mark(dv_record *r, int kind, double time) {
    if (dv_log_begins(r, kind, 3)) dv_write(r, time);
}

/* The present state instead of that in the row written last. */
static inline void dv_log_last(dv_record *r, const double *x, int n) {
    if (dv_log_fits(r, 0)) dv_copy(r->log + r->used - n, x, n);
}

static inline void dv_log_near(dv_record *r, double time, int signal, double value) {
    if (!dv_log_begins(r, DV_LOG_GRAZE, 5)) return;
    dv_write(r, time);
    dv_write(r, signal);
    dv_write(r, value);
}

#endif
