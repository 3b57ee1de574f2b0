/* The native engine of hand-written automata and networks: a run event by event, as compiled C.
 *
 * What the user wrote comes as generated functions (rates, depths of guards, resets) and as tables
 * that say which function belongs where and which numbers it takes; this runtime is the same for all
 * models. Parameters, starts and ranges are numbers: one library serves all settings. It needs C99
 * and libm, has no globals, and says what went wrong by a code. One engine belongs to one thread at
 * a time. A hand-written automaton is a network with one component.
 *
 * Every number that a generated function may take has a place on the board:
 *   time | x | parameters | dx/dt | d²x/dt² | 1 or 0 for some places | values of functions that
 *   switch | local variables of nodes
 */
#ifndef DYVERSE_AUTOMATA_H
#define DYVERSE_AUTOMATA_H

#include "../dyverse.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DA_VERSION 4

/* What happens at zero depth: see dyverse.automaton.guard.robustness and dyverse.expr.value.holds. */
enum { DA_WEAK = 0, DA_STRICT = 1, DA_REACHED = 2, DA_CLOSED = 3 };

/* Kinds of events in arrays: these, then the actions of the model. */
enum { DA_NO_EVENT = 0, DA_GRAZE = 1 };

typedef void (*da_function)(const double *in, double *out);

/* Tables of the model; they must outlive the engine. A piece is a use of a generated function: which
 * one, which places of the board it takes, and where its results belong. Positions of a component
 * are numbers of places; behind them come the entrances, then the exits, of nodes. */
typedef struct {
    int variables, parameters, components, places, edges, channels, nodes, locals, shown;
    int watches, pieces, properties, switches;
    int sequential; /* whether a receiver sees what the sender has assigned */
    int doubts;     /* whether some edge may lead where an invariant does not hold */
    int ranged;     /* whether assignments must keep to the ranges of variables */
    int board, widest; /* places on the board; most places that a piece takes or gives */
    const int *piece_function, *piece_first, *pick; /* pick[piece_first[k]] … of piece k */
    const int *piece_out, *piece_target, *target;   /* how many results; target[piece_target[k]] … */
    const int *piece_steady;                        /* whether it takes parameters alone */
    const int *place_rate, *place_second;           /* pieces, or -1 */
    const int *place_invariant;                     /* a watch, or -1 */
    const int *place_urgent, *place_committed;
    const int *leaving_first, *leaving; /* edges by position: places, then exits of nodes */
    const int *edge_component, *edge_target, *edge_reset, *edge_channel, *edge_sends;
    const int *edge_rank, *edge_channel_rank, *edge_kind; /* kind 0: without a name */
    const int *edge_urgent, *edge_called; /* by itself or by its channel; has a host's procedure, */
    const int *edge_asks; /* which has a condition */
    const int *edge_doubtful; /* whether jumps with it are looked at from behind before they are taken */
    const int *channel_broadcast;
    /* Watches: guards by the number of their edge, then invariants, then properties. */
    const int *watch_sample, *watch_second, *watch_plain; /* plain: read as numbers, not from now on */
    const int *watch_first, *sense, *decided;             /* of atoms; decided: time cannot change it */
    const int *watch_program, *program; /* postfix: an atom, or -1 (and) or -2 (or) and a count */
    const int *node_enter, *node_sweep, *node_test, *node_leave, *node_most, *node_local;
    const int *node_called; /* whether the host passes through it */
    const int *shown_component, *shown_place;
    const int *variable_whole, *variable_runs; /* takes whole numbers; runs at rate 1 by itself */
    const int *variable_timed; /* always runs at rate 1 or stands still */
    /* Functions of rates that switch (../switches.h): where their values are on the board, a piece for
     * the switching function and its rate, and which ones each place has. */
    const int *switch_kind, *switch_slot, *switch_sample, *place_switch_first, *place_switch;
} da_structure;

/* Whether time may pass while edges are enabled: see dyverse.automaton.guard.waiting. */
enum { DA_NEVER, DA_LAST, DA_FREE };

