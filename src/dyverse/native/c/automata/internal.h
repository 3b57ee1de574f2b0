/* The engine's memory and what its files offer one another. All functions are static: the runtime is
 * compiled as one unit, automata.c. */
#ifndef DA_INTERNAL_H
#define DA_INTERNAL_H

#include "../course.h"
#include "../saving.h"
#include "automata.h"

#define DA_LATE 1e-9    /* the share of a tick by which it may be after the end, or before */
#define DA_FAR 1e6      /* how deep inside a formula is that time cannot make false */
#define DA_DIGITS 1e-12 /* what computation may add to a multiple of the grain, as a share */
#define DA_MISSED 1e300 /* what an atom of a property is missed by that is no number */

/* What is watched in a location, one entry per signal, in the order of the reference engine. */
typedef struct {
    int kind, watch; /* of one from outside: its number there */
    int partners; /* of a sender: the first receiving edge, and on by `next` */
    int number;   /* among all signals of the location; while edges wait, -1 a receiver by itself, and
                   * -2 an urgent jump that leads where it must not */
    int turned;   /* whether it is positive while its guard holds */
} da_column;

/* How a formula reads: see dyverse.automaton.guard.truth. */
enum { DA_AFTER = 1, DA_HERE = 2, DA_INSTANT = 4 };

/* An event of this instant, not yet told: it is told when time may pass again. */
typedef struct {
    int kind, edge;
} da_told;

/* All that changes in a run. */
typedef struct {
    double time;
    double arc_start;
    long counts[DV_COUNTS];
    int idle;        /* arcs in a row that took no time */
    int flowing;     /* whether an arc goes on */
    int settled;     /* whether the jumps of this instant are done */
    int way;         /* of a way through nodes: the kind of its first named edge */
    int waiting;     /* whether enabled edges are left alone */
    int arriving;    /* whether time has brought the run here: guards are read at the point */
    double tick_begin;
    long ticks;      /* since then, with the one ahead */
} da_now;

struct da_engine {
    da_structure s;
    dv_options options;
    da_outsider outside;      /* without functions if there is none */
    da_host host;
    int host_failed;
    int n, columns, crossings, tolds, budget;
    double *board, *in, *out; /* in and out of one piece */
    double *f, *g;            /* on the board: rates, second rates */
    double *still;            /* rates of the present places that do not change */
    double *low, *high, *deadline;
    da_now now;
    double *x, *final;
    int *position;

    /* the present location */
    int dirty;                /* whether a position has changed since it was entered */
    int *moving, movings;     /* pieces of rates that do change */
    int *seconds, second_count;
    int knows_second;         /* whether g is that of the board */
    da_column *column;
    int *next, *head, *tail;  /* receiving edges by channel */
    int *senders, *sender_next, *sender_tail, *channel_order; /* senders by channel */
    int channels_seen;
    int *alone, alones;
    int urgent, committed;
    int watches_receivers;    /* whether receivers have signals by themselves */

    /* watches at one point; `stamp` tells which are known */
    long stamp;
    long *known;              /* of each watch: its stamp */
    long *known_truth;
    double *inside, *inside_rate;
    int *truth;
    double *stack, *stack_rate;
    int *stack_truth;
    double *depth, *rate, *second;
    double *approach;           /* of each atom: from where an equality is reached */
    double slack;             /* how far outside of an invariant is still inside */
    double *outside_v, *outside_r, *floor;
    int *quiet;
    long outside_known;       /* the stamp of outside_v */

    /* functions of the rates that switch */
    dx_switches w;
    int outside_switches, *switch_kind, *active; /* those from outside come first */
    double *slide_x, *slide_f;
    void *switch_memory;

    /* the step */
    dv_steps step;

    /* the search on it */
    double *grid_x, *grid_v, *grid_r, *root;
    double *spot_v, *spot_r;
    double *before_v, *after_v, *around_r; /* for differences */
    int *resting, *risen, *crossed, *kept_resting;
    dv_nears near;

    /* moves */
    int *best, *trial, *heard, *group, *chosen;
    int best_size, best_rank, best_channel, enabled;
    int *moves, moves_room;   /* all that may be taken, in order: a size, then so many edges */
    int considered;           /* jumps whose guards hold, with those that lead where they must not */
    int hurried, lasting;     /* whether one of them is urgent, will be enabled right after */
    int place;                /* the one that was chosen, or -1 without a choice */
    int *jumped;              /* components that have jumped in this instant */
    int *behind, *left, lefts; /* edges that a jump has left behind, also as a list */
    long allow_stamp, *allow_known; /* of procedures: what is known since the last jump */
    int *allowed, *changed;
    double *spare_x, *host_x; /* of a try, and of a procedure */
    int *kept_behind, *kept_jumped;
    double *loose_x, *loose_depths; /* put aside while time goes on beyond an invariant: x, and */
    int *loose_behind, *loose_crossed; /* least, when and failed; left behind, crossed */
    int bad_start;            /* whether time started to pass outside of an invariant */
    int moved;                /* whether there were jumps in this instant */
    int stepped;              /* whether this call has made a step in this stretch of time */
    double *fresh_x;
    int *assigned;
    da_told *told;

    double *least, *when, *failed;

    dv_record record;
    void *memory;
};

#endif
