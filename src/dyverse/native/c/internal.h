/* The engine's memory and what its files offer one another. All functions are static: the runtime
 * is compiled as one unit, runtime.c, but for what can be compiled beside it (law.c, …). */
#ifndef DV_INTERNAL_H
#define DV_INTERNAL_H

#include "course.h"
#include "dyverse.h"
#include "flights.h"
#include "joint/joint.h"
#include "numbers.h"
#include "saving.h"

#define DV_MAX_INTERVALS 8
#define DV_SLOW 1e-2       /* m/s: only rebounds slower than this are asked whether they are last */
#define DV_EASY 1e-8        /* share of the diagonal below which a constraint is hardly one */
#define DV_STANDSTILL 0.5  /* share of the slip at which it begins: slower is at rest */
#define DV_SPENT 0.005     /* the same: slip that has become slower has come to rest */
#define DV_PILE 4          /* bodies that move, from which on an island is a pile, */
#define DV_HEAP 6          /* and from which on a heap */
#define DV_NEARLY 1e-6     /* share of a speed that forces decide, within which it is reached */
#define DV_ABOUT 1.1       /* times a speed: less is about the same */
#define DV_FAINT 1e-9      /* share of the largest force below which friction has no direction */
#define DV_ROUNDING 1e-10  /* share of the largest change of speed: less is what computation leaves */
#define DV_TOGETHER 1e-9   /* s: events so close to one another are one */
#define DV_IDLE 50         /* arcs without time before a run is taken to be stuck */
#define DV_FAR 1e-3        /* m: gaps over this need not be known exactly between events */
#define DV_FAR_OFF 1e6      /* m: how far bodies are that cannot touch at present */
#define DV_OVERLAP 10       /* tolerances of a gap: by how much bodies that touch may overlap */
#define DV_PROOF 20        /* contacts: larger problems are not searched for a proof */

/* Contacts at one state, assembled: what (14) and (15) are made of. Row r of contact k has its
 * twelve entries of J at jacobian + 36 k + 12 r, six for each body. */
typedef struct {
    int count;
    int *contact;     /* which contacts */
    int *island;      /* which island each belongs to */
    int *order;       /* positions 0..count-1, island by island */
    int *first;       /* of each island in `order`; islands + 1 entries */
    int *crowd;       /* how many contacts the island of each has, */
    int *company;     /* and how many bodies that move, or a bound below DV_PILE */
    int islands;
    double *gap;      /* g_N */
    double *speed;    /* γ, three per contact */
    double *bias;     /* γ̇ = J q̈ + bias */
    double *jacobian;
    double *frame;    /* columns normal, tangent 1, tangent 2: nine per contact */
    double *taken;    /* of each row: what joints take of it, a vector of their conditions */
    int *lost;        /* and whether that is all of it */
} dv_closed;

/* A ball and a wall: what never changes. */
typedef struct {
    int at, row;        /* of the ball: its first coordinate in the state, its first speed among v */
    const double *wall; /* a point of it */
    double gap;         /* with the ball's centre there */
    double jacobian[36], frame[9];
    double push[18];    /* rows of J M⁻¹, of the ball */
    double block[9], inverse[9]; /* of G */
    double soft[3];     /* sums of the rows of |G⁻¹| */
    double a, t;        /* its scales, as in dv_problem */
} dv_flat;

/* Forces and accelerations at one state of a location. */
typedef struct {
    double *forces;  /* λ, three per closed contact */
    double *acceleration;
    double *limit;   /* μ λ_N */
    double *missed;  /* acceleration that no force can hold, see dv_system */
    double *soft;    /* force per acceleration along normal and surface, or NaN: not known yet */
    int *shared;     /* whether a contact's force could be another in the same motion */
} dv_motion;

/* One island's contact problem: find λ with ξ = G λ + c; see dyverse.contact.law.problem. */
typedef struct {
    int n;
    double *G;       /* 3n x 3n, row by row */
    double *c;
    double *mu;
    double *sliding; /* two per contact */
    double *granted; /* normal force that friction has besides, or NULL */
    int *directed;   /* whether `sliding` gives the direction of slip */
    double *a;       /* G_NN,j */
    double *t;       /* largest eigenvalue of G_TT,j */
    int *beside;     /* n x n: row j lists the contacts that share a body with contact j */
    int *besides;    /* how many they are */
    double tolerated; /* of ξ: what redundant contacts may leave, if c has an error of its own, */
    double passable;  /* and if no method gets further */
} dv_problem;

