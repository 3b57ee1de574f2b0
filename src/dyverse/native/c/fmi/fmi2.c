/* A model as an FMU of version 2.0, for Model Exchange and for Co-Simulation. */
#include "fmi2.h"

#include <stdlib.h>
#include <string.h>

#include "instance.h"

typedef struct {
    fmi_instance own; /* first, so that one is the other */
    fmi2CallbackFunctions calls;
    fmi2Type type;
} f_instance;

static void f_log(fmi_instance *own, fmi_status status, const char *message) {
    f_instance *f = (f_instance *)(void *)own;
    if (f->calls.logger)
        f->calls.logger(f->calls.componentEnvironment, own->name, (fmi2Status)status,
                        status >= FMI_ERROR ? "logStatusError" : "logStatusDiscard", "%s", message);
}

/* There are no variables of other types. */
static fmi2Status f_none(fmi2Component c, size_t count) {
    if (!fmi_may(c, FMI_ANY)) return fmi2Error;
    return count ? (fmi2Status)fmi_complain(c, FMI_ERROR, "there is no such variable") : fmi2OK;
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
    (void)resources;
    (void)visible;
    (void)logging;
    if (!calls || !name || !identity) return NULL;
    f_instance *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->calls = *calls;
    f->type = type;
    f->own.log = f_log;
    if (fmi_begin(&f->own, name, identity)) return f;
    FMI2(fmi2FreeInstance)(f);
    return NULL;
}

FMI2_DECLARE(void, fmi2FreeInstance, (fmi2Component c)) {
    f_instance *f = c;
    if (f) fmi_end(&f->own);
    free(f);
}

FMI2_DECLARE(fmi2Status, fmi2SetupExperiment,
             (fmi2Component c, fmi2Boolean tolerant, fmi2Real tolerance, fmi2Real start,
              fmi2Boolean stops, fmi2Real stop)) {
    fmi_instance *f = c;
    (void)tolerant;
    (void)tolerance; /* ours are finer than any that is asked for */
    (void)stops;
    (void)stop;
    if (!fmi_may(f, FMI_MADE)) return fmi2Error;
    f->life.start = start;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c)) {
    return c ? (fmi2Status)fmi_enter_initialization(c) : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c)) {
    f_instance *f = c;
    if (!f) return fmi2Error;
    fmi_mode next = f->type == fmi2ModelExchange ? FMI_EVENT : FMI_STEPPING;
    return (fmi2Status)fmi_exit_initialization(&f->own, next);
}

FMI2_DECLARE(fmi2Status, fmi2Terminate, (fmi2Component c)) {
    return (fmi2Status)fmi_change(c, FMI_BEGUN, FMI_OVER);
}

FMI2_DECLARE(fmi2Status, fmi2Reset, (fmi2Component c)) {
    return (fmi2Status)fmi_reset(c);
}

FMI2_DECLARE(fmi2Status, fmi2GetReal,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[])) {
    return fmi_may(c, FMI_ANY) ? (fmi2Status)fmi_read_reals(c, vr, count, value) : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2GetInteger,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])) {
    fmi_status status = fmi_may(c, FMI_ANY) ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++) {
        double number = 0.0;
        status = fmi_read(c, vr[i], 1, &number);
        value[i] = (int)number;
    }
    return (fmi2Status)status;
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
    fmi_status status = fmi_may(c, FMI_ANY & ~FMI_OVER) ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++) status = fmi_write(c, vr[i], 0, value[i]);
    return (fmi2Status)status;
}

FMI2_DECLARE(fmi2Status, fmi2SetInteger,
             (fmi2Component c, const fmi2ValueReference vr[], size_t count,
              const fmi2Integer value[])) {
    fmi_status status = fmi_may(c, FMI_ANY & ~FMI_OVER) ? FMI_OK : FMI_ERROR;
    for (size_t i = 0; i < count && status == FMI_OK; i++)
        status = fmi_write(c, vr[i], 1, value[i]);
    return (fmi2Status)status;
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
    return (fmi2Status)fmi_save(c, state);
}

FMI2_DECLARE(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state)) {
    return (fmi2Status)fmi_restore(c, state);
}

FMI2_DECLARE(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    return (fmi2Status)fmi_free(c, state);
}

FMI2_DECLARE(fmi2Status, fmi2SerializedFMUstateSize,
             (fmi2Component c, fmi2FMUstate state, size_t *size)) {
    return (fmi2Status)fmi_serialized_size(c, state, size);
}

FMI2_DECLARE(fmi2Status, fmi2SerializeFMUstate,
             (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)) {
    return (fmi2Status)fmi_serialize(c, state, bytes, size);
}

