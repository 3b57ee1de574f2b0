/* Impulses, the least ones, that stop contacts with speeds gamma; whether they push, and friction is
 * not too large. See dyverse.generation.node.painleve. */
int dv_stopping(const dv_problem *p, const double *gamma, double *impulse, double *memory, int *ints) {
    int N = 3 * p->n;
    for (int i = 0; i < N; i++) impulse[i] = -gamma[i];
    dv_least_squares(N, p->G, 1, impulse, 1e-10, memory, ints);
    for (int j = 0; j < p->n; j++) {
        const double *own = impulse + 3 * j;
        if (!(dv_length(own[1], own[2]) <= p->mu[j] * own[0] * (1 + 1e-9))) return 0;
    }
    return 1;
}
