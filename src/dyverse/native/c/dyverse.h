/* The native engine: a rigid-body hybrid automaton run event by event.
 *
 * This is the interface that our own driver, an FMU and an S-function use, and nothing else: create
 * and destroy, set numbers and the start, derivatives, event indicators, event update, step, save
 * and restore. The runtime needs C99 and libm. It allocates in dv_create, for the log, and where many
 * contacts are closed at once; it has no globals, and says what went wrong by a code. One engine belongs
 * to one thread at a time.
 *
 * The state is x = (q, v): position and rotation of all moving bodies, then velocity and spin. Of a
 * body with an orientation the rotation is a unit quaternion, from its own axes to those of the world,
 * and its spin is in its own axes. Behind the coordinates of bodies are the angles of joints.
 *
 * Engines of automata (automata/automata.h), also with bodies (coupled/coupled.h), answer the same
 * questions by the same names with da_ in place of dv_: destroy, set_numbers, set_state (with places),
 * time, get_state, derivatives, indicators, event_update, step, run, set_off, pass_by, arrive_at,
 * saved_size, save, restore, counts, switching, keep_log, log_used, take_log, run_rows. What is built
 * on an engine can rely on these and on dv_code, dv_options, DV_N_…, DV_LOG_… and the events; whatever
 * they mean changes together with the version. What is in internal.h can change at any time.
 */
#ifndef DYVERSE_H
#define DYVERSE_H

