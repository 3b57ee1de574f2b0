/* A model as an FMU of version 3.0, for Model Exchange and for Co-Simulation with event mode. */
#include "fmi3.h"

#include <stdlib.h>

#include "instance.h"

typedef struct {
    fmi_instance own; /* first, so that one is the other */
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback intermediate; /* or NULL */
    int steps;  /* whether it is for Co-Simulation */
    int events; /* whether the caller wants to hear of events */
    int early;  /* whether a step may end at one */
} f_instance;

static void f_log(fmi_instance *own, fmi_status status, const char *message) {
    f_instance *f = (f_instance *)(void *)own;
    if (f->log)
        f->log(f->environment, (fmi3Status)status,
               status >= FMI_ERROR ? "logStatusError" : "logStatusDiscard", message);
}

/* There are no variables of other types. */
static fmi3Status f_none(fmi3Instance c, size_t count) {
    if (!fmi_may(c, FMI_ANY)) return fmi3Error;
    return count ? (fmi3Status)fmi_complain(c, FMI_ERROR, "there is no such variable") : fmi3OK;
}

FMI3_FUNCTION(const char *, fmi3GetVersion, (void)) {
    return "3.0";
}

FMI3_FUNCTION(fmi3Status, fmi3SetDebugLogging,
              (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])) {
    (void)on;
    (void)count;
    (void)categories;
    return c ? fmi3OK : fmi3Error; /* what is told is told anyway: it is little */
}

static f_instance *f_make(fmi3String name, fmi3String token, fmi3InstanceEnvironment environment,
                          fmi3LogMessageCallback log) {
    if (!name || !token) return NULL;
    f_instance *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->environment = environment;
    f->log = log;
    f->own.log = f_log;
    if (fmi_begin(&f->own, name, token)) return f;
    FMI3(fmi3FreeInstance)(f);
    return NULL;
}

FMI3_FUNCTION(fmi3Instance, fmi3InstantiateModelExchange,
              (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
               fmi3Boolean logging, fmi3InstanceEnvironment environment,
               fmi3LogMessageCallback log)) {
    (void)resources;
    (void)visible;
    (void)logging;
    return f_make(name, token, environment, log);
}

FMI3_FUNCTION(fmi3Instance, fmi3InstantiateCoSimulation,
              (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
               fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
               const fmi3ValueReference required[], size_t count,
               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
               fmi3IntermediateUpdateCallback intermediate)) {
    (void)resources;
    (void)visible;
    (void)logging;
    (void)required; /* all variables can be read then */
    (void)count;
    f_instance *f = f_make(name, token, environment, log);
    if (!f) return NULL;
    f->steps = 1;
    f->events = events;
    f->early = early;
    f->intermediate = intermediate;
    return f;
}

FMI3_FUNCTION(fmi3Instance, fmi3InstantiateScheduledExecution,
              (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
               fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
               fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
               fmi3UnlockPreemptionCallback unlock)) {
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)logging;
    (void)environment;
    (void)log;
    (void)clock;
    (void)lock;
    (void)unlock;
    return NULL; /* there are no clocks */
}

FMI3_FUNCTION(void, fmi3FreeInstance, (fmi3Instance c)) {
    f_instance *f = c;
    if (f) fmi_end(&f->own);
    free(f);
}

FMI3_FUNCTION(fmi3Status, fmi3EnterInitializationMode,
              (fmi3Instance c, fmi3Boolean tolerant, fmi3Float64 tolerance, fmi3Float64 start,
               fmi3Boolean stops, fmi3Float64 stop)) {
    fmi_instance *f = c;
    (void)tolerant;
    (void)tolerance; /* ours are finer than any that is asked for */
    (void)stops;
    (void)stop;
    if (!fmi_may(f, FMI_MADE)) return fmi3Error;
    f->life.start = start;
    return (fmi3Status)fmi_enter_initialization(f);
}

FMI3_FUNCTION(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance c)) {
    f_instance *f = c;
    if (!f) return fmi3Error;
    fmi_mode next = f->steps && !f->events ? FMI_STEPPING : FMI_EVENT;
    return (fmi3Status)fmi_exit_initialization(&f->own, next);
}

FMI3_FUNCTION(fmi3Status, fmi3EnterEventMode, (fmi3Instance c)) {
    f_instance *f = c;
    int from = f && f->steps ? (f->events ? FMI_STEPPING | FMI_EVENT : 0) : FMI_CONTINUOUS | FMI_EVENT;
    return (fmi3Status)fmi_change(c, from, FMI_EVENT);
}