FMI2_DECLARE(fmi2Status, fmi2DeSerializeFMUstate,
             (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)) {
    return (fmi2Status)fmi_deserialize(c, bytes, size, state);
}

FMI2_DECLARE(fmi2Status, fmi2GetDirectionalDerivative,
             (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
              const fmi2ValueReference known[], size_t knowns, const fmi2Real seed[],
              fmi2Real out[])) {
    return (fmi2Status)fmi_directional(c, unknown, unknowns, known, knowns, seed, out);
}

/* ---- Model Exchange ---- */

FMI2_DECLARE(fmi2Status, fmi2EnterEventMode, (fmi2Component c)) {
    return (fmi2Status)fmi_change(c, FMI_CONTINUOUS | FMI_EVENT, FMI_EVENT);
}

FMI2_DECLARE(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info)) {
    int changed = 0, over = 0;
    if (!fmi_may(c, FMI_EVENT) || !info) return fmi2Error;
    fmi_status status = fmi_update(c, &changed, &over);
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = changed ? fmi2True : fmi2False;
    info->terminateSimulation = over ? fmi2True : fmi2False;
    return (fmi2Status)status;
}

FMI2_DECLARE(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c)) {
    return (fmi2Status)fmi_change(c, FMI_EVENT | FMI_CONTINUOUS, FMI_CONTINUOUS);
}

FMI2_DECLARE(fmi2Status, fmi2CompletedIntegratorStep,
             (fmi2Component c, fmi2Boolean no_return, fmi2Boolean *event, fmi2Boolean *over)) {
    (void)no_return;
    if (!fmi_may(c, FMI_CONTINUOUS) || !event || !over) return fmi2Error;
    return (fmi2Status)fmi_accept(c, event, over);
}

FMI2_DECLARE(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time)) {
    return fmi_may(c, FMI_EVENT | FMI_CONTINUOUS) ? (fmi2Status)fmi_put_time(c, time) : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2SetContinuousStates,
             (fmi2Component c, const fmi2Real x[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_CONTINUOUS) || !fmi_fits(f, count, dyverse_describe()->states))
        return fmi2Error;
    return (fmi2Status)fmi_told(f, dyverse_put(f->model, dyverse_time(f->model), x), FMI_DISCARD);
}

FMI2_DECLARE(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real rates[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_BEGUN) || !fmi_fits(f, count, dyverse_describe()->states)) return fmi2Error;
    return (fmi2Status)fmi_told(f, dyverse_derivatives(f->model, rates), FMI_DISCARD);
}

FMI2_DECLARE(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real z[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_BEGUN) || !fmi_fits(f, count, dyverse_describe()->indicators))
        return fmi2Error;
    return (fmi2Status)fmi_told(f, dyverse_indicators(f->model, z), FMI_DISCARD);
}

FMI2_DECLARE(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_INITIALIZING | FMI_BEGUN) ||
        !fmi_fits(f, count, dyverse_describe()->states))
        return fmi2Error;
    dyverse_state(f->model, x);
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetNominalsOfContinuousStates,
             (fmi2Component c, fmi2Real nominal[], size_t count)) {
    if (!fmi_may(c, FMI_ANY) || !fmi_fits(c, count, dyverse_describe()->states)) return fmi2Error;
    for (size_t i = 0; i < count; i++) nominal[i] = dyverse_describe()->state[i].nominal;
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
    int event;
    (void)no_return;
    if (!fmi_may(c, FMI_STEPPING)) return fmi2Error;
    return (fmi2Status)fmi_step(c, time, step, 0, &event);
}

FMI2_DECLARE(fmi2Status, fmi2CancelStep, (fmi2Component c)) {
    return f_none(c, 1); /* steps are done when they return */
}

FMI2_DECLARE(fmi2Status, fmi2GetStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Status *value)) {
    (void)kind;
    (void)value;
    return fmi_may(c, FMI_ANY) ? fmi2Discard : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2GetRealStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Real *value)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_ANY) || !value) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = dyverse_time(f->model);
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetIntegerStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Integer *value)) {
    (void)kind;
    (void)value;
    return fmi_may(c, FMI_ANY) ? fmi2Discard : fmi2Error;
}

FMI2_DECLARE(fmi2Status, fmi2GetBooleanStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value)) {
    fmi_instance *f = c;
    if (!fmi_may(f, FMI_ANY) || !value) return fmi2Error;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = f->life.ended ? fmi2True : fmi2False;
    return fmi2OK;
}

FMI2_DECLARE(fmi2Status, fmi2GetStringStatus,
             (fmi2Component c, fmi2StatusKind kind, fmi2String *value)) {
    (void)kind;
    (void)value;
    return fmi_may(c, FMI_ANY) ? fmi2Discard : fmi2Error;
}