#ifdef __cplusplus
extern "C" {
#endif

#define DV_VERSION 12
#define DV_DOF 6   /* speeds per moving body */
#define DV_BODY 13 /* numbers per body in kinematics: position, velocity, spin in world axes, quaternion */
#define DV_LYING 5 /* numbers per body where one has an orientation: its own, and how far it reaches */

/* What a call came back with. Codes from DV_NO_MEMORY on are errors. */
typedef enum {
    DV_OK = 0,
    DV_EVENT = 1,         /* stopped at an event; time and state are those of the event */
    DV_HORIZON = 2,       /* the time asked for was reached */
    DV_PAUSED = 4,        /* as many steps as one call may take */
    DV_MAX_EVENTS = 5,    /* as many events as were allowed */
    DV_NOT_CONVERGED = 6, /* a node found no forces */
    DV_INCONSISTENT = 7,  /* the laws of contact have no solution (Painlevé) */
    DV_LIVELOCK = 8,      /* jumps without end in one instant */
    DV_DEADLOCK = 9,      /* no edge to take and no time may pass */
    DV_SOLVER = 10,       /* the integrator cannot go on */
    DV_UNDEFINED = 11,    /* a watched signal is not a number */
    DV_TOO_MANY = 12,     /* no memory for so many contacts closed at once */
    DV_STUCK = 13,        /* a contact joins bodies that cannot move apart */
    DV_TIMELOCK = 14,     /* as deadlock, and it is an invariant or an urgent place that forbids it */
    DV_FAULT = 15,        /* an assignment that a variable cannot take */
    DV_HOST = 16,         /* a function of the host failed */
    DV_CHATTERING = 17,   /* a function of the rates changes sides without end, or has none */
    DV_CRAWLING = 18,     /* thousands of steps in which hardly any time passes */
    DV_NO_MEMORY = 20,
    DV_BAD_MODEL = 21
} dv_code;

/* The mode of a contact in a location. */
enum { DV_OPEN = 0, DV_STICK = 1, DV_TRANS = 2, DV_SLIP = 3 };

/* The law of impact: Newton's at all contacts at once, or at one after the other, or Poisson's. */
enum { DV_AT_ONCE = 0, DV_IN_TURN = 1, DV_IN_PHASES = 2 };
/* Added to it: contacts that slip although the laws have no forces for that jam, by an impact. */
enum { DV_WITHOUT_COLLISION = 8 };

/* What a contact resists. */
enum { DV_ROLLING = 1, DV_SPINNING = 2 };

/* Events, named as in the reference engine. */
enum { DV_IMPACT = 1, DV_ACCUMULATION, DV_TOUCH, DV_RELEASE, DV_STICKS, DV_SLIPS, DV_GRAZE };

/* What does not change with numbers. The arrays are read by dv_create and not kept. */
typedef struct {
    int bodies;
    int moving;
    int contacts;
    int settings;     /* parameters p of the generated code */
    int properties;   /* values of dv_model_properties */
    int room;         /* closed contacts that there is memory for at first; 0: as it thinks fit */
    int impact;       /* the law of impact, one of the above */
    int shape;        /* numbers per contact that describe its two shapes, at most */
    const int *place; /* per body: its row among the moving ones, or -1 */
    const int *oriented; /* per body: whether it has an orientation */
    const int *driven; /* per body: whether it moves along a function of time, whatever it meets; 2 if
                        * variables of automata have a part in it */
    const int *ends;  /* per contact: its two bodies */
    const int *kind;  /* per contact: which pair of shapes, for dv_model_gap and dv_model_rows */
    const int *law;   /* per contact: which friction law, or -1 if mu is a number */
    const int *smooth; /* per contact: whether mu is the number zero */
    const int *flat;  /* per contact: whether it is of a ball and a wall, which does not move */
    const int *linked; /* per contact: whether it is a rope or a limit of a joint */
    const int *resists; /* per contact: 0, or if it is what resists turning at one before it that does
                         * not, DV_ROLLING or DV_SPINNING */
    const int *single; /* per contact: whether it has one tangent only; along the second nothing moves */
    int joints;       /* in the order in which they are eliminated */
    int angles;       /* of joints, that are part of the state */
    const int *joint_ends;       /* per joint: its two bodies, -1 for the world itself */
    const int *joint_kind;       /* per joint: which kind, for dv_model_joint */
    const int *joint_conditions; /* per joint: how many */
    const int *joint_fitting;    /* per joint: where its numbers begin in p */
    const int *joint_angle;      /* per joint: which of the angles is its coordinate, or -1 */
    const int *joint_first;      /* per joint, and one more: where its part of joint_after begins */
    const int *joint_after;      /* later joints whose conditions its elimination changes */
} dv_structure;

/* How closely guards are read and how finely time is followed; SI units. See dv_defaults. */
typedef struct {
    double gap, speed, slip, acceleration, rest, heap; /* dyverse.generation.tolerances */
    double margin, hop, touch;                   /* dyverse.automaton.guard.truth */
    double relative, absolute, longest_step;     /* dyverse.flow.step.Accuracy */
    double together, graze, depth, lift, drift;  /* dyverse.flow.events, follow */
    double tick;    /* edges are taken only so often; 0: at all times */
    double grain;   /* of times and timed clocks; 0: none */
    int intervals;  /* grid intervals per step in the search for events of bodies, 2 to 8 */
    int points;     /* samples per step in that for events of automata, 2 to 65 */
    int samples;    /* rows per step in the log */
    int max_events; /* of a run */
    int max_jumps;  /* of one instant */
    int max_steps;  /* of one call; 0: no limit */
    int idle;       /* arcs without time before a run is taken to be stuck */
    int endpoints;  /* whether invariants count only where time starts and stops to pass */
    int waits;      /* whether who chooses may leave edges alone */
    int printed;    /* whether only the edges of the printed rules of contact exist: from no contact
                     * node do all contacts slip (dyverse.generation.skeleton.rules, `paper`) */
} dv_options;

typedef struct dv_engine dv_engine;

void dv_defaults(dv_options *options);
int dv_version(void);

/* Numbers, in this order: settings p; the diagonal of M⁻¹; of each moving body with an orientation what
 * is beside it, xy, xz and yz of its inverse inertia; position of each body (that of moving ones is not
 * used); if any body has an orientation, the quaternion of each (not used either) and its reach from its
 * position; shapes, as many numbers for each contact; e_N, e_T and mu of each contact. */
int dv_number_count(const dv_structure *structure);
dv_code dv_create(const dv_structure *structure, const dv_options *options, dv_engine **engine);
void dv_destroy(dv_engine *engine);
void dv_set_numbers(dv_engine *engine, const double *numbers);
/* Begin in free flight at `time`; bodies that touch close in the first event update. */
void dv_set_state(dv_engine *engine, double time, const double *x);
/* Begin in another location instead, with the forces (world axes) of its node, 3 per contact. */
dv_code dv_set_location(dv_engine *engine, const int *modes, const double *held);

double dv_time(const dv_engine *engine);
void dv_get_state(const dv_engine *engine, double *x);
/* The location: DV_OPEN, DV_STICK, DV_TRANS or DV_SLIP per contact. */
void dv_get_modes(const dv_engine *engine, int *modes);

/* The flow of the present location: dx/dt, and the watched signals, positive inside; those of
 * modes that are not there are 1. Per contact: gap or normal force, then what its mode watches. */
dv_code dv_derivatives(dv_engine *engine, double time, const double *x, double *rate);
dv_code dv_indicators(dv_engine *engine, double time, const double *x, double *signals);
/* Take all jumps of this instant, until time may pass again. */
dv_code dv_event_update(dv_engine *engine);
/* One stretch of time: to the next event or to `until`. The event update is the caller's. */
dv_code dv_step(dv_engine *engine, double until);
/* Event updates and stretches of time by turns, to `until`. */
dv_code dv_run(dv_engine *engine, double until);
/* Or someone else lets time pass, by derivatives and indicators. After an event update comes dv_set_off:
 * x may then be another, indicators are not zero, and with DV_EVENT the next event update is due at
 * once. dv_pass_by tells every state that was reached on the way, dv_arrive_at the one at which an
 * indicator was found to cross zero (or another reason to look): the next event update is due. */
dv_code dv_set_off(dv_engine *engine);
void dv_pass_by(dv_engine *engine, double time, const double *x);
dv_code dv_arrive_at(dv_engine *engine, double time, const double *x);

/* The whole run so far in memory of the caller, dv_saved_size bytes. */
unsigned long dv_saved_size(dv_engine *engine);
void dv_save(dv_engine *engine, void *memory);
void dv_restore(dv_engine *engine, const void *memory);

/* Where a run that stopped can go on: with the jumps of its instant, before a stretch of time, or
 * in the middle of one that began at `since`. There some open contacts rest: they have had no gap
 * yet; and contacts head somewhere, unit vectors in world axes, 3 each. dv_go_on comes after
 * dv_set_state, dv_set_location and dv_keep_log; `holds` tells whether the forces given there were
 * found by the last node. The run is then the same as if it had not stopped. */
enum { DV_ARRIVED = 0, DV_SETTLED = 1, DV_FLOWING = 2 };
int dv_get_memory(const dv_engine *engine, double *since, int *resting, double *ahead);
void dv_go_on(dv_engine *engine, int from, int holds, double since, const int *resting,
              const double *ahead);

/* Values of functions of the loads that switch (switches.h) in the present stretch of time, NaN for
 * those that slide, and how many there are; dv_set_sides comes before dv_go_on. dv_switching: why the
 * run cannot go on beyond a switch, of which functions, and when they accumulate. */
int dv_get_sides(const dv_engine *engine, double *sides);
void dv_set_sides(dv_engine *engine, const double *sides);
int dv_switching(const dv_engine *engine, int *functions, double *end);

/* Counts since a run began: events, steps, rejected steps, rates, impacts, nodes of bodies, jumps of
 * automata. */
enum {
    DV_N_EVENTS,
    DV_N_STEPS,
    DV_N_REJECTED,
    DV_N_RATES,
    DV_N_IMPACTS,
    DV_N_NODES,
    DV_N_JUMPS,
    DV_COUNTS
};
void dv_counts(const dv_engine *engine, long *counts);
/* Least value of each property so far, when that was, and when it was first negative (or NaN). */
void dv_get_properties(const dv_engine *engine, double *least, double *when, double *failed);
/* A number for the path so far: runs with the same events at the same contacts have the same. */
unsigned long long dv_path(const dv_engine *engine);

/* Where to write events: up to `room`, times, kinds, and of each the first contact and how many there
 * are. NULL: nowhere. */
void dv_set_events(dv_engine *engine, double *times, int *kinds, int *contacts, int room);
/* The log is a stream of records of doubles; it grows as needed, and taking it begins it again. Each
 * record begins with its kind and its length in all:
 *   1 arc      n, then n rows of time, x: a stretch of time begins here, after projection
 *   2 rows     n, then n rows of time, x: it goes on, after a graze or in a new log
 *   3 jump     of automata: how many there were to choose from, which it was or -1, n, n edges, x after
 *   4 node     of an automaton: node, sweeps, residual, failure (0 none), its local variables at the
 *              test, x after
 *   5 settled  time: it may pass again, and what was told of this instant holds
 *   6 graze    time, signal, value; of bodies the signal is 2 contact + (0 gap or normal force, 1 the
 *              signal of its mode), of automata its place among those that are watched
 *   7 rest     the present state is the last one
 *   8 visit    to a node of bodies: impact (0) or contact (1), n, sweeps, residual, method, failure
 *              code, share of restitution, time of accumulation or NaN, n contacts, of each 0, 1 if
 *              its bouncing is over or it has jammed, or 2 if it is not of the node, 3 n impulses or forces in world
 *              axes, x of the bodies after
 *   9 modes    time, n, then contact and mode of n closed contacts: bodies are in another location
 *  10 sides    the values of functions that switch in the arc that follows; NaN: they slide */
enum {
    DV_LOG_ARC = 1,
    DV_LOG_ROWS,
    DV_LOG_JUMP,
    DV_LOG_NODE,
    DV_LOG_SETTLED,
    DV_LOG_GRAZE,
    DV_LOG_REST,
    DV_LOG_VISIT,
    DV_LOG_MODES,
    DV_LOG_SIDES
};
void dv_keep_log(dv_engine *engine, int keep);
long dv_log_used(const dv_engine *engine);
void dv_take_log(dv_engine *engine, double *out);

/* Many runs: arrays with a row for each. */
typedef struct {
    const double *numbers, *starts;
    int *codes;
    double *times, *finals;
    long long *counts; /* events */
    unsigned long long *paths;
    int room; /* events kept per run */
    double *event_times;
    int *event_kinds, *event_contacts;
    double *least, *least_at, *failed_at;
} dv_runs;
/* Rows `from` to before `to`, each to `until`. Returns `to`, or the row at which max_steps were
 * used up: call again from there with `resume`. */
long dv_run_rows(dv_engine *engine, const dv_runs *rows, long from, long to, int resume,
                 double until);

/* ---- generated with the model ---- */
/* v are the values of functions that switch; surfaces are the switching functions and their rates, where
 * dx/dt and dp/dt are f and g. */
void dv_model_loads(double time, const double *x, const double *p, const double *v, double *h);
/* Positions, then velocities, of bodies that move along functions of time, three numbers each; their loads
 * are accelerations. Turns are seven numbers each, a quaternion and the spin in body axes, NaN for a body
 * that is not turned; so is a position that follows from the velocity alone. */
void dv_model_driven(double time, const double *p, double *positions, double *velocities,
                     double *turns);
void dv_model_surfaces(double time, const double *x, const double *p, const double *v,
                       const double *f, const double *g, double *s, double *speed);
int dv_model_switches(void);
/* Conditions under which contacts are there, which one a contact has or -1, and whether they hold. */
int dv_model_conditions(void);
int dv_model_condition(int contact);
void dv_model_enabled(const double *p, const double *v, double *out);
int dv_model_switch_kind(int function);
void dv_model_gap(int kind, const double *a, const double *b, const double *shape, double *out);
void dv_model_rows(int kind, const double *a, const double *b, const double *shape, double *gap,
                   double *speed, double *bias, double *jacobian, double *frame);
/* A joint between two bodies: the value of its conditions and behind them of its coordinate, if it has one;
 * their biases; and 12 entries of J for each, for velocities and spins in world axes. */
void dv_model_joint(int kind, const double *a, const double *b, const double *fitting, double *value,
                    double *bias, double *jacobian);
/* Whether the gap of a pair of shapes is the distance of two points less their first two numbers. */
int dv_model_is_round(int kind);
double dv_model_friction(int law, double slip_speed, const double *p);
/* Depths; `forces` are the normal force and friction of each contact, if they are used. */
void dv_model_properties(double time, const double *x, const double *p, const double *forces,
                         double *out);
/* Whether loads depend on neither time nor state. */
int dv_model_constant_loads(void);
/* Until when each property is asked for. */
void dv_model_ends(const double *p, double *out);
int dv_model_uses_forces(void);

#ifdef __cplusplus
}
#endif
#endif
