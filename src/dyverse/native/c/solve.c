/* Solve a contact problem: sweeps first, then the methods that cannot crawl, then sweeps again; and
 * impacts, kept from creating energy. See dyverse.contact.law.solve and impact. */

#define DV_TOLERANCE 1e-12 /* relative residual */
#define DV_DIVERGED 1e6
#define DV_FIRST_SWEEPS 8 /* before Newton's method is tried a first time */
#define DV_MAX_SWEEPS 200
#define DV_MANY_SWEEPS 600 /* before proximal points and other starts are tried */
#define DV_HARD_CAP 5000
#define DV_RESTARTS 10
#define DV_FEW 12 /* contacts up to which a restart costs less than a round of sweeps */
#define DV_BISECTIONS 24

/* A search for forces: where it is, and the best so far. */
typedef struct {
    dv_problem *p;
    double *forces, *guess, *best, *other, *mu, *memory;
    int *ints;
    int sweeps;
    dv_answer answer; /* of `best` */
} dv_search;

static dv_search dv_search_begin(dv_problem *p, double *best, double *memory, int *ints) {
    int N = 3 * p->n;
    dv_search s = {p, memory, memory + N, best, memory + 2 * N, memory + 3 * N, memory + 4 * N,
                   ints, 0, {DV_OPEN_END, DV_SORPROX, 0, INFINITY, 1.0}};
    return s;
}

/* Accept forces that are right; keep the best of the others. Newton's and Lemke's methods get as
 * far as arithmetic goes, so theirs are also accepted at the rounding error of the residual. */
static int dv_try(dv_search *s, const double *forces, int method) {
    double residual = dv_residual(s->p, forces);
    int good = residual <= DV_TOLERANCE ||
               (method != DV_SORPROX && residual <= dv_rounding(s->p, forces));
    if (good || residual < s->answer.residual || s->sweeps == 0) {
        dv_copy(s->best, forces, 3 * s->p->n);
        s->answer.method = method;
        s->answer.sweeps = s->sweeps;
        s->answer.residual = residual;
        s->answer.status = good ? DV_SOLVED : DV_OPEN_END;
    }
    return good;
}

static int dv_try_newton(dv_search *s, const double *from) {
    dv_copy(s->guess, from, 3 * s->p->n);
    dv_newton(s->p, s->guess, DV_TOLERANCE * dv_scale(s->p), s->memory, s->ints);
    return dv_try(s, s->guess, DV_NEWTON);
}

#include "proximal.c"
#include "spreading.c"

/* Newton from solutions with no friction, then a quarter, a half and three quarters of it. */
static int dv_try_rising_friction(dv_search *s) {
    dv_problem easier = *s->p;
    easier.mu = s->mu;
    dv_zero(s->mu, s->p->n);
    if (!dv_solve_linear(&easier, s->other, s->memory, s->ints)) return 0;
    if (dv_try_newton(s, s->other)) return 1;
    for (int quarter = 1; quarter <= 3; quarter++) {
        for (int j = 0; j < s->p->n; j++) s->mu[j] = 0.25 * quarter * s->p->mu[j];
        dv_newton(&easier, s->other, DV_TOLERANCE * dv_scale(s->p), s->memory, s->ints);
        if (dv_try_newton(s, s->other)) return 1;
    }
    return 0;
}

/* A number of the normal distribution, the same on every call with the same seed. */
static double dv_random(unsigned long *seed) {
    double sum = 0.0; /* of twelve even ones */
    for (int i = 0; i < 12; i++) {
        *seed = (*seed * 1103515245ul + 12345ul) & 0x7ffffffful;
        sum += (double)*seed / 2147483648.0;
    }
    return sum - 6.0;
}

