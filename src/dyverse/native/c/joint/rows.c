/* What joints ask for at a state: their conditions, directions and biases, and S factored. */

static const double DV_WORLD[DV_BODY] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};

/* A body of a joint as it is at x; the world itself is at zero, unturned. */
static const double *dv_joint_side(const dv_engine *e, int body, const double *x) {
    if (body < 0) return DV_WORLD;
    dv_fill_body(e, x, body);
    return e->body + DV_BODY * body;
}

/* Where joint i is, and how: its conditions, then its coordinate. */
static void dv_ask_joint(const dv_engine *e, int i, const double *x, double *value, double *bias,
                         double *J) {
    const dv_joints *h = &e->joints;
    const double *a = dv_joint_side(e, h->ends[2 * i], x);
    const double *b = dv_joint_side(e, h->ends[2 * i + 1], x);
    dv_model_joint(h->kind[i], a, b, e->p + h->fitting[i], value, bias, J);
}

/* The row of a joint's end among the moving bodies, or -1. */
static int dv_joint_place(const dv_engine *e, int i, int end) {
    int body = e->joints.ends[2 * i + end];
    return body < 0 ? -1 : e->place[body];
}

#define DV_OUTSIDE 1e-18 /* of the square of a row's length: so little of it is rounding */

/* The square of the length that a row would have if its body moved as easily in every direction as in
 * the easiest: in a planar scene most of it may be out of the plane. */
static double dv_whole_row(const dv_engine *e, int row, const double *J) {
    const double *im = e->inverse_mass + DV_DOF * row;
    double moves = dv_max(im[0], dv_max(im[1], im[2])), turns = dv_max(im[3], dv_max(im[4], im[5]));
    return moves * dv_dot3(J, J) + turns * dv_dot3(J + 3, J + 3);
}

/* M⁻¹ times row r of joint i, and the length of the row where every mass is one, which becomes one. */
static void dv_measure_row(dv_engine *e, int i, int r) {
    dv_joints *h = &e->joints;
    int at = DV_JOINT_ROWS * i + r;
    double *J = h->J + 12 * at, *MJ = h->MJ + 12 * at, size = 0.0, whole = 0.0;
    dv_zero(MJ, 12);
    for (int end = 0; end < 2; end++) {
        int row = dv_joint_place(e, i, end), from = DV_DOF * end;
        if (row < 0) continue;
        for (int d = 0; d < DV_DOF; d++)
            MJ[from + d] = e->inverse_mass[DV_DOF * row + d] * J[from + d];
        if (e->turning) dv_add_mixed(e, row, 1.0, J + from, MJ + from);
        size += dv_dot(J + from, MJ + from, DV_DOF);
        whole += dv_whole_row(e, row, J + from);
    }
    int moves = size > DV_OUTSIDE * whole;
    double scale = h->scale[DV_HELD * i + r] = moves ? 1 / sqrt(size) : 1.0;
    for (int d = 0; d < 12; d++) {
        J[d] = moves ? scale * J[d] : 0.0;
        MJ[d] = moves ? scale * MJ[d] : 0.0;
    }
}

/* Add to a block of S what goes through the bodies that joints i and j share. */
static void dv_fill_block(const dv_engine *e, int j, int i, double *S) {
    const dv_joints *h = &e->joints;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            int body = h->ends[2 * j + a];
            if (body < 0 || body != h->ends[2 * i + b] || e->pushed[body] < 0) continue;
            for (int r = 0; r < h->conditions[j]; r++)
                for (int s = 0; s < h->conditions[i]; s++)
                    S[DV_HELD * r + s] +=
                        dv_dot(h->J + 12 * (DV_JOINT_ROWS * j + r) + DV_DOF * a,
                               h->MJ + 12 * (DV_JOINT_ROWS * i + s) + DV_DOF * b, DV_DOF);
        }
}

static void dv_fill_joints(dv_engine *e) {
    dv_joints *h = &e->joints;
    for (int i = 0; i < h->count; i++)
        for (int r = 0; r < h->conditions[i]; r++) dv_measure_row(e, i, r);
    dv_zero(h->own, DV_BLOCK * h->count);
    dv_zero(h->below, DV_BLOCK * h->first[h->count]);
    for (int i = 0; i < h->count; i++) {
        dv_fill_block(e, i, i, h->own + DV_BLOCK * i);
        for (int at = h->first[i]; at < h->first[i + 1]; at++)
            dv_fill_block(e, h->after[at], i, h->below + DV_BLOCK * at);
    }
}

/* Take what is known of joints to a state; often it is the one that was asked for last. */
static void dv_join_at(dv_engine *e, const double *x) {
    dv_joints *h = &e->joints;
    size_t all = (size_t)e->size * sizeof(double);
    if (h->count == 0 || (h->known && memcmp(h->at, x, all) == 0)) return;
    for (int i = 0; i < h->count; i++) {
        double *J = h->J + 12 * DV_JOINT_ROWS * i;
        dv_ask_joint(e, i, x, h->value + DV_JOINT_ROWS * i, h->bias + DV_JOINT_ROWS * i, J);
        dv_turn_rows(e, h->ends + 2 * i, h->conditions[i] + 1, J);
    }
    dv_fill_joints(e);
    dv_factor_joints(h);
    dv_copy(h->at, x, e->size);
    h->known = 1;
}

/* b := J times speeds of all bodies, for the conditions of all joints as they are measured. */
static void dv_joint_speeds(const dv_engine *e, const double *speeds, double *b) {
    const dv_joints *h = &e->joints;
    dv_zero(b, DV_HELD * h->count);
    for (int i = 0; i < h->count; i++)
        for (int end = 0; end < 2; end++) {
            int row = dv_joint_place(e, i, end);
            const double *J = h->J + 12 * DV_JOINT_ROWS * i + DV_DOF * end;
            for (int r = 0; r < h->conditions[i] && row >= 0; r++)
                b[DV_HELD * i + r] += dv_dot(J + 12 * r, speeds + DV_DOF * row, DV_DOF);
        }
}

/* speeds -= M⁻¹ Wᵀ b. */
static void dv_joint_push(const dv_engine *e, const double *b, double *speeds) {
    const dv_joints *h = &e->joints;
    for (int i = 0; i < h->count; i++)
        for (int end = 0; end < 2; end++) {
            int row = dv_joint_place(e, i, end);
            const double *MJ = h->MJ + 12 * DV_JOINT_ROWS * i + DV_DOF * end;
            for (int r = 0; r < h->conditions[i] && row >= 0; r++) {
                double own = b[DV_HELD * i + r];
                for (int d = 0; d < DV_DOF && own != 0.0; d++)
                    speeds[DV_DOF * row + d] -= own * MJ[12 * r + d];
            }
        }
}