FMI3_FUNCTION(fmi3Status, fmi3Terminate, (fmi3Instance c)) {
    return (fmi3Status)fmi_change(c, FMI_BEGUN, FMI_OVER);
}

FMI3_FUNCTION(fmi3Status, fmi3Reset, (fmi3Instance c)) {
    return (fmi3Status)fmi_reset(c);
}

FMI3_GET(fmi3GetFloat64, fmi3Float64) {
    if (!fmi_may(c, FMI_ANY) || values != count) return fmi3Error;
    return (fmi3Status)fmi_read_reals(c, vr, count, value);
}

FMI3_SET(fmi3SetFloat64, fmi3Float64) {
    int fits = fmi_may(c, FMI_ANY & ~FMI_OVER) && values == count;
    fmi_status status = fits ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++) status = fmi_write(c, vr[i], 0, value[i]);
    return (fmi3Status)status;
}

/* Seeds, counts, locations and modes: enumerations are 64 bits wide. */
FMI3_GET(fmi3GetInt64, fmi3Int64) {
    fmi_status status = fmi_may(c, FMI_ANY) && values == count ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++) {
        double number = 0.0;
        status = fmi_read(c, vr[i], 1, &number);
        value[i] = (fmi3Int64)number;
    }
    return (fmi3Status)status;
}

FMI3_SET(fmi3SetInt64, fmi3Int64) {
    int fits = fmi_may(c, FMI_ANY & ~FMI_OVER) && values == count;
    fmi_status status = fits ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++)
        status = fmi_write(c, vr[i], 1, (double)value[i]);
    return (fmi3Status)status;
}

#define F_NO_GET(name, type)                                                                       \
    FMI3_GET(name, type) {                                                                         \
        (void)vr;                                                                                  \
        (void)value;                                                                               \
        (void)values;                                                                              \
        return f_none(c, count);                                                                   \
    }
#define F_NO_SET(name, type) F_NO_GET(name, const type)

F_NO_GET(fmi3GetFloat32, fmi3Float32)
F_NO_GET(fmi3GetInt8, fmi3Int8)
F_NO_GET(fmi3GetUInt8, fmi3UInt8)
F_NO_GET(fmi3GetInt16, fmi3Int16)
F_NO_GET(fmi3GetUInt16, fmi3UInt16)
F_NO_GET(fmi3GetInt32, fmi3Int32)
F_NO_GET(fmi3GetUInt32, fmi3UInt32)
F_NO_GET(fmi3GetUInt64, fmi3UInt64)
F_NO_GET(fmi3GetBoolean, fmi3Boolean)
F_NO_GET(fmi3GetString, fmi3String)
F_NO_SET(fmi3SetFloat32, fmi3Float32)
F_NO_SET(fmi3SetInt8, fmi3Int8)
F_NO_SET(fmi3SetUInt8, fmi3UInt8)
F_NO_SET(fmi3SetInt16, fmi3Int16)
F_NO_SET(fmi3SetUInt16, fmi3UInt16)
F_NO_SET(fmi3SetInt32, fmi3Int32)
F_NO_SET(fmi3SetUInt32, fmi3UInt32)
F_NO_SET(fmi3SetUInt64, fmi3UInt64)
F_NO_SET(fmi3SetBoolean, fmi3Boolean)
F_NO_SET(fmi3SetString, fmi3String)

FMI3_FUNCTION(fmi3Status, fmi3GetBinary,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, size_t sizes[],
               fmi3Binary value[], size_t values)) {
    (void)vr;
    (void)sizes;
    (void)value;
    (void)values;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetBinary,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, const size_t sizes[],
               const fmi3Binary value[], size_t values)) {
    (void)vr;
    (void)sizes;
    (void)value;
    (void)values;
    return f_none(c, count);
}

/* Every unknown may depend on everything. */
FMI3_FUNCTION(fmi3Status, fmi3GetNumberOfVariableDependencies,
              (fmi3Instance c, fmi3ValueReference vr, size_t *count)) {
    (void)vr;
    (void)count;
    return f_none(c, 1);
}

FMI3_FUNCTION(fmi3Status, fmi3GetVariableDependencies,
              (fmi3Instance c, fmi3ValueReference vr, size_t of[], fmi3ValueReference on[],
               size_t elements[], fmi3DependencyKind kinds[], size_t count)) {
    (void)vr;
    (void)of;
    (void)on;
    (void)elements;
    (void)kinds;
    (void)count;
    return f_none(c, 1);
}

