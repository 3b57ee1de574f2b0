/* A stand-in for the part of Simulink's interface that an exported S-function uses: the same names, a
 * block with room for everything behind them. It is no Simulink; it is what the tests have. */
#ifndef SIMSTRUC_H
#define SIMSTRUC_H

#include <stddef.h>

typedef int int_T;
typedef double real_T;

typedef struct {
    size_t count;
    double *numbers;
} mxArray;

typedef struct {
    int parameters, states, inputs, outputs, input_width, output_width, crossings, pointers;
    int reset, stop;
    double time, *x, *dx, *u, *y, *z;
    void *pointer[4];
    const char *error;
    mxArray parameter;
} SimStruct;

#define CONTINUOUS_SAMPLE_TIME 0.0
#define SS_OPTION_EXCEPTION_FREE_CODE 1u

#define mxGetNumberOfElements(a) ((a)->count)
#define mxGetPr(a) ((a)->numbers)
#define ssSetNumSFcnParams(S, n) ((S)->parameters = (n))
#define ssGetNumSFcnParams(S) ((S)->parameters)
#define ssGetSFcnParamsCount(S) 1
#define ssGetSFcnParam(S, i) (&(S)->parameter)
#define ssSetSFcnParamTunable(S, i, t) ((void)0)
#define ssSetNumContStates(S, n) ((S)->states = (n))
#define ssSetNumDiscStates(S, n) ((void)0)
#define ssSetNumInputPorts(S, n) ((S)->inputs = (n), 1)
#define ssSetInputPortWidth(S, p, n) ((S)->input_width = (n))
#define ssSetInputPortRequiredContiguous(S, p, y) ((void)0)
#define ssSetInputPortDirectFeedThrough(S, p, y) ((void)0)
#define ssSetNumOutputPorts(S, n) ((S)->outputs = (n), 1)
#define ssSetOutputPortWidth(S, p, n) ((S)->output_width = (n))
#define ssSetNumSampleTimes(S, n) ((void)0)
#define ssSetNumPWork(S, n) ((S)->pointers = (n))
#define ssSetNumNonsampledZCs(S, n) ((S)->crossings = (n))
#define ssSetOptions(S, o) ((void)0)
#define ssSetSampleTime(S, i, t) ((void)(S))
#define ssSetOffsetTime(S, i, t) ((void)(S))
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssSetStopRequested(S, y) ((S)->stop = (y))
#define ssSetSolverNeedsReset(S) ((S)->reset = 1)
#define ssGetPWorkValue(S, i) ((S)->pointer[i])
#define ssSetPWorkValue(S, i, p) ((S)->pointer[i] = (p))
#define ssGetT(S) ((S)->time)
#define ssGetContStates(S) ((S)->x)
#define ssGetdX(S) ((S)->dx)
#define ssGetNonsampledZCs(S) ((S)->z)
#define ssGetInputPortRealSignal(S, p) ((S)->u)
#define ssGetOutputPortRealSignal(S, p) ((S)->y)

#endif
