/* Steps for slow slip. Friction turns the direction of slip within v/(μ g): along the real axis the
 * field is as stiff as the slip is slow, and steps of an explicit method of few stages get as short.
 * The stability of a Runge-Kutta-Chebyshev method grows with the square of its stages; this one is
 * of order 2 [sommeijer1998], with a cubic between both ends of a step. */

#define DV_DAMPED (2.0 / 13.0)
#define DV_MOST_STAGES 250
#define DV_SAFE 2.0  /* by which the field may get stiffer within a step */
#define DV_LIMIT 2.0 /* rates times step: more is hardly stable in the other method */
#define DV_STIFF 12  /* steps in a row at that limit before this method takes over */

/* After a step, of which y1 was looked at last: whether it was as long as it could be. */
static void dv_note_stiffness(dv_steps *s, double h) {
    if (!s->relaxation) return;
    s->pace.relaxing = s->relaxation(s->of);
    s->pace.stiff = h * s->pace.relaxing > DV_LIMIT ? s->pace.stiff + 1 : 0;
}

static int dv_is_stiff(const dv_steps *s, double h) {
    return s->pace.stiff >= DV_STIFF && h * s->pace.relaxing > DV_LIMIT;
}

/* Stages that are stable for a step of length h. */
static int dv_stages_for(const dv_steps *s, double h) {
    double wanted = 1 + sqrt(1 + 1.54 * DV_SAFE * h * s->pace.relaxing);
    return wanted < 2 ? 2 : wanted > DV_MOST_STAGES ? DV_MOST_STAGES : (int)ceil(wanted);
}

/* The longest step that the most stages are stable for. */
static double dv_longest_stable(const dv_steps *s) {
    double most = DV_MOST_STAGES - 1.0;
    return (most * most - 1) / (1.54 * DV_SAFE * s->pace.relaxing);
}

/* All stages of a step of length h; y1 is the state after it, the last stage its rate, and the
 * estimated error is left in yt. */
static void dv_chebyshev(dv_steps *s, double time, double h, double end) {
    int stages = dv_stages_for(s, h);
    double w0 = 1 + DV_DAMPED / ((double)stages * stages), T = w0, T1 = 1.0, T2 = 0.0;
    double before = 1.0, before1 = 0.0, before2 = 0.0; /* T, T′ and T″ of the stage before */
    double root = sqrt(w0 * w0 - 1), angle = stages * log(w0 + root);
    double slope = stages * sinh(angle) / root;
    double w1 = slope * root * root / ((double)stages * stages * cosh(angle) - w0 * slope);
    double b2 = 1 / (4 * w0 * w0), b1 = b2, b0 = b2, a1 = 1 - b1 * w0;
    double *first = s->stage[0], *older = s->stage[1], *old = s->stage[2], *rate = s->stage[3],
           *now = s->stage[4], *last = s->stage[s->method->last];
    double at = b1 * w1; /* of the step: where the stage is */
    dv_copy(older, s->x, s->n);
    for (int i = 0; i < s->n; i++) old[i] = s->x[i] + b1 * w1 * h * first[i];
    for (int j = 2; j <= stages; j++) {
        double next = 2 * w0 * T - before, next1 = 2 * T + 2 * w0 * T1 - before1,
               next2 = 4 * T1 + 2 * w0 * T2 - before2;
        double b = next2 / (next1 * next1), mu = 2 * b * w0 / b1, nu = -b / b0,
               push = 2 * b * w1 / b1, pull = -a1 * push;
        s->rate(s->of, time + at * h, old, rate);
        for (int i = 0; i < s->n; i++)
            now[i] = (1 - mu - nu) * s->x[i] + mu * old[i] + nu * older[i] +
                     h * (push * rate[i] + pull * first[i]);
        at = w1 * next2 / next1;
        before = T, before1 = T1, before2 = T2;
        T = next, T1 = next1, T2 = next2;
        b0 = b1, b1 = b, a1 = 1 - b * T;
        double *free = older;
        older = old, old = now, now = free;
    }
    dv_copy(s->y1, old, s->n);
    s->rate(s->of, end, s->y1, last);
    for (int i = 0; i < s->n; i++)
        s->yt[i] = 0.8 * (s->x[i] - s->y1[i]) + 0.4 * h * (first[i] + last[i]);
}
