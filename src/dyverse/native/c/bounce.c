/* The impact that is met most often: one ball hits one wall and touches nothing else. All that the
 * node needs to know is constant, and its answer a formula; visiting.c is for what is not so. */

/* The impulse of a contact that closes with γ⁻; 0 if it is not for a formula to say. */
static int dv_flat_impulse(dv_engine *e, dv_flat *f, int contact, const double *gamma,
                           double *impulse, dv_answer *answer) {
    double c[3], gained = 0.0, exchanged = 0.0, slip = dv_length(gamma[1], gamma[2]);
    double mu = dv_friction(e, contact, slip);
    int directed = 0;
    dv_problem p = {1, f->block, c, &mu, NULL, NULL, &directed, &f->a, &f->t, NULL, NULL, 0.0, 0.0};
    if (e->impact == DV_IN_PHASES && mu != 0.0) return 0;
    for (int r = 0; r < 3; r++) c[r] = (1 + (r ? e->e_T : e->e_N)[contact]) * gamma[r];
    if (!dv_is_single(&p) || !(f->a > 0.0)) return 0;
    *answer = dv_solve_single(&p, impulse);
    for (int r = 0; r < 3; r++) { /* see dv_energy_change */
        double half = dv_dot3(f->block + 3 * r, impulse) / 2;
        gained += impulse[r] * (gamma[r] + half);
        exchanged += fabs(impulse[r] * gamma[r]) + impulse[r] * half;
    }
    return answer->status == DV_SOLVED && gained <= 1e-12 * exchanged;
}

/* Through the impact node of the one contact in `other`; 0 if that is not so simple, and then
 * nothing has changed. */
static int dv_bounce(dv_engine *e, dv_found *found) {
    int contact = e->other.contact[0];
    double impulse[3], gamma[3], *speed = e->other.speed;
    if (e->other.count != 1 || e->flat[contact] < 0) return 0;
    dv_flat *f = e->flats + e->flat[contact];
    double *q = e->x + f->at, *v = e->x + e->coordinates + f->row, gap = dv_flat_gap(f, q);
    dv_flat_speed(f, v, gamma);
    if (!(gamma[0] < -e->options.speed)) return 0;
    if (!dv_flat_impulse(e, f, contact, gamma, impulse, &found->answer)) return 0;
    if (gamma[0] + f->block[0] * impulse[0] < DV_SLOW) return 0; /* is it the last? */
    for (int d = 0; d < DV_DOF; d++) {
        q[d] -= gap / f->block[0] * f->push[d]; /* what nearly touches now touches */
        v[d] += impulse[0] * f->push[d] + impulse[1] * f->push[6 + d] + impulse[2] * f->push[12 + d];
    }
    if (e->impact == DV_IN_TURN) found->answer.method = DV_SEQUENCE;
    dv_flat_speed(f, v, speed);
    dv_to_world(f->frame, impulse, e->drive);
    e->hit[contact] = e->struck[0] = 1;
    e->now.accumulates = NAN;
    dv_end_impact(e);
    dv_note_impact(e);
    return 1;
}
