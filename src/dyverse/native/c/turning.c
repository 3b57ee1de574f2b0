/* How coordinates follow speeds, q̇ = N(q) v. Most bodies count their turns: q̇ = v. One with an
 * orientation has a unit quaternion (w, x, y, z), from its own axes to those of the world, and its spin
 * in its own axes. See dyverse.mechanics.turning. */

static void dv_turn_angles(dv_engine *e, const double *x, const double *speeds, double *out);
static void dv_count_turns(dv_engine *e, double *x);

/* R(p), row by row. */
static void dv_rotation(const double *p, double *R) {
    double w = p[0], x = p[1], y = p[2], z = p[3];
    R[0] = 1 - 2 * (y * y + z * z);
    R[1] = 2 * (x * y - w * z);
    R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z);
    R[4] = 1 - 2 * (x * x + z * z);
    R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y);
    R[7] = 2 * (y * z + w * x);
    R[8] = 1 - 2 * (x * x + y * y);
}

/* From the axes of a body to those of the world, and back. */
static void dv_rotate(const double *p, const double *in, double *out) {
    double R[9];
    dv_rotation(p, R);
    for (int i = 0; i < 3; i++) out[i] = dv_dot3(R + 3 * i, in);
}

static void dv_rotate_back(const double *p, const double *in, double *out) {
    double R[9];
    dv_rotation(p, R);
    for (int i = 0; i < 3; i++) out[i] = R[i] * in[0] + R[3 + i] * in[1] + R[6 + i] * in[2];
}

/* out = ½ p ∘ (0, s). */
static void dv_spin(const double *p, const double *s, double *out) {
    out[0] = (-p[1] * s[0] - p[2] * s[1] - p[3] * s[2]) / 2;
    out[1] = (p[0] * s[0] + p[2] * s[2] - p[3] * s[1]) / 2;
    out[2] = (p[0] * s[1] - p[1] * s[2] + p[3] * s[0]) / 2;
    out[3] = (p[0] * s[2] + p[1] * s[1] - p[2] * s[0]) / 2;
}

/* N(q) times `speeds`, at the coordinates of x. */
static void dv_move(dv_engine *e, const double *x, const double *speeds, double *out) {
    if (!e->turning) {
        dv_copy(out, speeds, e->speeds);
        return;
    }
    for (int row = 0; row < e->moving; row++) {
        const double *v = speeds + DV_DOF * row;
        int at = e->at[row];
        dv_copy(out + at, v, e->lies[row] ? 3 : DV_DOF);
        if (e->lies[row]) dv_spin(x + at + 3, v + 3, out + at + 3);
    }
    dv_turn_angles(e, x, speeds, out);
}

/* Give every quaternion of a state length one again. */
static void dv_normalise(const dv_engine *e, double *x) {
    for (int row = 0; row < e->moving && e->turning; row++) {
        double *p = x + e->at[row] + 3;
        if (!e->lies[row]) continue;
        double size = sqrt(dv_dot(p, p, 4));
        for (int i = 0; i < 4; i++) p[i] /= size;
    }
}

/* Put bodies that move along functions of time where they are exactly. One whose surface runs along
 * itself has no place of its own: its half-space is the same wherever it is. */
static void dv_place_driven(const dv_engine *e, double time, double *x) {
    double *places = e->course, *speeds = places + 3 * e->driven_count;
    double *turns = speeds + 3 * e->driven_count;
    if (e->driven_count == 0) return;
    dv_model_driven(time, e->p, places, speeds, turns);
    for (int k = 0; k < e->driven_count; k++) {
        if (!isnan(places[3 * k])) dv_copy(x + e->at[e->driven[k]], places + 3 * k, 3);
        dv_copy(x + e->coordinates + DV_DOF * e->driven[k], speeds + 3 * k, 3);
        if (isnan(turns[7 * k])) continue;
        dv_copy(x + e->at[e->driven[k]] + 3, turns + 7 * k, 4);
        dv_copy(x + e->coordinates + DV_DOF * e->driven[k] + 3, turns + 7 * k + 4, 3);
    }
}

/* Bodies are moved a little, as if by speeds for a unit of time: where these are to be added up, and
 * then moved by. Without orientations they are what the coordinates of x change by. */
static double *dv_shifted(dv_engine *e, double *x) {
    if (!e->turning) return x;
    dv_zero(e->change, e->speeds);
    return e->change;
}

static void dv_shift(dv_engine *e, double *x) {
    if (!e->turning) return;
    double rate[DV_DOF + 1];
    for (int row = 0; row < e->moving; row++) {
        const double *v = e->change + DV_DOF * row;
        double *q = x + e->at[row];
        int lies = e->lies[row], count = lies ? DV_DOF + 1 : DV_DOF;
        dv_copy(rate, v, lies ? 3 : DV_DOF);
        if (lies) dv_spin(q + 3, v + 3, rate + 3);
        for (int i = 0; i < count; i++) q[i] += rate[i];
    }
    dv_normalise(e, x);
    dv_count_turns(e, x);
}

/* How far any point of a body may have moved where no variable has by more than this. */
static double dv_farthest(const dv_engine *e, double moved) {
    return (4 + 8 * e->reach) * moved;
}
