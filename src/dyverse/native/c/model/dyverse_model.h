/* One model as C: what a program, an FMU or an S-function needs of it, and nothing else.
 *
 * A model has settings (parameters, and ports that the outside feeds), a state x, and outputs. It can
 * be followed in two ways. Either it steps by itself, dyverse_advance, with all events located; or
 * the caller integrates: dyverse_derivatives and dyverse_indicators at any (t, x), and at each change
 * of an indicator's sign dyverse_update, which takes all jumps of that instant.
 *
 *     dyverse_model *m = dyverse_create();
 *     dyverse_set(m, dyverse_find(m->facts->settings, "e"), 0.7);
 *     if (dyverse_begin(m, 0.0) == DYVERSE_OK && dyverse_advance(m, 2.0) == DYVERSE_OK) ...
 *     dyverse_destroy(m);
 *
 * Models share nothing: each belongs to one thread at a time, and there may be any number of them.
 * Units are SI. C99 and libm are all that is needed.
 */
#ifndef DYVERSE_MODEL_H
#define DYVERSE_MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    DYVERSE_OK = 0,
    DYVERSE_EVENT = 1,   /* stopped at an event, before the time that was asked for */
    DYVERSE_ENDED = 2,   /* the run cannot go on; dyverse_message says why */
    DYVERSE_REFUSED = 3, /* a number that cannot be, or a call at the wrong time; nothing has changed */
    DYVERSE_FAILED = 4   /* no memory */
} dyverse_status;

/* What a setting is: a number that must be chosen before a run begins, one that may change in it, a
 * port, which the outside feeds at all times, or the seed of draws among enabled edges: a whole number,
 * chosen before a run begins; -1 for the first in order. */
enum { DYVERSE_FIXED = 0, DYVERSE_TUNABLE = 1, DYVERSE_PORT = 2, DYVERSE_SEED = 3 };

/* What an output tells. */
enum {
    DYVERSE_STATE = 0,     /* an entry of x */
    DYVERSE_ENERGY = 1,    /* of motion, gravity and springs, J */
    DYVERSE_EVENTS = 2,    /* how many there have been */
    DYVERSE_IMPACTS = 3,   /* the same for impacts */
    DYVERSE_LOCATION = 4,  /* of one automaton: the number of its place, from 0 */
    DYVERSE_MODE = 5,      /* of one contact: 0 open, 1 stick, 2 transition, 3 slip */
    DYVERSE_GAP = 6,       /* of one contact, m */
    DYVERSE_NORMAL = 7,    /* normal force of one contact, N */
    DYVERSE_FRICTION = 8   /* friction of one contact, N */
};

typedef struct {
    const char *name;
    const char *unit; /* or "" */
    double value;     /* at the start, unless it is set */
    double low, high; /* where it is meant to be; infinite if nothing is said */
    int kind;
    int index;        /* of outputs: which entry of x, contact or automaton */
    double nominal;   /* of states: what an absolute tolerance is relative to */
} dyverse_quantity;

/* What never changes. */
typedef struct {
    const char *name;
    const char *identity;  /* the same for the same model and version */
    double horizon;        /* how long a run is meant to last, s */
    int settings, states, outputs, indicators;
    const dyverse_quantity *setting, *state, *output;
} dyverse_facts;

typedef struct dyverse_model dyverse_model;

const dyverse_facts *dyverse_describe(void);
/* Which of `count` quantities has this name; -1 if none. */
int dyverse_find(const dyverse_quantity *quantities, int count, const char *name);

dyverse_model *dyverse_create(void); /* NULL: no memory */
void dyverse_destroy(dyverse_model *model);

/* Settings, by number. Those that are DYVERSE_FIXED can be set before a run begins only. */
dyverse_status dyverse_set(dyverse_model *model, int setting, double value);
double dyverse_get(const dyverse_model *model, int setting);
/* Begin a run elsewhere than its settings say. */
dyverse_status dyverse_set_start(dyverse_model *model, int state, double value);
/* Forget all that was set, and the run. */
void dyverse_reset(dyverse_model *model);

/* Begin a run: the state is that of the start, and the jumps of its first instant are taken. */
dyverse_status dyverse_begin(dyverse_model *model, double time);
/* Go on to `until`, through all events; or to the first event, if it comes before. */
dyverse_status dyverse_advance(dyverse_model *model, double until);
dyverse_status dyverse_advance_to_event(dyverse_model *model, double until);

/* Where the run is, or was put last: before it begins, where it would. */
double dyverse_time(const dyverse_model *model);
void dyverse_state(const dyverse_model *model, double *x);
/* Put it elsewhere, inside its present location. */
dyverse_status dyverse_put(dyverse_model *model, double time, const double *x);
dyverse_status dyverse_derivatives(dyverse_model *model, double *rates);
/* Signals that are positive as long as the location lasts. */
dyverse_status dyverse_indicators(dyverse_model *model, double *signals);
/* Take the jumps of this instant, if there are some; tells whether x has changed. */
dyverse_status dyverse_update(dyverse_model *model, int *changed);
/* A step has been accepted here: whether dyverse_update is wanted, because x has drifted. */
dyverse_status dyverse_accept(dyverse_model *model, int *update);

/* Outputs where the run is. */
dyverse_status dyverse_output(dyverse_model *model, int output, double *value);

/* Derivatives, and outputs, along a direction of states and settings, exactly, in the present location;
 * DYVERSE_REFUSED where there is no formula: for forces of contacts that share a load in more than one
 * way, as four corners of a box do, and for a motion that depends on them, or where a run slides along a
 * switching surface. */
dyverse_status dyverse_slopes(dyverse_model *model, const double *dx, const double *dsettings,
                              double *slopes);
dyverse_status dyverse_output_slope(dyverse_model *model, int output, const double *dx,
                                    const double *dsettings, double *slope);

/* A run in memory of the caller, dyverse_saved_size bytes; any model of the same kind may go on. */
size_t dyverse_saved_size(const dyverse_model *model);
dyverse_status dyverse_save(const dyverse_model *model, void *memory, size_t size);
dyverse_status dyverse_restore(dyverse_model *model, const void *memory, size_t size);

/* Why the last call did not end with DYVERSE_OK. */
const char *dyverse_message(const dyverse_model *model);

#ifdef __cplusplus
}
#endif
#endif
