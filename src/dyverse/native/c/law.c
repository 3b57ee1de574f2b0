/* The laws of contact as one unit. It knows nothing of engines, so it is compiled beside the rest
 * (see runtime.c); its functions that law.h does not name are static. */
#include "law.h"

#include "dense.c"
#include "problem.c"
#include "sorprox.c"
#include "newton.c"
#include "lemke.c"
#include "linear.c"
#include "solve.c"
#include "poisson.c"
#include "stopping.c"
#include "sharing.c"
#include "shortest.c"
