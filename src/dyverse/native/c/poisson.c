/* Poisson's law of impact: compression, then expansion, whose normal impulses are at least e_N times
 * those before. See dyverse.contact.law.poisson. */

/* A phase of expansion with coefficients s e after the impulses `pressed`: all impulses to `impulse`.
 * memory: 2 N more than dv_solve needs. */
static dv_answer dv_expand(dv_problem *p, double s, const double *gamma, const double *e,
                           const double *pressed, double *impulse, int brief, double *memory,
                           int *ints) {
    int N = 3 * p->n, any = 0;
    double *both = memory, *granted = memory + N;
    dv_answer answer = {DV_SOLVED, DV_SORPROX, 0, 0.0, s};
    for (int i = 0; i < N; i++) {
        double given = i % 3 ? 0.0 : s * e[2 * (i / 3)] * pressed[i];
        if (i % 3 == 0) granted[i / 3] = given;
        both[i] = pressed[i] + given;
        any |= given != 0.0;
    }
    dv_zero(impulse, N);
    if (any) {
        for (int i = 0; i < N; i++) {
            double rebound = i % 3 ? s * e[2 * (i / 3) + 1] * gamma[i] : 0.0;
            p->c[i] = gamma[i] + dv_dot(p->G + i * N, both, N) + rebound;
        }
        p->granted = granted;
        answer = dv_solve(p, impulse, brief, memory + 2 * N, ints);
        p->granted = NULL;
        answer.scale = s;
    }
    for (int i = 0; i < N; i++) impulse[i] += both[i];
    return answer;
}

/* Both phases; where they would create energy, or expansion has no solution, with the largest share s
 * of the restitution that bisection finds good. e: e_N, e_T per contact. */
dv_answer dv_solve_phases(dv_problem *p, const double *gamma, const double *e, double *impulse,
                          double *memory, int *ints) {
    int N = 3 * p->n;
    double exchanged, refused = 1.0, *pressed = memory, *trial = memory + N, *rest = memory + 2 * N;
    dv_copy(p->c, gamma, N);
    dv_zero(pressed, N);
    dv_answer first = dv_solve(p, pressed, 0, rest, ints);
    if (first.status != DV_SOLVED) {
        dv_copy(impulse, pressed, N);
        return first;
    }
    dv_answer granted = dv_expand(p, 1.0, gamma, e, pressed, impulse, 0, rest, ints);
    if (granted.status != DV_SOLVED ||
        dv_energy_change(p, gamma, impulse, &exchanged) > 1e-12 * exchanged) {
        granted = dv_expand(p, 0.0, gamma, e, pressed, impulse, 0, rest, ints);
        for (int turn = 0; turn < DV_BISECTIONS; turn++) {
            double s = (granted.scale + refused) / 2;
            dv_answer tried = dv_expand(p, s, gamma, e, pressed, trial, 1, rest, ints);
            if (tried.status == DV_SOLVED &&
                dv_energy_change(p, gamma, trial, &exchanged) <= 0.0) {
                granted = tried;
                dv_copy(impulse, trial, N);
            } else {
                refused = s;
            }
        }
    }
    if (first.sweeps >= granted.sweeps) granted.method = first.method;
    granted.sweeps += first.sweeps;
    granted.residual = dv_max(granted.residual, first.residual);
    return granted;
}
