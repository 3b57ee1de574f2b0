/* SORPROX: Gauss-Seidel sweeps with proximal projection, paper Appendix A, misprints mended. */

/* One sweep, all normals before all tangentials; returns the largest change. */
static double dv_sweep(const dv_problem *p, double *forces) {
    double change = 0.0;
    for (int j = 0; j < p->n; j++) { /* (A1), (A3), (A5) */
        double old = forces[3 * j];
        forces[3 * j] = dv_max(0.0, old - dv_row(p, 3 * j, forces) / p->a[j]);
        change = dv_max(change, fabs(forces[3 * j] - old));
    }
    for (int j = 0; j < p->n; j++) { /* (A2), (A4), (A6) */
        if (p->mu[j] == 0.0) continue;
        double *own = forces + 3 * j + 1, estimate[2], nearest[2];
        for (int i = 0; i < 2; i++)
            estimate[i] = own[i] - dv_row(p, 3 * j + 1 + i, forces) / p->t[j];
        dv_friction_force(p, j, forces[3 * j], estimate, nearest);
        for (int i = 0; i < 2; i++) {
            change = dv_max(change, fabs(nearest[i] - own[i]));
            own[i] = nearest[i];
        }
    }
    return change;
}

/* Sweep until the complementarity residual is at most `tolerance`, not until the steps are small
 * (A7): slow convergence makes small steps far from the solution. Returns the sweeps made. */
static int dv_sorprox(const dv_problem *p, double *forces, int sweeps, double tolerance) {
    double stiffness = dv_max(dv_largest(p->a, p->n), dv_largest(p->t, p->n));
    double limit = tolerance * dv_scale(p);
    double near = 1e3 * limit / stiffness, far = 1e12 * dv_scale(p) / stiffness;
    for (int done = 1; done <= sweeps; done++) {
        double change = dv_sweep(p, forces);
        if (change <= near && dv_worst(p, forces) <= limit) return done;
        if (!(change < far)) return done; /* diverges (Painlevé) */
    }
    return sweeps;
}
