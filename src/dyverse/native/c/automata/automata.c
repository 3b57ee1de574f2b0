/* The runtime as one unit: every function that is not in automata.h is static, and the compiler sees
 * all of it at once. */
#include "internal.h"

#include "../search.c"
#include "../steps.c"
#include "../record.c"
#include "../switches.c"

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
#include "engine.c"
#include "memory.c"
#include "rows.c"
