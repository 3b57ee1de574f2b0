/* A model as an FMU of version 2.0, for Model Exchange and for Co-Simulation. */
#include "fmi2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "references.h"

/* Where in its life an instance is. */
typedef enum { F_MADE = 1, F_INITIALIZING = 2, F_EVENT = 4, F_CONTINUOUS = 8, F_STEPPING = 16,
               F_OVER = 32 } f_mode;
#define F_BEGUN (F_EVENT | F_CONTINUOUS | F_STEPPING | F_OVER)
#define F_ANY (F_MADE | F_INITIALIZING | F_BEGUN)

typedef struct {
    dyverse_model *model;
    fmi2CallbackFunctions calls;
    char *name;
    fmi2Type type;
    f_mode mode;
    int fresh;     /* whether nobody has asked for the jumps of the first instant yet */
    int ended;
    double start;
    double *x, *rates;
} f_instance;

/* A run in memory; `mode` and so on are the instance's. */
typedef struct {
    f_mode mode;
    int fresh, ended;
    double start;
    size_t size; /* of what follows */
} f_saved;

static void f_log(f_instance *f, fmi2Status status, const char *message) {
    if (f->calls.logger)
        f->calls.logger(f->calls.componentEnvironment, f->name, status,
                        status >= fmi2Error ? "logStatusError" : "logStatusDiscard", "%s", message);
}

static fmi2Status f_complain(f_instance *f, fmi2Status status, const char *message) {
    f_log(f, status, message);
    return status;
}

/* Whether a call may come now. */
static int f_may(f_instance *f, int modes) {
    if (!f) return 0;
    if (((int)f->mode & modes) == 0) f_log(f, fmi2Error, "this call may not come now");
    return ((int)f->mode & modes) != 0;
}

/* What our own status is called, if it is not good: `bad`. */
static fmi2Status f_told(f_instance *f, dyverse_status status, fmi2Status bad) {
    if (status == DYVERSE_OK) return fmi2OK;
    if (status == DYVERSE_FAILED) bad = fmi2Fatal;
    return f_complain(f, bad, dyverse_message(f->model));
}

FMI2_DECLARE(const char *, fmi2GetTypesPlatform, (void)) {
    return "default";
}

FMI2_DECLARE(const char *, fmi2GetVersion, (void)) {
    return "2.0";
}

FMI2_DECLARE(fmi2Status, fmi2SetDebugLogging,
             (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])) {
    (void)on;
    (void)count;
    (void)categories;
    return c ? fmi2OK : fmi2Error; /* what is told is told anyway: it is little */
}

FMI2_DECLARE(fmi2Component, fmi2Instantiate,
             (fmi2String name, fmi2Type type, fmi2String identity, fmi2String resources,
              const fmi2CallbackFunctions *calls, fmi2Boolean visible, fmi2Boolean logging)) {
    const dyverse_facts *facts = dyverse_describe();
    (void)resources;
    (void)visible;
    (void)logging;
    if (!calls || !name || !identity) return NULL;
    f_instance *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->calls = *calls;
    f->type = type;
    f->mode = F_MADE;
    f->name = calloc(strlen(name) + 1, 1);
    f->x = calloc(2 * (size_t)facts->states + 1, sizeof(double));
    f->model = dyverse_create();
    if (f->name) memcpy(f->name, name, strlen(name));
    if (!f->name || !f->x || !f->model || strcmp(identity, facts->identity) != 0) {
        if (f->name) f_log(f, fmi2Error, "no memory, or the identity is that of another model");
        FMI2(fmi2FreeInstance)(f);
        return NULL;
    }
    f->rates = f->x + facts->states;
    return f;
}

FMI2_DECLARE(void, fmi2FreeInstance, (fmi2Component c)) {
    f_instance *f = c;
    if (!f) return;
    dyverse_destroy(f->model);
    free(f->name);
    free(f->x);
    free(f);
}

