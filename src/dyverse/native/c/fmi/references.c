/* Value references of a model: settings, states, derivatives, the outputs that are no states, the time,
 * indicators. */
#include "references.h"

#include <math.h>
#include <stdlib.h>

fmi_kind fmi_kind_of(unsigned int reference, int *index) {
    const dyverse_facts *f = dyverse_describe();
    const int counts[] = {f->settings, f->states, f->states, f->outputs - f->states, 1,
                          f->indicators};
    *index = 0;
    for (int kind = FMI_SETTING; kind < FMI_NOTHING; kind++) {
        unsigned int count = (unsigned int)counts[kind];
        if (reference < count) {
            *index = (int)reference;
            return (fmi_kind)kind;
        }
        reference -= count;
    }
    return FMI_NOTHING;
}

int fmi_is_whole(unsigned int reference) {
    const dyverse_facts *f = dyverse_describe();
    int index;
    fmi_kind of = fmi_kind_of(reference, &index);
    if (of == FMI_SETTING) return f->setting[index].kind == DYVERSE_SEED;
    if (of != FMI_OUTPUT) return 0;
    int kind = f->output[f->states + index].kind;
    return kind >= DYVERSE_EVENTS && kind <= DYVERSE_MODE;
}

/* One derivative, indicator or output of a run that has begun. */
static dyverse_status fmi_ask(dyverse_model *m, fmi_kind kind, int index, double *room,
                              double *value) {
    if (kind == FMI_OUTPUT) return dyverse_output(m, dyverse_describe()->states + index, value);
    dyverse_status status =
        kind == FMI_INDICATOR ? dyverse_indicators(m, room) : dyverse_derivatives(m, room);
    *value = room[index];
    return status;
}

/* What it would be if the run began now: it begins on a copy that is put back. */
static dyverse_status fmi_foresee(dyverse_model *m, fmi_kind kind, int index, double *room,
                                  double *value) {
    size_t size = dyverse_saved_size(m);
    void *memory = malloc(size);
    if (!memory) return DYVERSE_FAILED;
    dyverse_status status = dyverse_save(m, memory, size);
    if (status == DYVERSE_OK) status = dyverse_begin(m, dyverse_time(m));
    if (status == DYVERSE_OK) status = fmi_ask(m, kind, index, room, value);
    dyverse_restore(m, memory, size);
    free(memory);
    return status;
}

dyverse_status fmi_get(dyverse_model *m, int begun, unsigned int reference, double *room,
                       double *value) {
    int index;
    fmi_kind kind = fmi_kind_of(reference, &index);
    *value = 0.0;
    switch (kind) {
    case FMI_SETTING: *value = dyverse_get(m, index); return DYVERSE_OK;
    case FMI_STATE: return dyverse_output(m, index, value);
    case FMI_TIME: *value = dyverse_time(m); return DYVERSE_OK;
    case FMI_NOTHING: return DYVERSE_REFUSED;
    default: return (begun ? fmi_ask : fmi_foresee)(m, kind, index, room, value);
    }
}

dyverse_status fmi_set(dyverse_model *m, unsigned int reference, double value) {
    int index;
    fmi_kind kind = fmi_kind_of(reference, &index);
    if (kind == FMI_SETTING) return dyverse_set(m, index, value);
    return kind == FMI_STATE ? dyverse_set_start(m, index, value) : DYVERSE_REFUSED;
}