enum { DV_SORPROX = 1, DV_NEWTON = 2, DV_LCP = 3, DV_BALANCE = 4, DV_SEQUENCE = 5, DV_SHOCK = 6 };
enum { DV_SOLVED = 0, DV_OPEN_END = 1, DV_CONTRADICTION = 2, DV_STUCK_END = 3 };

typedef struct {
    int status;
    int method;
    int sweeps;
    double residual;
    double scale; /* of restitution, in impacts */
} dv_answer;

/* The balance of one island, factored: see bases.c. */
typedef struct {
    int n, m;            /* contacts, unknowns */
    int rank, band;      /* of the factors */
    int changes, moves;  /* how many leave the balance as it is; whether bodies notice */
    int *who, *sticks;   /* per contact: which it is, and whether it sticks */
    int regular, *row, *column; /* whether LU is that of dv_lu, or else of dv_full_lu */
    double *LU, *unit, *soft, *firm, *null;
    int seeds;           /* which forces of a node y began with */
    int fails;           /* since which forces of a node refinements get nowhere */
    double *y, *shared;  /* unknowns found last: as they are watched, and as bodies move by */
    double *dual;        /* of the latter, see shortest.c */
} dv_base;

/* What a node found, over all islands. */
typedef struct {
    dv_answer answer;
    int failure; /* DV_OK, DV_NOT_CONVERGED or DV_INCONSISTENT */
    int scaled;  /* whether some restitution was scaled */
} dv_found;

/* All that changes in a run, beside the arrays of `kept` and `flags`. */
typedef struct {
    double time;
    double accumulates;
    long counts[DV_COUNTS];
    int idle;          /* arcs in a row that took no time, */
    int creeps;        /* or so little that their ends are one event */
    int vain;          /* contact nodes in a row that have left all modes as they were, */
    double vain_since; /* from this time on */
    int crossed;       /* whether the last stretch ended at an event */
    int flowing;       /* whether a stretch was interrupted in its location */
    int settled;       /* whether the event update of this instant is done */
    int closed;        /* contacts closed */
    int pending;       /* the node to visit next, in the middle of an event update */
    int jumps;         /* taken in this instant */
    int seeds;         /* how often forces have been found by nodes */
    int holds;         /* whether `held` is what a contact node found last */
    int updating;      /* whether an event update was interrupted */
    int aloft;         /* whether bodies are in x as they were at `since` */
    double arc_start;  /* when the present stretch of time began */
    double doubt;      /* m/s²: how far forces that the last contact node found may be from the truth */
} dv_now;

/* Where a jump leads. */
enum { DV_STAY = 0, DV_TO_IMPACT, DV_TO_CONTACT, DV_TO_FREE, DV_TO_SLIP };

#define DV_FLAGS 5
#define DV_STEERED (-2)
#define DV_FLOWN 2
#define DV_JUMP 1e-6 /* m, m/s: what a body that automata move may be off before it has jumped */

struct dv_engine {
    dv_options options;
    int bodies, moving, contacts, settings, properties, room, size;
    int coordinates, speeds; /* numbers of the state: q comes first, then v */
    int impact;       /* the law of impact */
    int without_collision; /* whether slip that has no forces ends by an impact */
    int shapes;       /* numbers per contact of both shapes */
    int *place, *ends, *kind, *law, *smooth;
    int *pushed;      /* per body: its row if forces move it, DV_STEERED if automata do, or -1 */
    int steered;      /* whether automata move any */
    int *group, *ring; /* per body: one of those that it is joined to, and the next of them, in a ring */
    int *driven, driven_count; /* rows of bodies that move along functions of time */
    int *at;          /* per moving body: where its coordinates begin in the state */
    int *lies;        /* per moving body: which of those with an orientation it is, from 1 on, or 0 */
    int turning;      /* how many of them there are */
    int lying;        /* whether any body has an orientation, also among those that are fixed */
    int *linked;      /* per contact: whether it is a rope or a limit */
    int *resists;     /* per contact: what it resists; see dv_leader */
    int *single;      /* per contact: whether it has one tangent only */
    int *flat;        /* per contact: its place in `flats`, or -1 */
    dv_flat *flats;
    int flat_count;
    int constant;     /* whether loads depend on neither time nor state */
    int steady;       /* whether no acceleration changes in this location: `motion` holds them */
    double *numbers;
    const double *p, *inverse_mass, *mixed, *position, *lain, *shape, *e_N, *e_T, *mu;