/* What only the host's language can say; functions that are not needed are NULL. They are called in
 * the thread that runs the engine. A number below -1 ends the run as DV_HOST. */
typedef struct {
    void *of;
    /* Which of `count` moves (see da_move) to take, or -1 to let time pass, if `delay` allows. */
    int (*choose)(void *of, int count, int delay);
    /* Whether the procedure of an edge allows it in the present state. */
    int (*allows)(void *of, int edge);
    /* The changes of a procedure where the variables are x: 0 for a fault. It may be asked for jumps
     * that are not taken. */
    int (*apply)(void *of, int edge, const double *x, double *fresh, int *changed);
    /* Through a node: x and local variables after it; 0, or what da_visit calls a failure. */
    int (*visit)(void *of, int node, double *x, double *locals, double *sweeps_and_residual);
} da_host;

typedef struct da_engine da_engine;

/* Variables that move by laws of their own, such as those of rigid bodies: the first ones of x.
 * Edges read them and do not assign them; their jumps come before those of edges. */
typedef struct {
    void *of;
    int most; /* signals that it watches at once, at most */
    /* Begin anew, with so many numbers of its own. */
    int numbers;
    void (*start)(void *of, double time, const double *numbers, const double *x);
    /* Rates and second rates of its variables in its present location. */
    void (*rates)(void *of, double time, const double *x, double *rates, double *seconds);
    /* What else limits a step, and how fast its rates pull together: see ../steps.h. The last rates
     * were those of the end of the step. */
    double (*step_error)(void *of, const double *error);
    double (*relaxation)(void *of);
    /* How many signals it watches there; their floors (see dyverse.flow.events), and which have no
     * near misses. */
    int (*signals)(void *of, double *floors, int *quiet);
    /* Their values and rates; a rate may be NaN. */
    void (*watch)(void *of, double time, const double *x, double *values, double *rates);
    /* A stretch of time begins: which signals rest. */
    void (*begin)(void *of, double time, const double *x, int *resting);
    /* Move x back onto its constraints; whether it was so far from them that it has moved. */
    int (*settle)(void *of, double *x, int always);
    /* Take one jump, if there is one to take. */
    dv_code (*jump)(void *of, double time, double *x, int *taken);
    /* Whether there is one. */
    int (*enabled)(void *of, double time, const double *x);
    /* Whether it gives a signal: its channel, or -1 if nobody ever hears it. */
    int (*gives)(void *of, int *channel);
    /* Functions of its rates that switch, if there are some; see ../switches.h. */
    int switches;
    const int *switch_kind;
    void (*take)(void *of, const double *values);
    void (*surfaces)(void *of, double time, const double *x, const double *f, double *s,
                     double *speed);
    /* Its part of a run that is saved. */
    unsigned long (*saved_size)(void *of);
    void (*save)(void *of, void *memory);
    void (*restore)(void *of, const void *memory);
    void (*destroy)(void *of);
} da_outsider;

int da_version(void);
dv_code da_create(const da_structure *structure, const dv_options *options, da_engine **engine);
/* The same with variables from outside, which the engine destroys with itself. */
dv_code da_create_with(const da_structure *structure, const dv_options *options,
                       const da_outsider *outside, da_engine **engine);
void da_destroy(da_engine *engine);
/* Parameters, then the least and the greatest value of each variable, then the ends of properties. */
int da_number_count(const da_structure *structure);
void da_set_numbers(da_engine *engine, const double *numbers);
void da_set_state(da_engine *engine, double time, const double *x, const int *positions);

void da_set_host(da_engine *engine, const da_host *host);

dv_code da_run(da_engine *engine, double until);

/* As in ../dyverse.h. Signals are those of da_columns, and 1 up to da_indicator_count. */
dv_code da_derivatives(da_engine *engine, double time, const double *x, double *rate);
int da_indicator_count(const da_engine *engine);
dv_code da_indicators(da_engine *engine, double time, const double *x, double *signals);
dv_code da_event_update(da_engine *engine);
dv_code da_step(da_engine *engine, double until);
dv_code da_set_off(da_engine *engine);
void da_pass_by(da_engine *engine, double time, const double *x);
dv_code da_arrive_at(da_engine *engine, double time, const double *x);

