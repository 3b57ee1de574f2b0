/* The types and functions of FMI 2.0, written down from the standard. */
#ifndef DYVERSE_FMI2_H
#define DYVERSE_FMI2_H

#include <stddef.h>

#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI2_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_EXPORT __attribute__((visibility("default")))
#else
#define FMI2_EXPORT
#endif

/* A model that is linked into a program as source has a prefix before each function. */
#ifdef FMI2_FUNCTION_PREFIX
#define FMI2_PASTE(a, b) a##b
#define FMI2_JOIN(a, b) FMI2_PASTE(a, b)
#define FMI2(name) FMI2_JOIN(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI2(name) name
#endif

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;
enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#define FMI2_DECLARE(type, name, arguments) FMI2_EXPORT type FMI2(name) arguments

FMI2_DECLARE(const char *, fmi2GetTypesPlatform, (void));
FMI2_DECLARE(const char *, fmi2GetVersion, (void));
FMI2_DECLARE(fmi2Status, fmi2SetDebugLogging,
             (fmi2Component, fmi2Boolean, size_t, const fmi2String[]));
FMI2_DECLARE(fmi2Component, fmi2Instantiate,
             (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *,
              fmi2Boolean, fmi2Boolean));
FMI2_DECLARE(void, fmi2FreeInstance, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2SetupExperiment,
             (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real));
FMI2_DECLARE(fmi2Status, fmi2EnterInitializationMode, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2ExitInitializationMode, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2Terminate, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2Reset, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2GetReal,
             (fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]));
FMI2_DECLARE(fmi2Status, fmi2GetInteger,
             (fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]));
FMI2_DECLARE(fmi2Status, fmi2GetBoolean,
             (fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]));
FMI2_DECLARE(fmi2Status, fmi2GetString,
             (fmi2Component, const fmi2ValueReference[], size_t, fmi2String[]));
FMI2_DECLARE(fmi2Status, fmi2SetReal,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]));
FMI2_DECLARE(fmi2Status, fmi2SetInteger,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[]));
FMI2_DECLARE(fmi2Status, fmi2SetBoolean,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]));
FMI2_DECLARE(fmi2Status, fmi2SetString,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]));
FMI2_DECLARE(fmi2Status, fmi2GetFMUstate, (fmi2Component, fmi2FMUstate *));
FMI2_DECLARE(fmi2Status, fmi2SetFMUstate, (fmi2Component, fmi2FMUstate));
FMI2_DECLARE(fmi2Status, fmi2FreeFMUstate, (fmi2Component, fmi2FMUstate *));
FMI2_DECLARE(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t *));
FMI2_DECLARE(fmi2Status, fmi2SerializeFMUstate,
             (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t));
FMI2_DECLARE(fmi2Status, fmi2DeSerializeFMUstate,
             (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *));
FMI2_DECLARE(fmi2Status, fmi2GetDirectionalDerivative,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t,
              const fmi2Real[], fmi2Real[]));
/* Model Exchange */
FMI2_DECLARE(fmi2Status, fmi2EnterEventMode, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2NewDiscreteStates, (fmi2Component, fmi2EventInfo *));
FMI2_DECLARE(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2CompletedIntegratorStep,
             (fmi2Component, fmi2Boolean, fmi2Boolean *, fmi2Boolean *));
FMI2_DECLARE(fmi2Status, fmi2SetTime, (fmi2Component, fmi2Real));
FMI2_DECLARE(fmi2Status, fmi2SetContinuousStates, (fmi2Component, const fmi2Real[], size_t));
FMI2_DECLARE(fmi2Status, fmi2GetDerivatives, (fmi2Component, fmi2Real[], size_t));
FMI2_DECLARE(fmi2Status, fmi2GetEventIndicators, (fmi2Component, fmi2Real[], size_t));
FMI2_DECLARE(fmi2Status, fmi2GetContinuousStates, (fmi2Component, fmi2Real[], size_t));
FMI2_DECLARE(fmi2Status, fmi2GetNominalsOfContinuousStates, (fmi2Component, fmi2Real[], size_t));
/* Co-Simulation */
FMI2_DECLARE(fmi2Status, fmi2SetRealInputDerivatives,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[],
              const fmi2Real[]));
FMI2_DECLARE(fmi2Status, fmi2GetRealOutputDerivatives,
             (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]));
FMI2_DECLARE(fmi2Status, fmi2DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean));
FMI2_DECLARE(fmi2Status, fmi2CancelStep, (fmi2Component));
FMI2_DECLARE(fmi2Status, fmi2GetStatus, (fmi2Component, fmi2StatusKind, fmi2Status *));
FMI2_DECLARE(fmi2Status, fmi2GetRealStatus, (fmi2Component, fmi2StatusKind, fmi2Real *));
FMI2_DECLARE(fmi2Status, fmi2GetIntegerStatus, (fmi2Component, fmi2StatusKind, fmi2Integer *));
FMI2_DECLARE(fmi2Status, fmi2GetBooleanStatus, (fmi2Component, fmi2StatusKind, fmi2Boolean *));
FMI2_DECLARE(fmi2Status, fmi2GetStringStatus, (fmi2Component, fmi2StatusKind, fmi2String *));

#endif
