/* Flights from event to event as one unit, compiled beside the engine (see runtime.c): its functions
 * that flying.h does not name are static. */
#include "flying.h"

#include "meeting.c"
#include "calendar.c"
#include "flights.c"
