/* Both runtimes and what joins them as one unit: every function that is not in a header is static,
 * and the compiler sees all of it at once. */
#include "coupled.h"

#include "../runtime.c"
#include "../automata/automata.c"

#include "bodies.c"
#include "instant.c"
#include "create.c"
