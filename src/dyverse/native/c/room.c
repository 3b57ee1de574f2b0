/* Memory for closed contacts, which is quadratic in their number: little at first, and more when it is
 * needed. */

/* Hands out parts of a block; with no block it only counts. */
typedef struct {
    char *memory;
    size_t used;
} dv_arena;

static double *dv_doubles(dv_arena *a, long count) {
    size_t at = a->used;
    a->used += (size_t)count * sizeof(double);
    return a->memory ? (double *)(void *)(a->memory + at) : NULL;
}

static int *dv_ints(dv_arena *a, long count) {
    size_t at = a->used;
    a->used += ((size_t)count * sizeof(int) + 7) / 8 * 8; /* doubles stay aligned */
    return a->memory ? (int *)(void *)(a->memory + at) : NULL;
}

/* With so many numbers for what joints take of each row. */
static void dv_carve_closed(dv_closed *c, int room, int held, dv_arena *a) {
    c->contact = dv_ints(a, room);
    c->island = dv_ints(a, room);
    c->order = dv_ints(a, room);
    c->first = dv_ints(a, room + 1);
    c->crowd = dv_ints(a, room);
    c->company = dv_ints(a, room);
    c->gap = dv_doubles(a, room);
    c->speed = dv_doubles(a, 3 * room);
    c->bias = dv_doubles(a, 3 * room);
    c->jacobian = dv_doubles(a, 36 * room);
    c->frame = dv_doubles(a, 9 * room);
    c->taken = dv_doubles(a, 3L * held * room);
    c->lost = dv_ints(a, 3 * room);
}

static void dv_carve_solvers(dv_engine *e, dv_arena *a) {
    long room = e->room, N = 3 * room, proof = room < DV_PROOF ? room : DV_PROOF;
    dv_problem *p = &e->problem;
    p->G = dv_doubles(a, N * N);
    p->c = dv_doubles(a, N);
    p->mu = dv_doubles(a, room);
    p->sliding = dv_doubles(a, 2 * room);
    p->directed = dv_ints(a, room);
    p->beside = dv_ints(a, room * room);
    p->besides = dv_ints(a, room);
    p->a = dv_doubles(a, room);
    p->t = dv_doubles(a, room);
    long systems = 5 * N * N + 20 * N, wide = 6 * proof;
    long proofs = 9 * proof * proof + wide * wide + wide * (2 * wide + 2) + 20 * wide;
    e->dense_work = dv_doubles(a, systems + 8 * N + proofs);
    e->pivots = dv_ints(a, 12 * room + 8);
    e->work_int = dv_ints(a, 7 * room + 8);
}

static void dv_carve_bases(dv_engine *e, dv_arena *a) {
    long room = e->room, N = 3 * room;
    e->bases = (dv_base *)(void *)dv_doubles(a, 2 * room * (long)((sizeof(dv_base) + 7) / 8));
    e->base_room = 3 * N * N + 20 * N;
    e->base_memory = dv_doubles(a, e->base_room);
}

static void dv_carve_motion(dv_engine *e, dv_arena *a) {
    long room = e->room;
    e->motion.forces = dv_doubles(a, 3 * room);
    e->motion.limit = dv_doubles(a, room);
    e->motion.missed = dv_doubles(a, room);
    e->motion.soft = dv_doubles(a, 2 * room);
    e->motion.shared = dv_ints(a, room);
    e->local = dv_doubles(a, 18 * room);
    e->found_forces = dv_doubles(a, 3 * room);
    e->stay = dv_doubles(a, 3 * room);
    e->unsure = dv_doubles(a, room);
    e->touch_drive = dv_doubles(a, room);
    e->drive = dv_doubles(a, 6 * room);
    e->grid = dv_doubles(a, 2 * room * (DV_MAX_INTERVALS + 2));
    e->grid_rate = dv_doubles(a, 2 * room * (DV_MAX_INTERVALS + 1));
    e->slide = dv_doubles(a, 4 * room);
    e->wanted = dv_ints(a, room);
    e->stays = dv_ints(a, room);
    e->lost = dv_ints(a, room);
    e->halts = dv_ints(a, room);
    e->part = dv_ints(a, room);
    e->approached = dv_ints(a, room);
    e->struck = dv_ints(a, room);
    e->rested = dv_ints(a, room);
    dv_carve_closed(&e->closed, e->room, DV_HELD * e->joints.count, a);
    dv_carve_closed(&e->other, e->room, DV_HELD * e->joints.count, a);
}

