/* A run in memory of the caller: the blocks that it is kept in, one after the other. */
#ifndef DV_SAVING_H
#define DV_SAVING_H

#include "record.h"
#include "steps.h"
#include "switches.h"

#define DV_BLOCKS 48

typedef struct {
    int count;
    size_t size; /* of all of them */
    struct {
        void *at;
        size_t size;
    } block[DV_BLOCKS];
} dv_blocks;

static inline dv_blocks dv_no_blocks(void) {
    dv_blocks b;
    b.count = 0;
    b.size = 0;
    return b;
}

static inline void dv_add_block(dv_blocks *b, void *at, int count, size_t size) {
    b->block[b->count].at = at;
    b->block[b->count++].size = (size_t)count * size;
    b->size += (size_t)count * size;
}

static inline void dv_add_doubles(dv_blocks *b, double *at, int count) {
    dv_add_block(b, at, count, sizeof(double));
}

static inline void dv_add_ints(dv_blocks *b, int *at, int count) {
    dv_add_block(b, at, count, sizeof(int));
}

/* What has been counted, and how steps go on. */
static inline void dv_add_course(dv_blocks *b, dv_record *r, dv_steps *s) {
    dv_add_block(b, &r->events, 1, sizeof r->events);
    dv_add_block(b, &r->path, 1, sizeof r->path);
    dv_add_block(b, &s->pace, 1, sizeof s->pace);
}

/* Of `most` functions that switch: their sides, and their switches so far. */
static inline void dv_add_switches(dv_blocks *b, dx_switches *w, int most) {
    int *numbers[] = {&w->count, &w->slides, &w->turns, &w->reason};
    for (int i = 0; i < 4; i++) dv_add_ints(b, numbers[i], 1);
    dv_add_doubles(b, &w->last, 1);
    dv_add_doubles(b, &w->end, 1);
    dv_add_block(b, &w->switched, 1, sizeof w->switched);
    dv_add_doubles(b, w->side, most);
    dv_add_doubles(b, w->value, most);
    dv_add_doubles(b, w->times, most * (DX_PILED + 1));
    dv_add_ints(b, w->noted, most);
    dv_add_ints(b, w->resting, 2 * most);
}

static inline void dv_save_blocks(const dv_blocks *b, void *memory) {
    char *to = (char *)memory;
    for (int i = 0; i < b->count; to += b->block[i++].size)
        if (b->block[i].size) memcpy(to, b->block[i].at, b->block[i].size);
}

static inline void dv_restore_blocks(const dv_blocks *b, const void *memory) {
    const char *from = (const char *)memory;
    for (int i = 0; i < b->count; from += b->block[i++].size)
        if (b->block[i].size) memcpy(b->block[i].at, from, b->block[i].size);
}

#endif
