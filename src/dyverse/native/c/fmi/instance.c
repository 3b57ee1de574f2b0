/* See instance.h. */
#include "instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fmi_status fmi_complain(fmi_instance *f, fmi_status status, const char *message) {
    f->log(f, status, message);
    return status;
}

int fmi_may(fmi_instance *f, int modes) {
    if (!f) return 0;
    if (((int)f->life.mode & modes) == 0) f->log(f, FMI_ERROR, "this call may not come now");
    return ((int)f->life.mode & modes) != 0;
}

fmi_status fmi_told(fmi_instance *f, dyverse_status status, fmi_status bad) {
    if (status == DYVERSE_OK) return FMI_OK;
    return fmi_complain(f, status == DYVERSE_FAILED ? FMI_FATAL : bad, dyverse_message(f->model));
}

int fmi_fits(fmi_instance *f, size_t count, int wanted) {
    if (count != (size_t)wanted) f->log(f, FMI_ERROR, "an array of another length");
    return count == (size_t)wanted;
}

int fmi_begin(fmi_instance *f, const char *name, const char *identity) {
    const dyverse_facts *facts = dyverse_describe();
    f->life.mode = FMI_MADE;
    f->name = calloc(strlen(name) + 1, 1);
    int most = facts->states > facts->indicators ? facts->states : facts->indicators;
    int total = 2 * facts->states + most + facts->settings + 1;
    f->x = calloc((size_t)total, sizeof(double));
    f->model = dyverse_create();
    if (!f->name || !f->x || !f->model) return 0;
    memcpy(f->name, name, strlen(name));
    f->room = f->x + facts->states;
    f->dx = f->room + most;
    f->dsettings = f->dx + facts->states;
    if (strcmp(identity, facts->identity) == 0) return 1;
    f->log(f, FMI_ERROR, "the identity is that of another model");
    return 0;
}

void fmi_end(fmi_instance *f) {
    dyverse_destroy(f->model);
    free(f->name);
    free(f->x);
}

fmi_status fmi_change(fmi_instance *f, int from, fmi_mode to) {
    if (!fmi_may(f, from)) return FMI_ERROR;
    f->life.mode = to;
    return FMI_OK;
}

fmi_status fmi_enter_initialization(fmi_instance *f) {
    if (!isfinite(f->life.start))
        return fmi_complain(f, FMI_ERROR, "the time of the start is not finite");
    return fmi_change(f, FMI_MADE, FMI_INITIALIZING);
}

fmi_status fmi_exit_initialization(fmi_instance *f, fmi_mode next) {
    if (!fmi_may(f, FMI_INITIALIZING)) return FMI_ERROR;
    dyverse_status status = dyverse_begin(f->model, f->life.start);
    if (status != DYVERSE_OK) return fmi_told(f, status, FMI_ERROR);
    f->life.mode = next;
    f->life.fresh = 1;
    return FMI_OK;
}

fmi_status fmi_reset(fmi_instance *f) {
    fmi_life none = {FMI_MADE, 0, 0, 0.0};
    if (!fmi_may(f, FMI_ANY)) return FMI_ERROR;
    dyverse_reset(f->model);
    f->life = none;
    return FMI_OK;
}

fmi_status fmi_read(fmi_instance *f, unsigned int reference, int whole, double *value) {
    int index, begun = ((int)f->life.mode & FMI_BEGUN) != 0;
    if (fmi_kind_of(reference, &index) == FMI_NOTHING)
        return fmi_complain(f, FMI_ERROR, "there is no such variable");
    if (fmi_is_whole(reference) != whole)
        return fmi_complain(f, FMI_ERROR, "a variable of another type");
    return fmi_told(f, fmi_get(f->model, begun, reference, f->room, value), FMI_DISCARD);
}

fmi_status fmi_read_reals(fmi_instance *f, const unsigned int *reference, size_t count,
                          double *value) {
    const dyverse_facts *facts = dyverse_describe();
    unsigned int first = (unsigned int)facts->settings, states = (unsigned int)facts->states;
    fmi_status status = FMI_OK;
    for (size_t i = 0, known = 0; i < count && status == FMI_OK; i++) {
        unsigned int state = reference[i] - first; /* it wraps around for settings */
        if (state >= states) {
            status = fmi_read(f, reference[i], 0, value + i);
            continue;
        }
        if (!known) dyverse_state(f->model, f->x);
        known = 1;
        value[i] = f->x[state];
    }
    return status;
}

fmi_status fmi_write(fmi_instance *f, unsigned int reference, int whole, double value) {
    int index;
    if (fmi_kind_of(reference, &index) == FMI_NOTHING)
        return fmi_complain(f, FMI_ERROR, "there is no such variable");
    if (fmi_is_whole(reference) != whole)
        return fmi_complain(f, FMI_ERROR, "a variable of another type");
    return fmi_told(f, fmi_set(f->model, reference, value), FMI_ERROR);
}

fmi_status fmi_put_time(fmi_instance *f, double time) {
    dyverse_state(f->model, f->x);
    return fmi_told(f, dyverse_put(f->model, time, f->x), FMI_ERROR);
}

fmi_status fmi_update(fmi_instance *f, int *changed, int *over) {
    dyverse_status status = dyverse_update(f->model, changed);
    *changed |= f->life.fresh;
    *over = f->life.ended = status == DYVERSE_ENDED;
    f->life.fresh = 0;
    if (!*over) return fmi_told(f, status, FMI_ERROR);
    f->log(f, FMI_WARNING, dyverse_message(f->model));
    return FMI_OK;
}

fmi_status fmi_accept(fmi_instance *f, int *event, int *over) {
    dyverse_status status = dyverse_accept(f->model, event);
    *over = status == DYVERSE_ENDED;
    return *over ? FMI_OK : fmi_told(f, status, FMI_ERROR);
}

fmi_status fmi_step(fmi_instance *f, double time, double step, int early, int *event) {
    *event = 0;
    if (!isfinite(time) || !(step >= 0.0)) return fmi_complain(f, FMI_ERROR, "not a step of time");
    if (fabs(time - dyverse_time(f->model)) > 1e-9 * (1.0 + fabs(time)))
        return fmi_complain(f, FMI_ERROR, "the step does not begin where the last one ended");
    double until = fmax(time + step, dyverse_time(f->model));
    dyverse_status status = (early ? dyverse_advance_to_event : dyverse_advance)(f->model, until);
    *event = status == DYVERSE_EVENT;
    f->life.ended = status == DYVERSE_ENDED;
    if (*event) return FMI_OK;
    return fmi_told(f, status, f->life.ended ? FMI_DISCARD : FMI_ERROR);
}

#include "directional.c"
#include "states.c"