/* Newton's method can stop at a local minimum of ‖F‖, and sweeps can cycle: other starts. */
static int dv_try_restarts(dv_search *s) {
    if (dv_try_rising_friction(s)) return 1;
    unsigned long seed = (unsigned long)s->p->n;
    double size = dv_scale(s->p) / dv_largest(s->p->a, s->p->n);
    for (int i = 0; i < 3 * s->p->n; i++) size = dv_max(size, s->forces[i]);
    for (int restart = 0; restart < DV_RESTARTS; restart++) {
        for (int i = 0; i < 3 * s->p->n; i++) {
            double number = dv_random(&seed);
            s->other[i] = size * (i % 3 == 0 ? fabs(number) : 0.3 * number);
        }
        if (dv_try_newton(s, s->other)) return 1;
    }
    return 0;
}

/* Sweeps up to a budget, then Newton from where they are. */
static int dv_round(dv_search *s, int budget) {
    int N = 3 * s->p->n;
    dv_copy(s->other, s->forces, N);
    s->sweeps += dv_sorprox(s->p, s->forces, budget - s->sweeps, DV_TOLERANCE);
    if (dv_try(s, s->forces, DV_SORPROX)) return 1;
    if (!(dv_residual(s->p, s->forces) < DV_DIVERGED)) dv_copy(s->forces, s->other, N);
    return dv_try_newton(s, s->forces);
}

/* As if nothing were known of forces: those held from before can be pressed together so that, where slip
 * hardly begins, sweeps and Newton's method creep on from there. */
static int dv_try_afresh(dv_search *s) {
    dv_zero(s->other, 3 * s->p->n);
    dv_sorprox(s->p, s->other, DV_FIRST_SWEEPS, DV_TOLERANCE);
    return dv_try_newton(s, s->other);
}

/* Rounds of sweeps, each three times as long as the one before; after those that cost little, once,
 * proximal points. Other starts cost less than a round where contacts are few. */
static int dv_rounds(dv_search *s, int linear, int brief) {
    int cap = linear || brief ? DV_MAX_SWEEPS : DV_HARD_CAP;
    int many = cap < DV_MANY_SWEEPS ? cap : DV_MANY_SWEEPS;
    if (dv_round(s, DV_FIRST_SWEEPS)) return 1;
    for (int budget = DV_MAX_SWEEPS;; budget = 3 * budget < cap ? 3 * budget : cap) {
        if (dv_round(s, budget)) return 1;
        if (!linear && budget == many &&
            (dv_try_afresh(s) || dv_try_proximal(s, 0) || dv_try_proximal(s, 1) || dv_is_enough(s)))
            return 1;
        int restarts = s->p->n <= DV_FEW ? budget >= many : budget == cap;
        if (!linear && !brief && restarts && dv_try_restarts(s)) return 1;
        if (budget == cap) return 0;
    }
}

/* One contact between round bodies: normal and tangents do not mix, and the answer is a formula. */
int dv_is_single(const dv_problem *p) {
    const double *G = p->G;
    double small = 1e-15 * (G[0] + G[4]);
    return p->n == 1 && fabs(G[1]) <= small && fabs(G[2]) <= small &&
           fabs(G[5]) <= small && fabs(G[4] - G[8]) <= small;
}

dv_answer dv_solve_single(const dv_problem *p, double *forces) {
    double tangent[2] = {-p->c[1] / p->G[4], -p->c[2] / p->G[4]};
    forces[0] = dv_max(-p->c[0] / p->G[0], 0.0);
    dv_friction_force(p, 0, forces[0], tangent, forces + 1);
    dv_answer answer = {DV_SOLVED, DV_SORPROX, 1, dv_residual(p, forces), 1.0};
    if (!(answer.residual <= DV_TOLERANCE)) answer.status = DV_OPEN_END;
    return answer;
}

