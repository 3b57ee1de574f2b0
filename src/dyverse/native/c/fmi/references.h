/* What versions 2 and 3 of FMI have in common: numbers by value reference. */
#ifndef DYVERSE_FMI_REFERENCES_H
#define DYVERSE_FMI_REFERENCES_H

#include "../model/dyverse_model.h"

typedef enum {
    FMI_SETTING,
    FMI_STATE,
    FMI_DERIVATIVE,
    FMI_OUTPUT,
    FMI_TIME,
    FMI_INDICATOR,
    FMI_NOTHING
} fmi_kind;

fmi_kind fmi_kind_of(unsigned int reference, int *index);
/* Whether it is a whole number: a seed, a count, a location, a mode. */
int fmi_is_whole(unsigned int reference);
/* A number; `room` is for as many numbers as there are states or indicators. */
dyverse_status fmi_get(dyverse_model *model, int begun, unsigned int reference, double *room,
                       double *value);
dyverse_status fmi_set(dyverse_model *model, unsigned int reference, double value);

#endif
