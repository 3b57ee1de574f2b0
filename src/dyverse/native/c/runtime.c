/* The runtime as one unit: every function that is not in dyverse.h or law.h is static. With DV_APART
 * the laws are a unit of their own, so that two processors can compile at once. */
#include "law.h"
#ifndef DV_APART
#include "law.c"
#endif

#include "search.c"
#include "steps.c"
#include "record.c"
#include "switches.c"

#include "flat.c"
#include "kinematics.c"
#include "nearby.c"
#include "balance.c"
#include "bases.c"
#include "location.c"
#include "log.c"
#include "sequence.c"
#include "visiting.c"
#include "bounce.c"
#include "switching.c"
#include "pacing.c"
#include "falling.c"
#include "sliding.c"
#include "reach.c"
#include "sides.c"
#include "events.c"
#include "properties.c"
#include "run.c"
#include "stepping.c"
#include "engine.c"
#include "rows.c"
