/* The laws of contact as their unit offers them to the engine: dense matrices, contact problems,
 * impacts, shared loads. What they do is said where they are. */
#ifndef DV_LAW_H
#define DV_LAW_H

#include "internal.h"

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

/* Forces at n contacts and the k changes that keep contacts as they are; friction that is tied to a
 * normal force is so in each of them. */
typedef struct {
    int n, k;
    double *forces;  /* λ, three per contact; in the end what was found */
    const double *changes; /* k rows of 3 n */
    const double *mu;
    const int *sticks;
    const double *soft; /* along normal and surface, two per contact */
    double force, acceleration; /* the units below */
    /* of the search: point (z, s), step, gradient, Hessian, forces at a point, derivatives */
    double *point, *step, *there, *gradient, *hessian, *at, *slope;
} dv_load;

double dv_banded(int n, const double *A, int band, int row, const double *x);
double dv_lu(int n, double *A, int band, int *pivot);
void dv_lu_solve(int n, const double *LU, int band, const int *pivot, double *b);
void dv_eased_solve(int n, const double *A, int band, double *b, double *work, int *pivot);
int dv_null_space(int n, const double *A, double small, double *null, double *work, int *order);

int dv_scales(const double *block, int N, double *a, double *t);
int dv_prepare(dv_problem *p);

int dv_is_single(const dv_problem *p);
dv_answer dv_solve_single(const dv_problem *p, double *forces);
dv_answer dv_solve(dv_problem *p, double *forces, int brief, double *memory, int *ints);
double dv_energy_change(const dv_problem *p, const double *gamma, const double *impulse,
                        double *exchanged);
dv_answer dv_solve_impact(dv_problem *p, const double *gamma, const double *e, double *impulse,
                          double *memory, int *ints);
int dv_stopping(const dv_problem *p, const double *gamma, double *impulse, double *memory, int *ints);
dv_answer dv_solve_phases(dv_problem *p, const double *gamma, const double *e, double *impulse,
                          double *memory, int *ints);

double dv_least_spare(const dv_load *l, const double *forces);
double dv_share_load(dv_load *l, double margin, double *work);
void dv_shorten(dv_load *l, double reserve, double margin, double *work);
int dv_shortest_admissible(dv_load *l, double *u, double *memory, int *ints);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
