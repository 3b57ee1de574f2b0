/* Bodies at a state, as the functions of pairs and joints want them, and the gaps between them; and what
 * M⁻¹ does to the six speeds of one. See dyverse.mechanics.contacts and mass. */

/* All bodies where their numbers say, at rest; those that move are filled in from states. */
static void dv_place_fixed(dv_engine *e) {
    dv_zero(e->body, DV_BODY * e->bodies);
    e->reach = 0.0;
    for (int b = 0; b < e->bodies; b++) {
        double *out = e->body + DV_BODY * b;
        dv_copy(out, e->position + 3 * b, 3);
        out[9] = 1.0;
        if (!e->lying) continue;
        dv_copy(out + 9, e->lain + DV_LYING * b, 4);
        if (e->place[b] >= 0 && e->lies[e->place[b]])
            e->reach = dv_max(e->reach, e->lain[DV_LYING * b + 4]);
    }
}

/* Position, velocity, spin and orientation of one body, from its coordinates and speeds. */
static void dv_fill_from(const dv_engine *e, const double *q, const double *v, int body) {
    double *out = e->body + DV_BODY * body;
    dv_copy(out, q, 3);
    dv_copy(out + 3, v, DV_DOF);
    if (!e->lies[e->place[body]]) return;
    dv_copy(out + 9, q + 3, 4);
    dv_rotate(q + 3, v + 3, out + 6);
}

static void dv_fill_body(const dv_engine *e, const double *x, int body) {
    int row = e->place[body];
    if (row < 0) return; /* fixed: filled by dv_set_numbers */
    dv_fill_from(e, x + e->at[row], x + e->coordinates + DV_DOF * row, body);
}

static void dv_fill_bodies(const dv_engine *e, const double *x) {
    for (int b = 0; b < e->bodies; b++) dv_fill_body(e, x, b);
}

/* Whether a contact has been switched off. */
static int dv_is_gone(const dv_engine *e, int contact) {
    return e->conditions && e->off[contact];
}

/* g_N and ġ_N of one contact, from the bodies filled last. */
static void dv_gap(const dv_engine *e, int contact, double *out) {
    const int *ends = e->ends + 2 * contact;
    const dv_flat *f = dv_flat_of(e, contact);
    if (f) {
        dv_flat_survey(f, e->body + DV_BODY * ends[0], e->body + DV_BODY * ends[0] + 3, out);
        return;
    }
    dv_model_gap(e->kind[contact], e->body + DV_BODY * ends[0], e->body + DV_BODY * ends[1],
                 e->shape + e->shapes * contact, out);
    if (dv_is_gone(e, contact)) out[0] = DV_FAR_OFF;
}

/* Let rows of a contact or a joint take the spins of its bodies in their own axes, ω = R s. */
static void dv_turn_rows(const dv_engine *e, const int *ends, int rows, double *jacobian) {
    for (int i = 0; i < 2; i++) {
        int row = ends[i] < 0 ? -1 : e->place[ends[i]];
        if (row < 0 || !e->lies[row]) continue;
        for (int r = 0; r < rows; r++) {
            double *spin = jacobian + 12 * r + DV_DOF * i + 3, own[3];
            dv_rotate_back(e->body + DV_BODY * ends[i] + 9, spin, own);
            dv_copy(spin, own, 3);
        }
    }
}

/* Add what is beside the diagonal of a moving body's M⁻¹, times six speeds, to six others. */
static void dv_add_mixed(const dv_engine *e, int body, double share, const double *in, double *out) {
    const double *k = e->mixed + 3 * (e->lies[body] - 1);
    if (!e->lies[body]) return;
    out[3] += share * (k[0] * in[4] + k[1] * in[5]);
    out[4] += share * (k[0] * in[3] + k[2] * in[5]);
    out[5] += share * (k[1] * in[3] + k[2] * in[4]);
}

/* Σ over the six speeds of one body: row of contact j times M⁻¹ times row of contact k. */
static double dv_through_body(const dv_engine *e, int body, const double *row, const double *other) {
    const double *im = e->inverse_mass + DV_DOF * e->place[body];
    double sum = 0.0, mixed[DV_DOF] = {0.0};
    for (int d = 0; d < DV_DOF; d++) sum += row[d] * im[d] * other[d];
    if (!e->turning) return sum;
    dv_add_mixed(e, e->place[body], 1.0, other, mixed);
    return sum + dv_dot3(row + 3, mixed + 3);
}