FMI3_FUNCTION(fmi3Status, fmi3GetFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    return (fmi3Status)fmi_save(c, state);
}

FMI3_FUNCTION(fmi3Status, fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state)) {
    return (fmi3Status)fmi_restore(c, state);
}

FMI3_FUNCTION(fmi3Status, fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    return (fmi3Status)fmi_free(c, state);
}

FMI3_FUNCTION(fmi3Status, fmi3SerializedFMUStateSize,
              (fmi3Instance c, fmi3FMUState state, size_t *size)) {
    return (fmi3Status)fmi_serialized_size(c, state, size);
}

FMI3_FUNCTION(fmi3Status, fmi3SerializeFMUState,
              (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)) {
    return (fmi3Status)fmi_serialize(c, state, (char *)bytes, size);
}

FMI3_FUNCTION(fmi3Status, fmi3DeserializeFMUState,
              (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)) {
    return (fmi3Status)fmi_deserialize(c, (const char *)bytes, size, state);
}

FMI3_FUNCTION(fmi3Status, fmi3GetDirectionalDerivative,
              (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
               const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
               size_t seeds, fmi3Float64 out[], size_t outs)) {
    if (seeds != knowns || outs != unknowns) return f_none(c, 1);
    return (fmi3Status)fmi_directional(c, unknown, unknowns, known, knowns, seed, out);
}

FMI3_FUNCTION(fmi3Status, fmi3GetAdjointDerivative,
              (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
               const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
               size_t seeds, fmi3Float64 out[], size_t outs)) {
    (void)unknown;
    (void)unknowns;
    (void)known;
    (void)knowns;
    (void)seed;
    (void)seeds;
    (void)out;
    (void)outs;
    return f_none(c, 1);
}

FMI3_FUNCTION(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance c)) {
    return f_none(c, 1); /* there are no structural parameters */
}

FMI3_FUNCTION(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance c)) {
    return f_none(c, 1);
}

FMI3_FUNCTION(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance c)) {
    return fmi_may(c, FMI_EVENT | FMI_INITIALIZING) ? fmi3OK : fmi3Error;
}

FMI3_FUNCTION(fmi3Status, fmi3UpdateDiscreteStates,
              (fmi3Instance c, fmi3Boolean *again, fmi3Boolean *over, fmi3Boolean *nominals,
               fmi3Boolean *moved, fmi3Boolean *timed, fmi3Float64 *next)) {
    int changed = 0, ended = 0;
    if (!fmi_may(c, FMI_EVENT) || !again || !over || !nominals || !moved || !timed || !next)
        return fmi3Error;
    fmi_status status = fmi_update(c, &changed, &ended);
    *again = *nominals = *timed = false;
    *over = ended != 0;
    *moved = changed != 0;
    *next = 0.0;
    return (fmi3Status)status;
}

/* ---- Model Exchange ---- */

FMI3_FUNCTION(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance c)) {
    f_instance *f = c;
    return (fmi3Status)fmi_change(c, f && f->steps ? 0 : FMI_EVENT | FMI_CONTINUOUS,
                                  FMI_CONTINUOUS);
}

FMI3_FUNCTION(fmi3Status, fmi3CompletedIntegratorStep,
              (fmi3Instance c, fmi3Boolean no_return, fmi3Boolean *event, fmi3Boolean *over)) {
    int wanted = 0, ended = 0;
    (void)no_return;
    if (!fmi_may(c, FMI_CONTINUOUS) || !event || !over) return fmi3Error;
    fmi_status status = fmi_accept(c, &wanted, &ended);
    *event = wanted != 0;
    *over = ended != 0;
    return (fmi3Status)status;
}

FMI3_FUNCTION(fmi3Status, fmi3SetTime, (fmi3Instance c, fmi3Float64 time)) {
    f_instance *f = c;
    int modes = f && f->steps ? 0 : FMI_EVENT | FMI_CONTINUOUS;
    return fmi_may(c, modes) ? (fmi3Status)fmi_put_time(c, time) : fmi3Error;
}

FMI3_FUNCTION(fmi3Status, fmi3SetContinuousStates,
              (fmi3Instance c, const fmi3Float64 x[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_CONTINUOUS) || !fmi_fits(f, count, dyverse_describe()->states))
        return fmi3Error;
    return (fmi3Status)fmi_told(f, dyverse_put(f->model, dyverse_time(f->model), x), FMI_DISCARD);
}

