/* The mechanics without what joints take: P = M⁻¹ - M⁻¹ Wᵀ S⁻¹ W M⁻¹ in place of M⁻¹. */

#define DV_HOLDS 3 /* times that accelerations are corrected: the second takes rounding out */

/* Take out of speeds what a vector of conditions, L⁻¹ W M⁻¹ times loads, says that joints take. */
static void dv_take_out(const dv_engine *e, double *b, double *speeds) {
    dv_back(&e->joints, b);
    dv_joint_push(e, b, speeds);
}

/* Take out of an acceleration, at the state that joints are known at, what they do not allow. */
static void dv_hold(dv_engine *e, double *acceleration) {
    dv_joints *h = &e->joints;
    for (int turn = 0; turn < DV_HOLDS && h->count; turn++) {
        dv_joint_speeds(e, acceleration, h->work);
        for (int i = 0; i < h->count; i++)
            for (int r = 0; r < h->conditions[i]; r++)
                h->work[DV_HELD * i + r] +=
                    h->scale[DV_HELD * i + r] * h->bias[DV_JOINT_ROWS * i + r];
        dv_forward(h, h->work);
        dv_take_out(e, h->work, acceleration);
    }
}

/* What joints take of the rows of contact k, L⁻¹ W M⁻¹ w, and whether it is all of one. */
static void dv_take(dv_engine *e, dv_closed *closed, int k) {
    const dv_joints *h = &e->joints;
    const int *ends = e->ends + 2 * closed->contact[k];
    for (int r = 0; r < 3; r++) {
        double *taken = closed->taken + (long)DV_HELD * h->count * (3 * k + r);
        const double *J = closed->jacobian + 36 * k + 12 * r;
        double own = 0.0;
        dv_zero(taken, DV_HELD * h->count);
        for (int i = 0; i < h->count; i++)
            for (int a = 0; a < 4; a++) {
                int body = ends[a / 2];
                if (body != h->ends[2 * i + a % 2] || e->pushed[body] < 0) continue;
                const double *MJ = h->MJ + 12 * DV_JOINT_ROWS * i + DV_DOF * (a % 2);
                for (int c = 0; c < h->conditions[i]; c++)
                    taken[DV_HELD * i + c] += dv_dot(MJ + 12 * c, J + DV_DOF * (a / 2), DV_DOF);
            }
        dv_forward(h, taken);
        for (int i = 0; i < 2; i++)
            if (e->pushed[ends[i]] >= 0)
                own += dv_through_body(e, ends[i], J + DV_DOF * i, J + DV_DOF * i);
        double rest = own - dv_dot(taken, taken, DV_HELD * h->count);
        closed->lost[3 * k + r] = rest <= DV_ALL_TAKEN * own;
    }
}

/* A row of contact k as joints have taken from it. */
static const double *dv_taken(const dv_engine *e, const dv_closed *closed, int k, int r) {
    return closed->taken + (long)DV_HELD * e->joints.count * (3 * k + r);
}

/* Entry (r, s) of a block of G, which is `entry` without joints. Along a direction that they take as a
 * whole nothing moves and no force does anything: there G keeps what it would be, so that laws find no
 * force. */
static double dv_left_of(const dv_engine *e, const dv_closed *closed, int j, int r, int k, int s,
                         double entry) {
    if (closed->lost[3 * j + r] || closed->lost[3 * k + s]) return j == k && r == s ? entry : 0.0;
    return entry - dv_dot(dv_taken(e, closed, j, r), dv_taken(e, closed, k, s),
                          DV_HELD * e->joints.count);
}

/* Take out of speeds what joints take of a share of a contact's row. */
static void dv_take_row(const dv_engine *e, const dv_closed *closed, int k, int r, double share,
                        double *speeds) {
    const double *taken = dv_taken(e, closed, k, r);
    double *b = e->joints.work;
    for (int i = 0; i < DV_HELD * e->joints.count; i++) b[i] = share * taken[i];
    dv_take_out(e, b, speeds);
}

