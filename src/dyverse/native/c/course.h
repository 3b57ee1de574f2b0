/* How a state is followed in time, as the unit of it offers this to all engines: steps, the search for
 * events on them, functions that switch, the log. What they do is said where they are. */
#ifndef DV_COURSE_H
#define DV_COURSE_H

#include "record.h"
#include "search.h"
#include "steps.h"
#include "switches.h"

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

double dv_value(const dv_hunt *h, double time);
void dv_draw(dv_hunt *h, double start, double end, dv_curve *c);
int dv_is_near(const dv_hunt *h, const dv_curve *c, int i);
double dv_scan(dv_hunt *h, const dv_curve *c, int armed, int level);
void dv_lower(const dv_lowest *p, double time, double value);
void dv_watch_depth(dv_hunt *h, const dv_lowest *p, dv_curve *c, double length);

extern const dv_tableau DV_ORDER_5, DV_ORDER_8;
long dv_lay_out_steps(dv_steps *s, int n, double *memory);
void dv_begin_steps(dv_steps *s);
int dv_first_rate(dv_steps *s, double time);
int dv_make_step(dv_steps *s, double time, double until);
void dv_straight(dv_steps *s, double time, double end);
void dv_dense_state(const dv_steps *s, double time, double *out);
double dv_take_step(dv_steps *s);

void dv_keep_record(dv_record *r, int keep);
void dv_log_begin_arc(dv_record *r, double time, const double *x, int n, const double *sides,
                      int switches);
void dv_log_rows(dv_record *r, const dv_steps *s, double end, int samples);
long dv_log_of_rows(dv_record *r);
void dv_hand_over(dv_record *r, double *out);

size_t dx_lay_out(dx_switches *w, int count, int n, char *memory);
void dx_begin(dx_switches *w);
void dx_forget(dx_switches *w);
double dx_jump(int kind, double s);
void dx_take(dx_switches *w);
void dx_literal(dx_switches *w, double time, const double *x);
void dx_field(dx_switches *w, double time, const double *x, double *f);
int dx_decide(dx_switches *w, double time, const double *x, const int *crossed);
void dx_signals(dx_switches *w, double time, const double *x, double *v, double *r);
void dx_rest(dx_switches *w, double time, const double *x);
double dx_first(dx_switches *w, double start, double end);
int dx_switch(dx_switches *w, double time, const double *x, long most);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
