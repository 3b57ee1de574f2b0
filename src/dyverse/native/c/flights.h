/* Bodies in free flight, and what happens next to each: see flights.c. */
#ifndef DV_FLIGHTS_H
#define DV_FLIGHTS_H

/* A body in flight: where it was, how fast, and how it accelerates. */
typedef struct {
    double q[3], v[3], a[3];
    double since;  /* when */
    double radius; /* negative: it meets walls alone */
    int cell[3];   /* where it is now */
    int turns;     /* how often it has changed its course */
} dv_flyer;

/* What happens next, one entry per moving body, and who is near whom: see calendar.c. */
typedef struct {
    int count;          /* of bodies that move */
    int *heap, *at;     /* bodies in order of a heap; the place of each */
    double *when;       /* per body: when something happens to it */
    int *what;          /* per body: a contact, or one of the following */
    int *with, *turns;  /* per body: the other body or -1, and how often that had changed its course */

    double edge;        /* of a cell, at least as long as balls are wide */
    int mask;           /* cells in the table, less one */
    int *head;          /* first body of each */
    int *next, *before; /* per body: the next in its cell, the one before or -1 */
    dv_flyer *flyer;    /* per body */
} dv_calendar;

#endif
