"""FMUs of a kind that we do not make: a few functions of FMI 2.0 in C, which may misbehave."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="lag" guid="{{lag}}" generationTool="by hand">
<CoSimulation modelIdentifier="lag" canHandleVariableCommunicationStepSize="true"/>
<DefaultExperiment startTime="0" stopTime="2" stepSize="0.05"/>
<ModelVariables>
<ScalarVariable name="der(x).in" valueReference="0" causality="input"><Real start="0"/>
</ScalarVariable>
<ScalarVariable name="rate" valueReference="1" causality="parameter" variability="fixed">
<Real start="1" unit="1/s"/></ScalarVariable>
<ScalarVariable name="x" valueReference="2" causality="output"><Real unit="K"/></ScalarVariable>
<ScalarVariable name="calls" valueReference="3" causality="output" variability="discrete">
<Integer/></ScalarVariable>
<ScalarVariable name="warm" valueReference="4" causality="output" variability="discrete">
<Boolean/></ScalarVariable>
<ScalarVariable name="label" valueReference="5" causality="parameter" variability="fixed">
<String start="no"/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="3"/><Unknown index="4"/><Unknown index="5"/></Outputs>
</ModelStructure>
</fmiModelDescription>
"""
CODE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef struct { double u, rate, x; int calls; } lag;
#define F(name) __attribute__((visibility("default"))) int name
__attribute__((visibility("default"))) void *fmi2Instantiate(const char *name, int kind,
    const char *guid, const char *place, const void *calls, int visible, int logging) {
    (void)name; (void)kind; (void)guid; (void)place; (void)calls; (void)visible; (void)logging;
    lag *l = calloc(1, sizeof *l);
    l->rate = 1.0;
    printf("hello from the outside\n");
    fflush(stdout);
    return l;
}
__attribute__((visibility("default"))) void fmi2FreeInstance(void *c) { free(c); }
F(fmi2SetupExperiment)(void *c, int a, double b, double d, int e, double f) {
    (void)c; (void)a; (void)b; (void)d; (void)e; (void)f; return 0; }
F(fmi2EnterInitializationMode)(void *c) { (void)c; return 0; }
F(fmi2ExitInitializationMode)(void *c) { (void)c; return 0; }
F(fmi2Terminate)(void *c) { (void)c; return 0; }
F(fmi2Reset)(void *c) { (void)c; return 0; }
F(fmi2SetReal)(void *c, const unsigned *vr, size_t n, const double *v) {
    lag *l = c;
    for (size_t i = 0; i < n; i++) { if (vr[i] == 0) l->u = v[i]; else l->rate = v[i]; }
    return 0;
}
F(fmi2GetReal)(void *c, const unsigned *vr, size_t n, double *v) {
    (void)vr; for (size_t i = 0; i < n; i++) v[i] = ((lag *)c)->x; return 0; }
F(fmi2GetInteger)(void *c, const unsigned *vr, size_t n, int *v) {
    (void)vr; for (size_t i = 0; i < n; i++) v[i] = ((lag *)c)->calls; return 0; }
F(fmi2GetBoolean)(void *c, const unsigned *vr, size_t n, int *v) {
    (void)vr; for (size_t i = 0; i < n; i++) v[i] = ((lag *)c)->x > 0.5; return 0; }
F(fmi2DoStep)(void *c, double time, double step, int later) {
    lag *l = c;
    (void)later;
    if (MISBEHAVES && time > 0.999) { @FAULT@ }
    l->x += (l->u - l->x) * (1.0 - exp(-l->rate * step)); /* x' = rate (u - x), u held */
    l->calls++;
    return 0;
}
F(fmi2GetVersion)(void) { return 0; }
"""
OTHERS = (
    "fmi2GetTypesPlatform fmi2SetDebugLogging fmi2GetString fmi2SetInteger fmi2SetBoolean "
    "fmi2SetString fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate fmi2SerializedFMUstateSize "
    "fmi2SerializeFMUstate fmi2DeSerializeFMUstate fmi2GetDirectionalDerivative "
    "fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives fmi2CancelStep fmi2GetStatus "
    "fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus"
)


def lag(folder: Path, fault: str = "") -> Path:
    """An FMU that follows ``der(x).in`` at ``rate``; at 1 s it runs into ``fault``, if any."""
    pytest.importorskip("fmpy")
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler here")
    from fmpy import platform_tuple

    rest = "".join(f"F({name})(void) {{ return 3; }}\n" for name in OTHERS.split())
    text = CODE.replace("MISBEHAVES", str(int(bool(fault)))).replace("@FAULT@", fault) + rest
    (folder / "lag.c").write_text(text)
    library = folder / "lag.so"
    command = ["cc", "-shared", "-fPIC", "-fno-builtin", "-o", str(library), str(folder / "lag.c")]
    subprocess.run([*command, "-lm"], check=True)
    place = folder / "lag.fmu"
    where = {"x86_64-linux": "linux64"}.get(platform_tuple, platform_tuple)
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("modelDescription.xml", DESCRIPTION.replace("{{", "{").replace("}}", "}"))
        archive.write(library, f"binaries/{where}/lag.so")
    return place
