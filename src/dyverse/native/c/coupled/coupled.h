/* The native engine of rigid bodies together with automata: both engines as one.
 *
 * The engine of automata runs the whole: it integrates, locates events and takes jumps. Bodies are
 * its outside (da_outsider in automata.h): their variables are the first ones of x, and the engine
 * of rigid bodies says how they move, what is watched about them, and how they jump. Variables of
 * automata drive them through settings p; contacts give signals that automata hear.
 */
#ifndef DYVERSE_COUPLED_H
#define DYVERSE_COUPLED_H

#include "../automata/automata.h"
#include "../dyverse.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DVC_VERSION 3

/* How the two hang together. The arrays are read by dvc_create and not kept. */
typedef struct {
    int driven;           /* variables of automata */
    const int *setting;   /* the place of each in p */
    int offers;           /* what contacts offer: by occasion, then by contact */
    const int *occasion;  /* DV_IMPACT, DV_TOUCH, DV_RELEASE, DV_STICKS or DV_SLIPS */
    const int *contact;
    const int *channel;   /* numbers from the channels of automata on: nobody hears it */
} dvc_links;

int dvc_version(void);
/* An engine of automata with bodies; da_destroy destroys all of it. */
dv_code dvc_create(const dv_structure *bodies, const dv_options *body_options,
                   const da_structure *automata, const dv_options *options,
                   const dvc_links *links, da_engine **engine);
/* Begin in free flight; da_set_numbers and da_set_state say the rest. */
void dvc_set_bodies(da_engine *engine, double time, const double *numbers, const double *x);
/* Begin in another location instead, as dv_set_location. */
dv_code dvc_set_location(da_engine *engine, const int *modes, const double *held);
/* Where contacts are heading, 3 numbers each; and back, before da_go_on. */
void dvc_get_memory(const da_engine *engine, double *ahead);
void dvc_go_on(da_engine *engine, int holds, const double *ahead);

#ifdef __cplusplus
}
#endif
#endif
