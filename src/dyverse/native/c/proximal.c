/* Newton's method where contacts are redundant, by proximal points: dyverse.contact.law.proximal. */

#define DV_PROXIMAL 1e-2 /* share of its diagonal that G is first stiffened by */
#define DV_EASING 2.0    /* from one point to the next */
#define DV_STIFFER 10.0  /* when there is none */
#define DV_PROXIMAL_POINTS 60
#define DV_IN_VAIN 8 /* points that are hardly better than the one before: there is no more to gain */

/* The point next to `at` for a share rho, from the forces in `found`, to which it goes; 0 if it is not
 * found. The problem is as it was afterwards; memory: 2 N more than Newton's method needs. */
static int dv_next_point(dv_problem *p, double rho, const double *at, double *found, double *memory,
                         int *ints) {
    int N = 3 * p->n;
    double *G = memory, *c = G + N, tolerance = DV_TOLERANCE * dv_scale(p);
    for (int i = 0; i < N; i++) {
        double own = p->G[i * N + i];
        G[i] = own;
        c[i] = p->c[i];
        p->G[i * N + i] = own * (1 + rho);
        p->c[i] -= rho * own * at[i];
    }
    dv_newton(p, found, tolerance, c + N, ints);
    int met = dv_worst(p, found) <= 10 * tolerance;
    for (int i = 0; i < N; i++) {
        p->G[i * N + i] = G[i];
        p->c[i] = c[i];
    }
    return met;
}

/* Whether what the best forces leave may be an error of c. */
static int dv_is_tolerated(const dv_search *s) {
    return s->answer.residual * dv_scale(s->p) <= s->p->tolerated;
}

/* Whether the best forces will do if proximal points get no further. With many contacts nothing else
 * does either. */
static int dv_is_enough(const dv_search *s) {
    double left = s->answer.residual * dv_scale(s->p);
    return left <= (s->p->n > DV_FEW ? s->p->passable : s->p->tolerated);
}

/* Along proximal points from where the sweeps are, or from no forces at all. */
static int dv_try_proximal(dv_search *s, int afresh) {
    int N = 3 * s->p->n;
    double rho = DV_PROXIMAL, *at = s->other, *drift = s->mu;
    int vain = 0;
    for (int i = 0; i < N; i++) at[i] = afresh ? 0.0 : s->forces[i];
    dv_zero(drift, N);
    for (int k = 0; k < DV_PROXIMAL_POINTS && rho <= 1.0; k++) {
        for (int i = 0; i < N; i++) s->guess[i] = at[i] + drift[i];
        int found = dv_next_point(s->p, rho, at, s->guess, s->memory, s->ints);
        if (!found) {
            dv_copy(s->guess, at, N);
            found = dv_next_point(s->p, rho, at, s->guess, s->memory, s->ints);
        }
        if (!found) {
            dv_zero(drift, N);
            rho *= DV_STIFFER;
            continue;
        }
        for (int i = 0; i < N; i++) drift[i] = DV_EASING * (s->guess[i] - at[i]);
        dv_copy(at, s->guess, N);
        double before = s->answer.residual;
        if (dv_try(s, at, DV_NEWTON)) return 1;
        vain = s->answer.residual < before / DV_EASING ? 0 : vain + 1;
        if (vain && dv_is_tolerated(s)) return 1;
        if (vain >= DV_IN_VAIN && dv_is_enough(s)) return 1;
        rho = dv_max(rho / DV_EASING, 1e-9);
    }
    return 0;
}
