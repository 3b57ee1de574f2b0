/* A model as a level-2 C MEX S-function, included by a file that defines S_FUNCTION_NAME.
 *
 * One dialog parameter: a vector with the settings that are no ports, in their order; empty for the
 * model's own. One input port with the ports, if there are some, and one output port with all
 * outputs. States are continuous; their zero crossings are the indicators of the present location. At
 * a major step where one of them is not positive the jumps of that instant are taken, and the solver
 * is reset. */
#define S_FUNCTION_LEVEL 2

#include <stdlib.h>

#include "simstruc.h"

#include "../model/dyverse_model.h"

enum { S_MODEL, S_POINTERS };

static dyverse_model *s_model(SimStruct *S) {
    return (dyverse_model *)ssGetPWorkValue(S, S_MODEL);
}

static int s_count(int ports) {
    const dyverse_facts *facts = dyverse_describe();
    int count = 0;
    for (int i = 0; i < facts->settings; i++)
        count += (facts->setting[i].kind == DYVERSE_PORT) == ports;
    return count;
}

static void mdlInitializeSizes(SimStruct *S) {
    const dyverse_facts *facts = dyverse_describe();
    int ports = s_count(1);
    ssSetNumSFcnParams(S, 1);
    if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) return; /* Simulink complains */
    ssSetSFcnParamTunable(S, 0, 0);
    ssSetNumContStates(S, facts->states);
    ssSetNumDiscStates(S, 0);
    if (!ssSetNumInputPorts(S, ports > 0)) return;
    if (ports) {
        ssSetInputPortWidth(S, 0, ports);
        ssSetInputPortRequiredContiguous(S, 0, 1);
        ssSetInputPortDirectFeedThrough(S, 0, 1); /* forces follow from what acts now */
    }
    if (!ssSetNumOutputPorts(S, 1)) return;
    ssSetOutputPortWidth(S, 0, facts->outputs);
    ssSetNumSampleTimes(S, 1);
    ssSetNumPWork(S, S_POINTERS);
    ssSetNumNonsampledZCs(S, facts->indicators);
    ssSetOptions(S, SS_OPTION_EXCEPTION_FREE_CODE);
}

static void mdlInitializeSampleTimes(SimStruct *S) {
    ssSetSampleTime(S, 0, CONTINUOUS_SAMPLE_TIME);
    ssSetOffsetTime(S, 0, 0.0);
}

static void s_fail(SimStruct *S, dyverse_status status) {
    if (status == DYVERSE_REFUSED || status == DYVERSE_FAILED)
        ssSetErrorStatus(S, dyverse_message(s_model(S)));
    if (status == DYVERSE_ENDED) ssSetStopRequested(S, 1);
}

/* Settings from the dialog and from the port. */
static void s_set(SimStruct *S, int ports, const double *value) {
    const dyverse_facts *facts = dyverse_describe();
    for (int i = 0, k = 0; i < facts->settings; i++)
        if ((facts->setting[i].kind == DYVERSE_PORT) == ports)
            s_fail(S, dyverse_set(s_model(S), i, value[k++]));
}

static void s_read_port(SimStruct *S) {
    if (s_count(1)) s_set(S, 1, ssGetInputPortRealSignal(S, 0));
}

#define MDL_START
static void mdlStart(SimStruct *S) {
    const mxArray *given = ssGetSFcnParam(S, 0);
    dyverse_model *model = dyverse_create();
    ssSetPWorkValue(S, S_MODEL, model);
    if (!model) {
        ssSetErrorStatus(S, "no memory for the model");
        return;
    }
    int count = (int)mxGetNumberOfElements(given);
    if (count != 0 && count != s_count(0))
        ssSetErrorStatus(S, "the parameter must be empty, or a number for each setting");
    else if (count)
        s_set(S, 0, mxGetPr(given));
}

#define MDL_INITIALIZE_CONDITIONS
static void mdlInitializeConditions(SimStruct *S) {
    if (!s_model(S)) return;
    s_fail(S, dyverse_begin(s_model(S), ssGetT(S)));
    dyverse_state(s_model(S), ssGetContStates(S));
}

/* Put the model where the solver is. */
static dyverse_status s_put(SimStruct *S) {
    s_read_port(S);
    return dyverse_put(s_model(S), ssGetT(S), ssGetContStates(S));
}

static void mdlOutputs(SimStruct *S, int_T task) {
    (void)task;
    double *y = ssGetOutputPortRealSignal(S, 0);
    s_fail(S, s_put(S));
    for (int i = 0; i < dyverse_describe()->outputs; i++) dyverse_output(s_model(S), i, y + i);
}

#define MDL_DERIVATIVES
static void mdlDerivatives(SimStruct *S) {
    s_fail(S, s_put(S));
    s_fail(S, dyverse_derivatives(s_model(S), ssGetdX(S)));
}

#define MDL_ZERO_CROSSINGS
static void mdlZeroCrossings(SimStruct *S) {
    s_fail(S, s_put(S));
    s_fail(S, dyverse_indicators(s_model(S), ssGetNonsampledZCs(S)));
}

/* A major step has been made: take the jumps of this instant, if there are some. */
#define MDL_UPDATE
static void mdlUpdate(SimStruct *S, int_T task) {
    int update = 0, changed = 0;
    double *z = ssGetNonsampledZCs(S);
    (void)task;
    s_fail(S, s_put(S));
    s_fail(S, dyverse_accept(s_model(S), &update));
    s_fail(S, dyverse_indicators(s_model(S), z));
    for (int i = 0; i < dyverse_describe()->indicators; i++) update |= !(z[i] > 0.0);
    if (!update) return;
    s_fail(S, dyverse_update(s_model(S), &changed));
    dyverse_state(s_model(S), ssGetContStates(S));
    ssSetSolverNeedsReset(S);
}

static void mdlTerminate(SimStruct *S) {
    dyverse_destroy(s_model(S));
    ssSetPWorkValue(S, S_MODEL, NULL);
}

#ifdef MATLAB_MEX_FILE
#include "simulink.c"
#else
#include "cg_sfun.h"
#endif