FMI3_FUNCTION(fmi3Status, fmi3GetContinuousStateDerivatives,
              (fmi3Instance c, fmi3Float64 rates[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_BEGUN) || !fmi_fits(f, count, dyverse_describe()->states)) return fmi3Error;
    return (fmi3Status)fmi_told(f, dyverse_derivatives(f->model, rates), FMI_DISCARD);
}

FMI3_FUNCTION(fmi3Status, fmi3GetEventIndicators,
              (fmi3Instance c, fmi3Float64 z[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_BEGUN) || !fmi_fits(f, count, dyverse_describe()->indicators))
        return fmi3Error;
    return (fmi3Status)fmi_told(f, dyverse_indicators(f->model, z), FMI_DISCARD);
}

FMI3_FUNCTION(fmi3Status, fmi3GetContinuousStates,
              (fmi3Instance c, fmi3Float64 x[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_INITIALIZING | FMI_BEGUN) ||
        !fmi_fits(f, count, dyverse_describe()->states))
        return fmi3Error;
    dyverse_state(f->model, x);
    return fmi3OK;
}

FMI3_FUNCTION(fmi3Status, fmi3GetNominalsOfContinuousStates,
              (fmi3Instance c, fmi3Float64 nominal[], size_t count)) {
    if (!fmi_may(c, FMI_ANY) || !fmi_fits(c, count, dyverse_describe()->states)) return fmi3Error;
    for (size_t i = 0; i < count; i++) nominal[i] = dyverse_describe()->state[i].nominal;
    return fmi3OK;
}

FMI3_FUNCTION(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t *count)) {
    if (!fmi_may(c, FMI_ANY) || !count) return fmi3Error;
    *count = (size_t)dyverse_describe()->indicators;
    return fmi3OK;
}

FMI3_FUNCTION(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t *count)) {
    if (!fmi_may(c, FMI_ANY) || !count) return fmi3Error;
    *count = (size_t)dyverse_describe()->states;
    return fmi3OK;
}

/* ---- Co-Simulation ---- */

FMI3_FUNCTION(fmi3Status, fmi3EnterStepMode, (fmi3Instance c)) {
    f_instance *f = c;
    int modes = f && f->steps && f->events ? FMI_EVENT | FMI_STEPPING : 0;
    return (fmi3Status)fmi_change(c, modes, FMI_STEPPING);
}

FMI3_FUNCTION(fmi3Status, fmi3GetOutputDerivatives,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, const fmi3Int32 order[],
               fmi3Float64 value[], size_t values)) {
    (void)vr;
    (void)order;
    (void)value;
    (void)values;
    return f_none(c, count);
}

/* Let the caller look at a point inside the step; whether it wants to stop there. */
static int f_show(f_instance *f) {
    fmi3Boolean stop = false;
    double time = dyverse_time(f->own.model), when = time;
    if (!f->intermediate) return 0;
    f->intermediate(f->environment, time, false, true, true, f->early != 0, &stop, &when);
    return stop && f->early && when <= time;
}

FMI3_FUNCTION(fmi3Status, fmi3DoStep,
              (fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_return,
               fmi3Boolean *needs, fmi3Boolean *over, fmi3Boolean *early, fmi3Float64 *last)) {
    f_instance *f = c;
    (void)no_return;
    if (!fmi_may(c, FMI_STEPPING) || !needs || !over || !early || !last) return fmi3Error;
    int returns = f->events && f->early, looks = returns || f->intermediate, event = 0;
    fmi_status status = fmi_step(&f->own, time, step, looks, &event);
    *early = *needs = false;
    while (status == FMI_OK && event && !*early) {
        *needs = returns != 0;
        *early = f_show(f) || returns;
        double now = dyverse_time(f->own.model);
        if (!*early) status = fmi_step(&f->own, now, time + step - now, looks, &event);
    }
    if (status == FMI_OK && !*early) f_show(f);
    *over = f->own.life.ended != 0;
    *last = dyverse_time(f->own.model);
    f->own.life.fresh |= *needs; /* x has changed since the caller saw it last */
    return (fmi3Status)(status == FMI_DISCARD && *over ? FMI_OK : status);
}

FMI3_FUNCTION(fmi3Status, fmi3ActivateModelPartition,
              (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)) {
    (void)clock;
    (void)time;
    return f_none(c, 1);
}

#include "clocks.c"