FMI2_DECLARE(fmi2Status, fmi2SetupExperiment,
             (fmi2Component c, fmi2Boolean tolerant, fmi2Real tolerance, fmi2Real start,
              fmi2Boolean stops, fmi2Real stop)) {
    f_instance *f = c;
    (void)tolerant;
    (void)tolerance; /* ours are finer than any that is asked for */
    (void)stops;
    (void)stop;
    if (!f_may(f, F_MADE)) return fmi2Error;
    if (!isfinite(start)) return f_complain(f, fmi2Error, "the time of the start is not finite");
    f->start = start;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_MADE)) return fmi2Error;
    f->mode = F_INITIALIZING;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_INITIALIZING)) return fmi2Error;
    dyverse_status status = dyverse_begin(f->model, f->start);
    if (status != DYVERSE_OK) return f_told(f, status, fmi2Error);
    f->mode = f->type == fmi2ModelExchange ? F_EVENT : F_STEPPING;
    f->fresh = 1;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2Terminate, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_BEGUN)) return fmi2Error;
    f->mode = F_OVER;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2Reset, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_ANY)) return fmi2Error;
    dyverse_reset(f->model);
    f->mode = F_MADE;
    f->start = 0.0;
    f->fresh = f->ended = 0;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetReal,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[])) {
    f_instance *f = c;
    if (!f_may(f, F_ANY)) return fmi2Error;
    for (size_t i = 0; i < count; i++) {
        if (fmi_is_whole(vr[i])) return f_complain(f, fmi2Error, "not a real variable");
        dyverse_status status =
            fmi_get(f->model, ((int)f->mode & F_BEGUN) != 0, vr[i], f->rates, value + i);
        if (status != DYVERSE_OK) return f_told(f, status, fmi2Discard);
    }
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetInteger,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])) {
    f_instance *f = c;
    if (!f_may(f, F_ANY)) return fmi2Error;
    for (size_t i = 0; i < count; i++) {
        double number;
        if (!fmi_is_whole(vr[i])) return f_complain(f, fmi2Error, "not an integer variable");
        dyverse_status status =
            fmi_get(f->model, ((int)f->mode & F_BEGUN) != 0, vr[i], f->rates, &number);
        if (status != DYVERSE_OK) return f_told(f, status, fmi2Discard);
        value[i] = (int)number;
    }
    return fmi2OK;
}

/* There are no variables of other types, and none of them can be set. */
static fmi2Status f_none(fmi2Component c, size_t count) {
    if (!f_may(c, F_ANY)) return fmi2Error;
    return count ? f_complain(c, fmi2Error, "there is no such variable") : fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetBoolean,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2GetString,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2SetReal,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Real value[])) {
    f_instance *f = c;
    if (!f_may(f, F_ANY & ~F_OVER)) return fmi2Error;
    for (size_t i = 0; i < count; i++) {
        dyverse_status status = fmi_set(f->model, vr[i], value[i]);
        if (status != DYVERSE_OK) return f_told(f, status, fmi2Error);
    }
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2SetInteger,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Integer value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2SetBoolean,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Boolean value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2SetString,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2String value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    f_instance *f = c;
    if (!f_may(f, F_ANY) || !state) return fmi2Error;
    size_t size = dyverse_saved_size(f->model);
    f_saved *saved = *state ? *state : malloc(sizeof(f_saved) + size);
    if (!saved) return f_complain(f, fmi2Fatal, "no memory");
    f_saved own = {f->mode, f->fresh, f->ended, f->start, size};
    memcpy(saved, &own, sizeof own);
    *state = saved;
    return f_told(f, dyverse_save(f->model, saved + 1, size), fmi2Error);
}

