/* The native engine of hand-written automata and networks: a run event by event, as compiled C.
 *
 * What the user wrote comes as generated functions (rates, depths of guards, resets) and as tables
 * that say which function belongs where and which numbers it takes; this runtime is the same for all
 * models. Parameters, starts and ranges are numbers: one library serves all settings. It needs C99
 * and libm, has no globals, and says what went wrong by a code. One engine belongs to one thread at
 * a time. A hand-written automaton is a network with one component.
 *
 * Every number that a generated function may take has a place on the board:
 *   time | x | parameters | dx/dt | d²x/dt² | 1 or 0 for some places | local variables of nodes
 */
#ifndef DYVERSE_AUTOMATA_H
#define DYVERSE_AUTOMATA_H

#ifdef __cplusplus
extern "C" {
#endif

#define DA_VERSION 1
#define DA_POINTS 65 /* samples per step in the search for events, at most */

typedef enum {
    DA_OK = 0,
    DA_EVENT = 1,
    DA_HORIZON = 2,
    DA_PAUSED = 4, /* as many steps as one call may take: call again */
    DA_MAX_EVENTS = 5,
    DA_NOT_CONVERGED = 6, /* a computation node found no answer */
    DA_LIVELOCK = 8,      /* jumps without end in one instant, or arcs without time */
    DA_DEADLOCK = 9,      /* no edge to take and no time may pass */
    DA_SOLVER = 10,       /* the integrator cannot go on */
    DA_UNDEFINED = 11,    /* a watched signal is not a number */
    DA_TIMELOCK = 14,     /* as deadlock, and it is an invariant or an urgent place that forbids it */
    DA_FAULT = 15,        /* an assignment that a variable cannot take */
    DA_NO_MEMORY = 20
} da_code;

/* What happens at zero depth: see dyverse.automaton.robustness and dyverse.expr.value.holds. */
enum { DA_WEAK = 0, DA_STRICT = 1, DA_REACHED = 2 };

/* Kinds of events in arrays: these, then the actions of the model. */
enum { DA_NO_EVENT = 0, DA_GRAZE = 1 };

typedef void (*da_function)(const double *in, double *out);

/* Tables of the model; they must outlive the engine. A piece is a use of a generated function: which
 * one, which places of the board it takes, and where its results belong. Positions of a component
 * are numbers of places; behind them come the entrances, then the exits, of nodes. */
typedef struct {
    int variables, parameters, components, places, edges, channels, nodes, locals, shown;
    int watches, pieces, properties;
    int sequential; /* whether a receiver sees what the sender has assigned */
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
    const int *channel_broadcast;
    /* Watches: guards by the number of their edge, then invariants, then properties. */
    const int *watch_sample, *watch_second, *watch_plain; /* plain: read as numbers, not from now on */
    const int *watch_first, *sense, *decided;             /* of atoms; decided: time cannot change it */
    const int *watch_program, *program; /* postfix: an atom, or -1 (and) or -2 (or) and a count */
    const int *node_enter, *node_sweep, *node_test, *node_leave, *node_most, *node_local;
    const int *shown_component, *shown_place;
    const int *variable_whole, *variable_runs; /* takes whole numbers; runs at rate 1 by itself */
} da_structure;

typedef struct {
    double margin, hop; /* dyverse.automaton.compiled */
    double relative, absolute, longest_step;
    double together, graze, depth, lift; /* dyverse.flow.events.Detection */
    int points;
    int max_events, max_jumps, max_steps; /* of a run, an instant, a call; 0 steps: no limit */
    int idle; /* arcs without time before a run is taken to be stuck */
} da_options;

typedef struct da_engine da_engine;

int da_version(void);
da_code da_create(const da_structure *structure, const da_options *options, da_engine **engine);
void da_destroy(da_engine *engine);
/* Parameters, then the least and the greatest value of each variable, then the ends of properties. */
int da_number_count(const da_structure *structure);
void da_set_numbers(da_engine *engine, const double *numbers);
void da_set_state(da_engine *engine, double time, const double *x, const int *positions);

da_code da_run(da_engine *engine, double until);

double da_time(const da_engine *engine);
/* The last state that was recorded: at the end of an arc, after a node, or where a run rests. */
void da_get_final(const da_engine *engine, double *x);
void da_get_positions(const da_engine *engine, int *positions);
long da_events(const da_engine *engine);
/* What stopped the run: watched signals that crossed (their number is returned), or, of the solver,
 * a reason (0 at the start, 1 after a step, 2 step too short) and a variable or -1. */
int da_crossed(const da_engine *engine, int *signals);
void da_failure(const da_engine *engine, int *reason, int *variable);

/* The log: a stream of records, see log.c. It grows as needed; taking it begins it again. */
void da_keep_log(da_engine *engine, int keep);
long da_log_used(const da_engine *engine);
void da_take_log(da_engine *engine, double *out);

/* Counts since da_set_state: steps, rejected steps, rates, jumps. */
enum { DA_N_STEPS, DA_N_REJECTED, DA_N_RATES, DA_N_JUMPS, DA_COUNTS };
void da_counts(const da_engine *engine, long *counts);

/* Many runs: arrays with a row for each. */
typedef struct {
    const double *numbers, *starts;
    const int *positions; /* the same for all */
    int *codes;
    double *times, *finals;
    int *locations;
    long long *counts; /* events */
    unsigned long long *paths;
    int room; /* events kept per run */
    double *event_times;
    int *event_kinds, *event_edges;
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
