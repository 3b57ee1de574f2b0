/* What bodies say of the steps of an integrator: their rates, what limits a step, and how it begins. */

static void dv_step_rate(void *of, double time, const double *x, double *rate) {
    dv_rate((dv_engine *)of, time, x, rate);
}

/* On parabolas positions accelerate, and accelerations do not change. */
static void dv_step_second(void *of, const double *rate, double *second) {
    const dv_engine *e = (const dv_engine *)of;
    dv_copy(second, rate + e->coordinates, e->speeds);
    dv_zero(second + e->coordinates, e->speeds);
}

/* How wrong the direction of slip may be. Friction turns a slow slip within v/(μ g), which is stiff;
 * tolerances of the speeds of the bodies do not see it, and at the limit of stability of the method
 * the direction would swing for ever. The last rate was that of y1, so the rows are there. */
static double dv_slip_error(void *of, const double *error) {
    const dv_engine *e = (const dv_engine *)of;
    const double *rates = error + e->coordinates;
    double worst = 0.0;
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k];
        if (e->modes[c] != DV_SLIP || e->smooth[c]) continue;
        double miss = dv_length(dv_row_times(e, &e->closed, k, 1, rates),
                            dv_row_times(e, &e->closed, k, 2, rates));
        worst = dv_max(worst, miss / (1e-3 * dv_slip_speed(&e->closed, k) + 1e-12));
    }
    return worst;
}

/* A bound of how fast slip directions relax (1/s): G and the stiffness D of friction across the slip
 * are positive, so no eigenvalue of G D is above its trace. The last rate tells it, of the state y1. */
static double dv_relaxation(void *of) {
    const dv_engine *e = (const dv_engine *)of;
    double sum = 0.0, block[9];
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k];
        if (e->modes[c] != DV_SLIP || e->smooth[c]) continue;
        dv_block(e, &e->closed, k, k, block, 3);
        double speed = dv_max(dv_slip_speed(&e->closed, k), 1e-300);
        sum += dv_max(e->motion.limit[k], 0.0) * dv_max(block[4], block[8]) / speed;
    }
    return sum;
}

/* A first length of steps along parabolas: a little more than the first of the contacts that head for
 * it needs to close. The rates of x are known. */
static double dv_nearest(void *of) {
    dv_engine *e = (dv_engine *)of;
    const double *a0 = e->step.stage[0] + e->coordinates;
    double least = INFINITY;
    dv_survey(e);
    for (int k = 0; k < e->live_count; k++) {
        int c = e->live[k];
        double a = 0.0, v = e->speed0[c], gap = dv_max(e->gap0[c], 0.0);
        int first = e->place[e->ends[2 * c]], second = e->place[e->ends[2 * c + 1]];
        for (int i = 0; i < 3; i++) {
            double own = first < 0 ? 0.0 : a0[DV_DOF * first + i];
            double other = second < 0 ? 0.0 : a0[DV_DOF * second + i];
            a += (own - other) * (own - other);
        }
        a = sqrt(a);
        double wait = a > 0.0 ? (v + sqrt(v * v + 2 * a * gap)) / a : v < 0.0 ? -gap / v : INFINITY;
        if (wait > 0.0) least = dv_min(least, wait);
    }
    return 1.1 * least;
}

static void dv_tie_steps(dv_engine *e) {
    dv_steps *s = &e->step;
    s->of = e;
    s->x = e->x;
    s->relative = e->options.relative;
    s->absolute = e->options.absolute;
    s->longest = e->options.longest_step;
    s->rate = dv_step_rate;
    s->second = dv_step_second;
    s->own_error = dv_slip_error;
    s->relaxation = dv_relaxation;
    s->first_length = dv_nearest;
    s->chooses = s->relative <= DV_FINE;
    s->method = &DV_ORDER_5;
}