/* The whole run so far, with bodies if there are some, in memory of the caller, da_saved_size bytes;
 * an engine of the same model and options takes it back. */
unsigned long da_saved_size(da_engine *engine);
void da_save(da_engine *engine, void *memory);
void da_restore(da_engine *engine, const void *memory);

/* Where a run that stopped can go on: whether the jumps of its instant are taken; whether a stretch
 * of time goes on, since when, and what was decided where it began: which signals rest and which are
 * turned around, from where equalities are reached (per atom), which edges were left behind. */
typedef struct {
    int settled, flowing, waiting;
    double since, tick_begin;
    long ticks;
    int *resting, *turned; /* per signal, as da_columns tells them */
    double *approach;
    int *behind; /* per edge */
    int sides;   /* functions that switch, and their values in this stretch; NaN: they slide */
    double *side_values;
} da_memory;
/* The signals that are watched, and who they belong to: an edge, an invariant's watch, or the number
 * of one outside. How many there are. */
enum { DA_ALONE, DA_SENDER, DA_HEARD, DA_INVARIANT, DA_URGENT, DA_OUTSIDE };
int da_columns(da_engine *engine, int waiting, int *kinds, int *watches);
/* Into arrays of the caller; and back, after da_set_state, da_keep_log and da_columns. */
void da_get_memory(const da_engine *engine, da_memory *memory);
void da_go_on(da_engine *engine, const da_memory *memory);
/* The values of functions that switch in the present stretch of time; how many there are. */
int da_get_sides(const da_engine *engine, double *sides);
/* Why the run cannot go on beyond a switch (../switches.h), when switches accumulate, and which of
 * these functions are part of it. */
int da_switching(const da_engine *engine, int *functions, double *end);
/* Whether a stretch of time goes on. */
int da_is_flowing(const da_engine *engine);

/* The present state, and the edges of one of the moves that may be taken in it, or with -1 of the
 * one that was chosen: their number. */
void da_get_state(const da_engine *engine, double *x);
int da_move(const da_engine *engine, int move, int *edges);

double da_time(const da_engine *engine);
/* The last state that was recorded: at the end of an arc, after a node, or where a run rests. */
void da_get_final(const da_engine *engine, double *x);
void da_get_positions(const da_engine *engine, int *positions);
long da_events(const da_engine *engine);
/* What stopped the run: watched signals that crossed (their number is returned), or, of the solver,
 * a reason (0 at the start, 1 after a step, 2 step too short) and a variable or -1. */
int da_crossed(const da_engine *engine, int *signals);
void da_failure(const da_engine *engine, int *reason, int *variable);

/* The log: a stream of records, see ../record.h. It grows as needed; taking it begins it again. */
void da_keep_log(da_engine *engine, int keep);
long da_log_used(const da_engine *engine);
void da_take_log(da_engine *engine, double *out);

/* As DV_N_EVENTS and so on. */
void da_counts(const da_engine *engine, long *counts);

/* Many runs: arrays with a row for each. */
typedef struct {
    const double *numbers, *starts;
    const double *outside; /* numbers of what is outside, if there is something */
    const int *positions; /* the same for all */
    int *codes;
    double *times, *finals;
    int *locations;
    long long *counts; /* events */
    unsigned long long *paths;
    int room; /* events kept per run */
    double *event_times;
    int *event_kinds, *event_edges; /* of bodies: minus DV_IMPACT and so on, and contacts */
    double *least, *least_at, *failed_at;
} da_runs;
/* Rows `from` to before `to`, each to `until`. Returns `to`, or the row at which max_steps were used
 * up: call again from there with `resume`. */
long da_run_rows(da_engine *engine, const da_runs *rows, long from, long to, int resume,
                 double until);

/* ---- generated with the model ---- */
extern const da_function da_model_functions[];

#ifdef __cplusplus
}
#endif
#endif