/* Find forces from `forces` on; `brief` gives up early. */
dv_answer dv_solve(dv_problem *p, double *forces, int brief, double *memory, int *ints) {
    int pressed = 0, N = 3 * p->n;
    for (int j = 0; j < p->n; j++)
        pressed |= p->c[3 * j] < 0.0 || (p->granted && p->granted[j] > 0.0);
    if (!pressed) { /* nothing is pressed together */
        dv_zero(forces, N);
        dv_answer none = {DV_SOLVED, DV_SORPROX, 0, dv_residual(p, forces), 1.0};
        return none;
    }
    if (dv_is_single(p)) {
        double single[3];
        dv_answer answer = dv_solve_single(p, single);
        if (answer.status == DV_SOLVED) {
            dv_copy(forces, single, N);
            return answer;
        }
    }
    dv_search s = dv_search_begin(p, forces, memory, ints);
    int linear = dv_is_linear(p);
    dv_copy(s.forces, forces, N);
    if (dv_rounds(&s, linear, brief)) {
        s.answer.status = DV_SOLVED;
        return s.answer;
    }
    if (linear && dv_solve_linear(p, s.guess, memory + 4 * N, ints) &&
        dv_try(&s, s.guess, DV_LCP))
        return s.answer;
    if (s.answer.residual * dv_scale(p) <= p->passable) {
        s.answer.status = DV_SOLVED;
        return s.answer;
    }
    if (!brief && dv_contradiction(p, memory + 4 * N, ints)) s.answer.status = DV_CONTRADICTION;
    return s.answer;
}

/* ΔE = Λᵀγ⁻ + ½ ΛᵀGΛ; `exchanged` is what its rounding is relative to. */
double dv_energy_change(const dv_problem *p, const double *gamma, const double *impulse,
                               double *exchanged) {
    double gained = 0.0, sum = 0.0;
    int N = 3 * p->n;
    for (int i = 0; i < N; i++) {
        double half = dv_dot(p->G + i * N, impulse, N) / 2;
        gained += impulse[i] * (gamma[i] + half);
        sum += fabs(impulse[i] * gamma[i]) + impulse[i] * half;
    }
    *exchanged = sum;
    return gained;
}

/* The impact with coefficients s E: c = (1 + s E) γ⁻; paper (A1), (A2) with the sign mended. */
static dv_answer dv_impact_at(dv_problem *p, double s, const double *gamma, const double *e,
                              double *impulse, int brief, double *memory, int *ints) {
    for (int i = 0; i < 3 * p->n; i++) p->c[i] = (1 + s * e[2 * (i / 3) + (i % 3 > 0)]) * gamma[i];
    dv_answer answer = dv_solve(p, impulse, brief, memory, ints);
    if (answer.status == DV_SOLVED) dv_spread_impulses(p, impulse, memory, ints);
    answer.scale = s;
    return answer;
}

/* Newton's law with Coulomb friction; where it would create energy, or has no solution, with the
 * largest share s of the restitution that bisection finds good. e: e_N, e_T per contact. */
dv_answer dv_solve_impact(dv_problem *p, const double *gamma, const double *e,
                                 double *impulse, double *memory, int *ints) {
    int N = 3 * p->n;
    double exchanged, refused = 1.0, *trial = memory, *rest = memory + N;
    dv_zero(impulse, N);
    dv_answer full = dv_impact_at(p, 1.0, gamma, e, impulse, 0, rest, ints);
    if (full.status == DV_SOLVED &&
        dv_energy_change(p, gamma, impulse, &exchanged) <= 1e-12 * exchanged)
        return full;
    dv_zero(impulse, N);
    dv_answer granted = dv_impact_at(p, 0.0, gamma, e, impulse, 0, rest, ints);
    for (int turn = 0; turn < DV_BISECTIONS && granted.status == DV_SOLVED; turn++) {
        double s = (granted.scale + refused) / 2;
        dv_copy(trial, impulse, N);
        dv_answer tried = dv_impact_at(p, s, gamma, e, trial, 1, rest, ints);
        if (tried.status == DV_SOLVED &&
            dv_energy_change(p, gamma, trial, &exchanged) <= 0.0) {
            granted = tried;
            dv_copy(impulse, trial, N);
        } else {
            refused = s;
        }
    }
    return granted;
}
