/* A ball and a wall: the frame of their contact never turns, so that Jacobian, Delassus block and
 * its inverse are constants. They are taken once from the generated code, when numbers are set. */

/* A⁻¹ of a 3 x 3 matrix by cofactors. */
static void dv_invert3(const double *A, double *inverse) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            inverse[3 * k + i] = A[3 * i1 + k1] * A[3 * i2 + k2] - A[3 * i1 + k2] * A[3 * i2 + k1];
        }
    double determinant = A[0] * inverse[0] + A[1] * inverse[3] + A[2] * inverse[6];
    for (int i = 0; i < 9; i++) inverse[i] /= determinant;
}

/* Directions that push nothing have a place on the diagonal of G, so that it is regular. */
static void dv_fill_idle(const dv_engine *e, int contact, double *G, int N) {
    if (e->resists[contact]) G[0] = G[N + 1];
    if (e->single[contact] && G[N + 1] == 0.0) G[N + 1] = G[0];
    if (e->single[contact]) G[2 * N + 2] = G[N + 1];
}

/* What is constant about a contact: at the wall's own position the gap is minus the radius. */
static void dv_prepare_flat(dv_engine *e, int contact) {
    dv_flat *f = e->flats + e->flat[contact];
    const int *ends = e->ends + 2 * contact;
    double a[DV_BODY] = {0.0}, b[DV_BODY] = {0.0}, speed[3], bias[3];
    f->row = DV_DOF * e->place[ends[0]];
    f->at = e->at[e->place[ends[0]]];
    f->wall = e->position + 3 * ends[1];
    dv_copy(a, f->wall, 3);
    dv_copy(b, f->wall, 3);
    dv_model_rows(e->kind[contact], a, b, e->shape + e->shapes * contact, &f->gap, speed, bias,
                  f->jacobian, f->frame);
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < DV_DOF; d++)
            f->push[DV_DOF * r + d] = e->inverse_mass[f->row + d] * f->jacobian[12 * r + d];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            f->block[3 * r + s] = dv_dot(f->push + DV_DOF * r, f->jacobian + 12 * s, DV_DOF);
    dv_fill_idle(e, contact, f->block, 3);
    dv_invert3(f->block, f->inverse);
    for (int r = 0; r < 3; r++)
        f->soft[r] = fabs(f->inverse[3 * r]) + fabs(f->inverse[3 * r + 1]) +
                     fabs(f->inverse[3 * r + 2]);
    dv_scales(f->block, 3, &f->a, &f->t);
}

static void dv_prepare_flats(dv_engine *e) {
    for (int c = 0; c < e->contacts; c++)
        if (e->flat[c] >= 0) dv_prepare_flat(e, c);
}

/* g_N and ġ_N. */
static inline void dv_flat_survey(const dv_flat *f, const double *position, const double *v,
                                  double *out) {
    out[0] = dv_flat_gap(f, position);
    out[1] = dv_dot3(f->jacobian, v); /* a ball's spin does not move it */
}

/* γ of a ball that moves with v. */
static inline void dv_flat_speed(const dv_flat *f, const double *v, double *speed) {
    speed[0] = dv_dot3(f->jacobian, v);
    speed[1] = dv_flat_row(f, 1, v);
    speed[2] = dv_flat_row(f, 2, v);
}

/* What changes from state to state of a contact's rows. */
static void dv_flat_moves(const dv_engine *e, const dv_flat *f, dv_closed *closed, int k,
                          const double *x) {
    closed->gap[k] = dv_flat_gap(f, x + f->at);
    dv_flat_speed(f, x + e->coordinates + f->row, closed->speed + 3 * k);
}

/* And what does not, of all flat contacts in a new list. */
static void dv_keep_flats(const dv_engine *e, dv_closed *closed) {
    for (int k = 0; k < closed->count; k++) {
        const dv_flat *f = dv_flat_of(e, closed->contact[k]);
        if (!f) continue;
        dv_zero(closed->bias + 3 * k, 3);
        dv_copy(closed->jacobian + 36 * k, f->jacobian, 36);
        dv_copy(closed->frame + 9 * k, f->frame, 9);
    }
}

/* Gap of a flat contact and its rate on this step, as polynomials like those of the state. */
static void dv_draw_line(dv_engine *e, int contact) {
    const dv_flat *f = dv_flat_of(e, contact);
    const double *n = f->jacobian;
    if (e->drawn == contact) return;
    e->drawn = contact;
    e->line[0][2] = 0.0;
    for (int d = 0; d <= e->step.powers; d++) {
        const double *line = e->step.dense[d];
        e->line[0][d] = dv_dot3(n, line + f->at);
        e->line[1][d] = dv_dot3(n, line + e->coordinates + f->row);
    }
    e->line[0][0] = dv_flat_gap(f, e->step.dense[0] + f->at);
}

static double dv_on_line(const dv_engine *e, const double *line, double share) {
    double rest = 1.0 - share, sum = line[e->step.powers];
    for (int d = e->step.powers - 1; d > 0; d--) sum = line[d] + (d % 2 ? rest : share) * sum;
    return line[0] + share * sum;
}
