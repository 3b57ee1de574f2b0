/* How a state is followed in time, as one unit. It knows nothing of engines, so it is compiled beside
 * them (see runtime.c), once for all; its functions that course.h does not name are static. */
#include "course.h"

#include "search.c"
#include "steps.c"
#include "record.c"
#include "switches.c"
