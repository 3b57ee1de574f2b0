/* Flights as their unit offers them to the engine, and what it asks of the engine. What they do is
 * said where they are. */
#ifndef DV_FLYING_H
#define DV_FLYING_H

#include "internal.h"

static inline const dv_flat *dv_flat_of(const dv_engine *e, int contact) {
    return e->flat[contact] < 0 ? NULL : e->flats + e->flat[contact];
}

static inline double dv_flat_gap(const dv_flat *f, const double *position) {
    double apart[3] = {position[0] - f->wall[0], position[1] - f->wall[1],
                       position[2] - f->wall[2]};
    return f->gap + dv_dot3(f->jacobian, apart);
}

/* A row of J times six numbers of the ball. */
static inline double dv_flat_row(const dv_flat *f, int r, const double *v) {
    const double *J = f->jacobian + 12 * r;
    return J[0] * v[0] + J[1] * v[1] + J[2] * v[2] + J[3] * v[3] + J[4] * v[4] + J[5] * v[5];
}

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

int dv_can_fly(dv_engine *e);
int dv_find_radii(dv_engine *e);
int dv_may_fly(const dv_engine *e);
void dv_list_closed(dv_engine *e);
dv_code dv_fly(dv_engine *e, double until);
void dv_land(dv_engine *e);
int dv_take_off_again(dv_engine *e);
int dv_still_touches(const dv_engine *e, int contact);
void dv_state_at(const dv_engine *e, double time, double *out);
void dv_write_state(dv_engine *e, double time);

void dv_know_nothing(dv_engine *e);
void dv_survey(dv_engine *e);
int dv_find_steady(dv_engine *e);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
