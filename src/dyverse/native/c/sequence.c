/* Impacts of one island one after the other, the fastest approach first: the limit of small gaps
 * between bodies that touch. See dyverse.contact.law.sequence. */

#define DV_TIE 1e-9       /* approaches that differ by less, relative to the fastest, are one impact */
#define DV_ROUNDED 1e-14  /* the same, relative to the fastest at the beginning */
#define DV_FEWEST 10000   /* impacts that a sequence may have: so many, */
#define DV_PER_PAIR 100   /* and so many times n² */

/* The fastest approach of an island, its contacts' speeds being `gamma`, three each. */
static double dv_fastest(const double *gamma, int n) {
    double fastest = 0.0;
    for (int j = 0; j < n; j++) fastest = dv_max(fastest, -gamma[3 * j]);
    return fastest;
}

/* One impact of those of `members` that approach by `least` or more, by Newton's law: impulses are
 * added to found_forces, and what they do to the velocities v. */
static dv_answer dv_blow(dv_engine *e, dv_closed *closed, const int *members, const double *gamma,
                         int n, double least, double *v) {
    dv_problem *p = &e->problem;
    int *hit = e->work_int;
    double *before = e->local, *restitution = before + 3 * n, *impulse = before + 5 * n;
    dv_answer stuck = {DV_STUCK_END, DV_SEQUENCE, 0, 0.0, 1.0};
    p->n = 0;
    for (int j = 0; j < n; j++) {
        if (!(-gamma[3 * j] >= least)) continue;
        int i = p->n++, c = closed->contact[members[j]];
        hit[i] = members[j];
        dv_copy(before + 3 * i, gamma + 3 * j, 3);
        p->directed[i] = 0;
        p->mu[i] = dv_friction(e, c, dv_length(gamma[3 * j + 1], gamma[3 * j + 2]));
        restitution[2 * i] = e->e_N[c];
        restitution[2 * i + 1] = e->e_T[c];
    }
    dv_delassus(e, closed, hit, p->n, p->G);
    if (!dv_prepare(p)) return stuck;
    dv_answer answer = dv_solve_impact(p, before, restitution, impulse, e->dense_work, e->pivots);
    for (int i = 0; i < 3 * p->n; i++) {
        e->found_forces[3 * hit[i / 3] + i % 3] += impulse[i];
        if (impulse[i] != 0.0) dv_push(e, closed, hit[i / 3], i % 3, impulse[i], v);
    }
    return answer;
}

/* Impacts until nobody of an island approaches by more than the tolerance, or there are too many.
 * Impulses go to found_forces, which are zero before. Sweeps count impacts. */
static dv_answer dv_solve_sequence(dv_engine *e, dv_closed *closed, const int *members, int n) {
    dv_answer whole = {DV_SOLVED, DV_SEQUENCE, 0, 0.0, 1.0};
    double *gamma = e->stay, *v = e->yt;
    int most = DV_FEWEST + DV_PER_PAIR * n * n;
    for (int j = 0; j < n; j++) {
        dv_copy(gamma + 3 * j, closed->speed + 3 * members[j], 3);
        if (e->resists[closed->contact[members[j]]]) gamma[3 * j] = 0.0; /* not in no time */
    }
    double first = dv_fastest(gamma, n), fastest = first;
    dv_copy(v, e->x + e->coordinates, e->speeds);
    for (; fastest > e->options.speed; fastest = dv_fastest(gamma, n)) {
        if (whole.sweeps == most) {
            whole.status = DV_OPEN_END;
            return whole;
        }
        double least = fastest * (1 - DV_TIE) - DV_ROUNDED * first;
        dv_answer one = dv_blow(e, closed, members, gamma, n, least, v);
        whole.status = one.status;
        if (one.status != DV_SOLVED) return whole;
        whole.sweeps++;
        whole.residual = dv_max(whole.residual, one.residual);
        whole.scale = dv_min(whole.scale, one.scale);
        for (int j = 0; j < n; j++)
            for (int r = 0; r < 3; r++)
                gamma[3 * j + r] = dv_row_times(e, closed, members[j], r, v);
    }
    return whole;
}
