/* One instance of an FMU, whatever the version: where in its life it is, and its states. */
#ifndef DYVERSE_FMI_INSTANCE_H
#define DYVERSE_FMI_INSTANCE_H

#include "references.h"

/* What a call comes back with: the same numbers in all versions. */
typedef enum { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL } fmi_status;

/* Where in its life an instance is. */
typedef enum {
    FMI_MADE = 1,
    FMI_INITIALIZING = 2,
    FMI_EVENT = 4,
    FMI_CONTINUOUS = 8,
    FMI_STEPPING = 16,
    FMI_OVER = 32
} fmi_mode;
#define FMI_BEGUN (FMI_EVENT | FMI_CONTINUOUS | FMI_STEPPING | FMI_OVER)
#define FMI_ANY (FMI_MADE | FMI_INITIALIZING | FMI_BEGUN)
typedef struct {
    fmi_mode mode;
    int fresh; /* whether nobody has asked for the jumps of the first instant yet */
    int ended; /* whether the run has, by what the model says */
    double start;
} fmi_life;

typedef struct fmi_instance {
    dyverse_model *model;
    fmi_life life;
    char *name;
    double *x;    /* room for one number per state */
    double *room; /* the same for states or indicators, whichever are more */
    double *dx, *dsettings; /* a direction */
    void (*log)(struct fmi_instance *instance, fmi_status status, const char *message);
} fmi_instance;

/* Begin an instance, whose memory is the caller's; 0 if it cannot be, which is then told. */
int fmi_begin(fmi_instance *f, const char *name, const char *identity);
void fmi_end(fmi_instance *f);

fmi_status fmi_complain(fmi_instance *f, fmi_status status, const char *message);
/* Whether a call may come in the present mode. */
int fmi_may(fmi_instance *f, int modes);
/* A status of the model; if it is not good, `bad`. */
fmi_status fmi_told(fmi_instance *f, dyverse_status status, fmi_status bad);
/* Whether an array has as many numbers as there must be. */
int fmi_fits(fmi_instance *f, size_t count, int wanted);

fmi_status fmi_enter_initialization(fmi_instance *f);
/* The run begins; then comes `next`. */
fmi_status fmi_exit_initialization(fmi_instance *f, fmi_mode next);
fmi_status fmi_change(fmi_instance *f, int from, fmi_mode to);
fmi_status fmi_reset(fmi_instance *f);
fmi_status fmi_read(fmi_instance *f, unsigned int reference, int whole, double *value);
/* Several that are no whole numbers; states, of which there are many, all at once. */
fmi_status fmi_read_reals(fmi_instance *f, const unsigned int *reference, size_t count,
                          double *value);
fmi_status fmi_write(fmi_instance *f, unsigned int reference, int whole, double value);
fmi_status fmi_put_time(fmi_instance *f, double time);
/* The jumps of this instant; whether x has changed, and whether the run is over. */
fmi_status fmi_update(fmi_instance *f, int *changed, int *over);
fmi_status fmi_accept(fmi_instance *f, int *event, int *over);
/* A step from `time` on; `early`: to the first event only, which is told. */
fmi_status fmi_step(fmi_instance *f, double time, double step, int early, int *event);
/* d unknown / d known, times the seed, inside the present location. */
fmi_status fmi_directional(fmi_instance *f, const unsigned int *unknown, size_t unknowns,
                           const unsigned int *known, size_t knowns, const double *seed,
                           double *out);

fmi_status fmi_save(fmi_instance *f, void **state);
fmi_status fmi_restore(fmi_instance *f, const void *state);
fmi_status fmi_free(fmi_instance *f, void **state);
fmi_status fmi_serialized_size(fmi_instance *f, const void *state, size_t *size);
fmi_status fmi_serialize(fmi_instance *f, const void *state, char *bytes, size_t size);
fmi_status fmi_deserialize(fmi_instance *f, const char *bytes, size_t size, void **state);

#endif