#ifndef DV_FIRST_ROOM
#define DV_FIRST_ROOM 128 /* contacts */
#endif

/* Balls of a heap touch some six others on average, counted twice; then there are walls. */
static int dv_room_for(const dv_structure *s) {
    int guess = s->room > 0 ? s->room : 4 * s->moving + 8;
    if (s->room <= 0 && guess > DV_FIRST_ROOM) guess = DV_FIRST_ROOM;
    return guess < s->contacts ? guess : s->contacts;
}

static void dv_carve_room(dv_engine *e, dv_arena *a) {
    dv_carve_motion(e, a);
    dv_carve_solvers(e, a);
    dv_carve_bases(e, a);
}

static void dv_keep_closed(dv_closed *to, const dv_closed *from, int room, int held) {
    size_t ints = (size_t)room * sizeof(int);
    memcpy(to->contact, from->contact, ints);
    memcpy(to->island, from->island, ints);
    memcpy(to->order, from->order, ints);
    memcpy(to->first, from->first, ints + sizeof(int));
    memcpy(to->crowd, from->crowd, ints);
    memcpy(to->company, from->company, ints);
    dv_copy(to->gap, from->gap, room);
    dv_copy(to->speed, from->speed, 3 * room);
    dv_copy(to->bias, from->bias, 3 * room);
    dv_copy(to->jacobian, from->jacobian, 36 * room);
    dv_copy(to->frame, from->frame, 9 * room);
    dv_copy(to->taken, from->taken, 3 * held * room);
    memcpy(to->lost, from->lost, 3 * ints);
}

/* What is known of closed contacts and of those of a node, when lists become longer than they may be. */
static void dv_keep_lists(dv_engine *e, const dv_engine *old) {
    int room = old->room;
    int held = DV_HELD * e->joints.count;
    dv_keep_closed(&e->closed, &old->closed, room, held);
    dv_keep_closed(&e->other, &old->other, room, held);
    dv_copy(e->motion.forces, old->motion.forces, 3 * room);
    dv_copy(e->motion.limit, old->motion.limit, room);
    dv_copy(e->motion.missed, old->motion.missed, room);
    dv_copy(e->motion.soft, old->motion.soft, 2 * room);
    memcpy(e->motion.shared, old->motion.shared, (size_t)room * sizeof(int));
    dv_copy(e->found_forces, old->found_forces, 3 * room);
    dv_copy(e->unsure, old->unsure, room);
    int *to[] = {e->part,  e->rested, e->approached, e->struck,
                 e->stays, e->halts,  e->wanted,     e->lost};
    int *from[] = {old->part,  old->rested, old->approached, old->struck,
                   old->stays, old->halts,  old->wanted,     old->lost};
    for (int i = 0; i < 8; i++) memcpy(to[i], from[i], (size_t)room * sizeof(int));
    dv_forget_bases(e);
}

/* Room for so many closed contacts; 0 if there is no memory for them. Pointers to what is carved here
 * are others afterwards. */
static int dv_make_room(dv_engine *e, int room) {
    dv_engine old = *e;
    dv_arena arena = {NULL, 0};
    e->room = room;
    dv_carve_room(e, &arena);
    arena.memory = (char *)calloc(1, arena.used + 8);
    if (!arena.memory) {
        *e = old;
        return 0;
    }
    arena.used = 0;
    dv_carve_room(e, &arena);
    e->room_memory = arena.memory;
    if (old.room_memory) dv_keep_lists(e, &old);
    free(old.room_memory);
    return 1;
}

/* Room for one more than `count`. */
static int dv_has_room(dv_engine *e, int count) {
    if (count < e->room) return 1;
    return dv_make_room(e, 2 * e->room < e->contacts ? 2 * e->room : e->contacts);
}