    dv_joints joints;
    dx_switches w;    /* functions of the loads that switch */
    int *switch_kind;
    int conditions;   /* under which contacts are there, */
    double *holds;    /* whether each of them holds, */
    int *condition;   /* which one each contact has, or -1, */
    int *off;         /* and whether it is not there */
    double *drift, *side_f; /* rates of settings; of bodies, for sides */

    dv_now now;
    double *kept; /* x, held, followed, ahead, property minima, since: one block, `kept_count` long */
    int kept_count;
    int *flags;   /* modes, resting, before, hit, known: one block, DV_FLAGS * contacts long */
    double *x, *held, *followed, *ahead, *least, *when, *first;
    double *since;     /* per moving body: when it was where x says; see flights.c */
    int *modes, *resting;
    int *known;        /* contacts that took part in a contact node since the last impact */
    int *before, *hit; /* modes at the start of the event update; contacts that took an impulse */

    char *room_memory; /* what room.c carves up */
    dv_closed closed; /* the closed contacts of the present location */
    dv_closed other;  /* any others */
    dv_motion motion;
    dv_problem problem;

    double *body, *free;
    double *change;   /* of coordinates, as speeds would make it */
    double *course;   /* of bodies that move along functions of time: positions, velocities */
    double reach;     /* of bodies with an orientation, the farthest */
    double *weight;   /* if loads are constant: the free acceleration, */
    double *pull;     /* and that of bodies aloft: those with a closed contact roll or slide */
    dv_steps step;
    double *yt;       /* that of the steps */
    int budget;       /* steps left in this call; none if it began at 0 */
    int stepped;      /* whether this call has made a step in this stretch of time, or DV_FLOWN to its end */

    double *gap0, *speed0, *travel;
    int *touched;     /* per body, for finding islands */
    double *slide;    /* on parabolas: slip velocity of closed contacts and its gain by the step */
    double line[2][DV_POWERS + 1]; /* of the flat contact `drawn` on this step: gap and its rate, like dense */
    int drawn;        /* or -1 */
    int surveyed;     /* whether gap0 and speed0 are those of x */
    double *clear;    /* open contacts: no gap is less than this now */
    int few;          /* whether all contacts are looked at; see nearby.c */
    int *live, *listed, live_count; /* those that are, in order */
    double horizon, nearer, loose, last_reach, most_travel, lasts;
    double *gone;
    double *sweep;    /* how far a share of the last step takes each body at most, over that share */
    long listed_at;   /* the number of the step then */
    int partial, *wanted; /* if partial: only the islands wanted are solved */
    double *grid, *grid_rate; /* of closed signals: two per contact, row by row of time */
    double *local, *found_forces, *drive, *stay, *touch_drive;
    double *property, *depths, *deadline; /* of properties: now, on a grid, until when */
    double *touch;                       /* per contact, for properties: forces, closed, sticking */
    double *own_ahead;                   /* where contacts head while a moment is looked at */
    int *part, *approached, *struck, *rested; /* per contact of the last node: whether it is one of
                                    its own, was closing, took an impulse, and bounced its last */
    int *halts;         /* per contact of the last contact node: whether its slip is over */
    int *stays;         /* per contact of the last contact node: whether it is kept as it is, */
    int *lost;          /* whether no forces are found for its island, */
    double looser;      /* times more than elsewhere forces of heaps may leave of accelerations */
    double *unsure;     /* and an acceleration that may be what its forces leave */
    int *suspect, *work_int, *pivots;
    double *dense_work; /* matrices of the solvers */
    dv_base *bases;     /* factors of islands */
    int base_count;
    double *base_memory;
    long base_room, base_used;
    dv_nears near;

    int sorted;         /* whether contacts are of such kinds that bodies could fly */
    int flies;          /* whether bodies that touch nothing go from event to event by formulas */
    dv_calendar calendar;
    int *pairs, *pair_first; /* contacts of two balls, by the smaller body, then by the larger */
    int *walls, *wall_first; /* of balls and walls, by the ball */
    int *joined, *joiners, joiner_count; /* bodies of the last event */
    int turns;          /* entries of the calendar so far */

    dv_record *record, own; /* what is written down, and where if nobody else does */
    int beside;       /* whether automata write there too: kinds of events are then negative */
};

#endif
