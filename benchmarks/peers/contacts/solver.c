/* dyverse's contact solver by itself: the files of the runtime that it needs, and one entrance. */
#include "law.h"

#include "dense.c"
#include "problem.c"
#include "sorprox.c"
#include "newton.c"
#include "lemke.c"
#include "linear.c"
#include "solve.c"
#include "shortest.c"

/* Doubles of working memory for n contacts; as engine.c has them. */
long bench_room(int n) {
    long N = 3L * n, proof = n < DV_PROOF ? n : DV_PROOF, wide = 6 * proof;
    return 5 * N * N + 25 * N + 9 * proof * proof + wide * wide + wide * (2 * wide + 2) + 20 * wide;
}

/* From nothing to forces; `memory` holds bench_room(n) + 5 n doubles, `ints` n n + 14 n + 8. */
int bench_solve(int n, double *G, double *c, double *mu, double *forces, double *memory, int *ints,
                int *sweeps) {
    dv_problem p = {.n = n, .G = G, .c = c, .mu = mu, .sliding = memory, .directed = ints,
                    .a = memory + 2 * n, .t = memory + 3 * n, .beside = ints + 13 * n + 8,
                    .besides = ints + n * n + 13 * n + 8};
    memset(ints, 0, (size_t)n * sizeof(int));
    dv_zero(forces, 3 * n);
    if (!dv_prepare(&p)) return -1;
    dv_answer answer = dv_solve(&p, forces, 0, memory + 5 * n, ints + n);
    *sweeps = answer.sweeps;
    return answer.status == DV_SOLVED ? answer.method : -1;
}
