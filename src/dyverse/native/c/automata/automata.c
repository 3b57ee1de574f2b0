/* The runtime as one unit: every function that is not in automata.h is static, and the compiler sees
 * all of it at once. */
#include "internal.h"

#ifndef DV_APART
#include "../course.c"
#endif

#include "flow.c"
#include "sides.c"
#include "signals.c"
#include "moves.c"
#include "nodes.c"
#include "search.c"
#include "properties.c"
#include "log.c"
#include "arcs.c"
#include "waiting.c"
#include "run.c"
#include "stepping.c"
#include "engine.c"
#include "memory.c"
#include "saving.c"
#include "rows.c"