FMI2_DECLARE(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state)) {
    f_instance *f = c;
    const f_saved *saved = state;
    if (!f_may(f, F_ANY) || !saved) return fmi2Error;
    dyverse_status status = dyverse_restore(f->model, saved + 1, saved->size);
    if (status != DYVERSE_OK) return f_told(f, status, fmi2Error);
    f->mode = saved->mode;
    f->fresh = saved->fresh;
    f->ended = saved->ended;
    f->start = saved->start;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    if (!f_may(c, F_ANY)) return fmi2Error;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2SerializedFMUstateSize,
             (fmi2Component c, fmi2FMUstate state, size_t *size)) {
    const f_saved *saved = state;
    if (!f_may(c, F_ANY) || !saved || !size) return fmi2Error;
    *size = sizeof(f_saved) + saved->size;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2SerializeFMUstate,
             (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)) {
    const f_saved *saved = state;
    if (!f_may(c, F_ANY) || !saved || size < sizeof(f_saved) + saved->size) return fmi2Error;
    memcpy(bytes, saved, sizeof(f_saved) + saved->size);
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2DeSerializeFMUstate,
             (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)) {
    f_instance *f = c;
    f_saved head;
    if (!f_may(f, F_ANY) || !state) return fmi2Error;
    if (size != sizeof head + dyverse_saved_size(f->model))
        return f_complain(f, fmi2Error, "not a state of this model");
    memcpy(&head, bytes, sizeof head);
    int mode = (int)head.mode;
    if (head.size != size - sizeof head || mode < F_MADE || mode > F_OVER || (mode & (mode - 1)))
        return f_complain(f, fmi2Error, "not a state of this model");
    void *saved = malloc(size);
    if (!saved) return f_complain(f, fmi2Fatal, "no memory");
    memcpy(saved, bytes, size);
    *state = saved;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetDirectionalDerivative,
             (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
              const fmi2ValueReference known[], size_t knowns, const fmi2Real seed[],
              fmi2Real out[])) {
    (void)unknown;
    (void)unknowns;
    (void)known;
    (void)knowns;
    (void)seed;
    (void)out;
    return f_none(c, 1);
}

/* ---- Model Exchange ---- */

FMI2_DECLARE(fmi2Status, fmi2EnterEventMode, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_CONTINUOUS | F_EVENT)) return fmi2Error;
    f->mode = F_EVENT;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info)) {
    f_instance *f = c;
    int changed = 0;
    if (!f_may(f, F_EVENT) || !info) return fmi2Error;
    dyverse_status status = dyverse_update(f->model, &changed);
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = changed || f->fresh ? fmi2True : fmi2False;
    f->fresh = 0;
    if (status == DYVERSE_ENDED) {
        info->terminateSimulation = fmi2True;
        f_log(f, fmi2Warning, dyverse_message(f->model));
        return fmi2OK;
    }
    return f_told(f, status, fmi2Error);
}

FMI2_DECLARE(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c)) {
    f_instance *f = c;
    if (!f_may(f, F_EVENT | F_CONTINUOUS)) return fmi2Error;
    f->mode = F_CONTINUOUS;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2CompletedIntegratorStep,
             (fmi2Component c, fmi2Boolean no_return, fmi2Boolean *event, fmi2Boolean *over)) {
    f_instance *f = c;
    int update = 0;
    (void)no_return;
    if (!f_may(f, F_CONTINUOUS) || !event || !over) return fmi2Error;
    dyverse_status status = dyverse_accept(f->model, &update);
    *event = update ? fmi2True : fmi2False;
    *over = status == DYVERSE_ENDED ? fmi2True : fmi2False;
    return status == DYVERSE_ENDED ? fmi2OK : f_told(f, status, fmi2Error);
}

FMI2_DECLARE(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time)) {
    f_instance *f = c;
    if (!f_may(f, F_EVENT | F_CONTINUOUS)) return fmi2Error;
    dyverse_state(f->model, f->x);
    return f_told(f, dyverse_put(f->model, time, f->x), fmi2Error);
}

/* Whether an array has as many numbers as there must be. */
static int f_fits(f_instance *f, size_t count, int wanted) {
    if (count != (size_t)wanted) f_log(f, fmi2Error, "an array of another length");
    return count == (size_t)wanted;
}