/* The same of forces at some contacts, three each. */
static void dv_take_forces(const dv_engine *e, const dv_closed *closed, const int *members, int n,
                           const double *forces, double *speeds) {
    double *b = e->joints.work;
    dv_zero(b, DV_HELD * e->joints.count);
    for (int j = 0; j < 3 * n; j++) {
        int row = 3 * members[j / 3] + j % 3;
        const double *taken = dv_taken(e, closed, members[j / 3], j % 3);
        if (forces[j] == 0.0 || closed->lost[row]) continue;
        for (int i = 0; i < DV_HELD * e->joints.count; i++) b[i] += forces[j] * taken[i];
    }
    dv_take_out(e, b, speeds);
}

/* ---- drift ---- */

/* By how much conditions or their rates are out, as they are written, given how they are measured. */
static double dv_out_by(const dv_joints *h, const double *error) {
    double most = 0.0;
    for (int i = 0; i < h->count; i++)
        for (int r = 0; r < h->conditions[i]; r++)
            most = dv_max(most, fabs(error[DV_HELD * i + r]) / h->scale[DV_HELD * i + r]);
    return most;
}

/* Take an error of conditions, or of their rates, out of `target` by the smallest change, measured by M;
 * less than `tolerated` is left. */
static void dv_take_error(dv_engine *e, double tolerated, double *target) {
    dv_joints *h = &e->joints;
    if (!(dv_out_by(h, h->work) > tolerated)) return;
    dv_forward(h, h->work);
    dv_take_out(e, h->work, target);
}

/* Set the angles of joints to those of the bodies, with as many whole turns as they have counted. */
static void dv_count_turns(dv_engine *e, double *x) {
    const dv_joints *h = &e->joints;
    double value[DV_JOINT_ROWS] = {0.0}, bias[DV_JOINT_ROWS], J[12 * DV_JOINT_ROWS];
    double turn = 2 * acos(-1.0);
    for (int i = 0; i < h->count; i++) {
        if (h->angle[i] < 0) continue;
        dv_ask_joint(e, i, x, value, bias, J);
        double *known = x + e->coordinates - h->angles + h->angle[i];
        double apart = *known - value[h->conditions[i]];
        *known -= apart - turn * round(apart / turn);
    }
}

/* Take out of x by how much joints do not fit, in coordinates and speeds; less than `tolerated` is left. */
static void dv_fit(dv_engine *e, double *x, double tolerated) {
    dv_joints *h = &e->joints;
    if (h->count == 0) return;
    for (int turn = 0; turn < DV_FITTED; turn++) {
        dv_join_at(e, x);
        for (int i = 0; i < DV_HELD * h->count; i++)
            h->work[i] = h->scale[i] * h->value[DV_JOINT_ROWS * (i / DV_HELD) + i % DV_HELD];
        double *target = dv_shifted(e, x);
        dv_take_error(e, tolerated, target);
        dv_shift(e, x);
    }
    dv_join_at(e, x);
    dv_joint_speeds(e, x + e->coordinates, h->work);
    dv_take_error(e, tolerated, x + e->coordinates);
    dv_count_turns(e, x);
}

/* How fast the angles of joints change as bodies move with `speeds`, at the coordinates of x. */
static void dv_turn_angles(dv_engine *e, const double *x, const double *speeds, double *out) {
    const dv_joints *h = &e->joints;
    if (h->angles == 0) return;
    dv_join_at(e, x);
    for (int i = 0; i < h->count; i++) {
        const double *J = h->J + 12 * (DV_JOINT_ROWS * i + h->conditions[i]);
        if (h->angle[i] < 0) continue;
        double *rate = out + e->coordinates - h->angles + h->angle[i];
        *rate = 0.0;
        for (int end = 0; end < 2; end++) {
            int row = dv_joint_place(e, i, end);
            if (row >= 0) *rate += dv_dot(J + DV_DOF * end, speeds + DV_DOF * row, DV_DOF);
        }
    }
}