FMI2_DECLARE(fmi2Status, fmi2SetContinuousStates,
             (fmi2Component c, const fmi2Real x[], size_t count)) {
    f_instance *f = c;
    if (!f_may(f, F_CONTINUOUS) || !f_fits(f, count, dyverse_describe()->states)) return fmi2Error;
    return f_told(f, dyverse_put(f->model, dyverse_time(f->model), x), fmi2Discard);
}

FMI2_DECLARE(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real rates[], size_t count)) {
    f_instance *f = c;
    if (!f_may(f, F_BEGUN) || !f_fits(f, count, dyverse_describe()->states)) return fmi2Error;
    return f_told(f, dyverse_derivatives(f->model, rates), fmi2Discard);
}

FMI2_DECLARE(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real z[], size_t count)) {
    f_instance *f = c;
    if (!f_may(f, F_BEGUN) || !f_fits(f, count, dyverse_describe()->indicators)) return fmi2Error;
    return f_told(f, dyverse_indicators(f->model, z), fmi2Discard);
}

FMI2_DECLARE(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count)) {
    f_instance *f = c;
    if (!f_may(f, F_INITIALIZING | F_BEGUN) || !f_fits(f, count, dyverse_describe()->states))
        return fmi2Error;
    dyverse_state(f->model, x);
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetNominalsOfContinuousStates,
             (fmi2Component c, fmi2Real nominal[], size_t count)) {
    f_instance *f = c;
    if (!f_may(f, F_ANY) || !f_fits(f, count, dyverse_describe()->states)) return fmi2Error;
    for (size_t i = 0; i < count; i++) nominal[i] = 1.0;
    return fmi2OK;
}

/* ---- Co-Simulation ---- */

FMI2_DECLARE(fmi2Status, fmi2SetRealInputDerivatives,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Integer order[], const fmi2Real value[])) {
    (void)vr;
    (void)order;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2GetRealOutputDerivatives,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Integer order[], fmi2Real value[])) {
    (void)vr;
    (void)order;
    (void)value;
    return f_none(c, count);
}

FMI2_DECLARE(fmi2Status, fmi2DoStep,
             (fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return)) {
    f_instance *f = c;
    (void)no_return;
    if (!f_may(f, F_STEPPING)) return fmi2Error;
    if (!isfinite(time) || !(step >= 0.0)) return f_complain(f, fmi2Error, "not a step of time");
    if (fabs(time - dyverse_time(f->model)) > 1e-9 * (1.0 + fabs(time)))
        return f_complain(f, fmi2Error, "the step does not begin where the last one ended");
    dyverse_status status = dyverse_advance(f->model, fmax(time + step, dyverse_time(f->model)));
    f->ended = status == DYVERSE_ENDED;
    return f_told(f, status, f->ended ? fmi2Discard : fmi2Error);
}

FMI2_DECLARE(fmi2Status, fmi2CancelStep, (fmi2Component c)) {
    return f_none(c, 1); /* steps are done when they return */
}

FMI2_DECLARE(fmi2Status, fmi2GetStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Status *value)) {
    (void)kind;
    (void)value;
    return f_may(c, F_ANY) ? fmi2Discard : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2GetRealStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Real *value)) {
    f_instance *f = c;
    if (!f_may(f, F_ANY) || !value) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = dyverse_time(f->model);
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetIntegerStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Integer *value)) {
    (void)kind;
    (void)value;
    return f_may(c, F_ANY) ? fmi2Discard : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2GetBooleanStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value)) {
    f_instance *f = c;
    if (!f_may(f, F_ANY) || !value) return fmi2Error;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = f->ended ? fmi2True : fmi2False;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetStringStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2String *value)) {
    (void)kind;
    (void)value;
    return f_may(c, F_ANY) ? fmi2Discard : fmi2Error;
}
