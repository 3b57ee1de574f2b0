/* How what the equations of bodies are made of changes along a direction of states and numbers: bodies
 * as pairs and joints see them, rows of contacts and joints, and friction. */

/* What dm_rows_slope gives of a contact: its gap, γ, bias, J and frame, one behind the other. */
enum { DM_SPEED = 1, DM_BIAS = 4, DM_J = 7, DM_FRAME = 43, DM_ROWS = 52 };

typedef struct {
    const double *x, *dx, *dnumbers;
    double *body;     /* of each body, as dv_engine.body */
    double *contact;  /* of each closed contact, DM_ROWS numbers */
    double *rubbing;  /* of each: friction per unit of normal force, two numbers */
    double *joint;    /* of each joint: biases of its rows, then 12 entries of J each, scaled like J */
    double *pull;     /* b */
    double *loads, *change, *a, *da; /* h + Wλ - Cᵀb, f, accelerations and their changes */
    double *contact_bias, *joint_bias; /* as they are, while those of the changes are in their place */
    double *force;    /* dλ */
    double *others;   /* forces that λ could have besides, of contacts that share a load, */
    double *spare;    /* and what changes of forces they would make */
    int shared;       /* whether there are some */
} dm_change;

enum { DM_JOINT = 13 * DV_JOINT_ROWS };

/* Along a direction of the state x and of the engine's numbers. Memory for all of it is in one piece, at
 * c->body; 0: there is none. */
static int dm_open_change(const dv_engine *b, dm_change *c, const double *x, const double *dx,
                          const double *dnumbers) {
    int contacts = b->closed.count, joints = b->joints.count, speeds = b->speeds;
    int sizes[] = {DV_BODY * b->bodies, DM_ROWS * contacts, 2 * contacts, DM_JOINT * joints,
                   DV_HELD * joints, speeds, speeds, speeds, speeds, 3 * contacts,
                   DV_JOINT_ROWS * joints, 3 * contacts, 3 * contacts, 3 * contacts};
    double **parts[] = {&c->body, &c->contact, &c->rubbing, &c->joint, &c->pull, &c->loads,
                        &c->change, &c->a, &c->da, &c->contact_bias, &c->joint_bias, &c->force,
                        &c->others, &c->spare};
    const int count = (int)(sizeof sizes / sizeof *sizes);
    size_t total = 1;
    c->shared = 0;
    c->x = x;
    c->dx = dx;
    c->dnumbers = dnumbers;
    for (int i = 0; i < count; i++) total += (size_t)sizes[i];
    double *room = (double *)calloc(total, sizeof(double));
    for (int i = 0; i < count && room; i++) *parts[i] = dm_share(&room, sizes[i]);
    return room != NULL;
}

/* R(p) along d. */
static void dm_rotation_slope(const double *p, const double *d, double *R) {
    R[0] = -4 * (p[2] * d[2] + p[3] * d[3]);
    R[1] = 2 * (d[1] * p[2] + p[1] * d[2] - d[0] * p[3] - p[0] * d[3]);
    R[2] = 2 * (d[1] * p[3] + p[1] * d[3] + d[0] * p[2] + p[0] * d[2]);
    R[3] = 2 * (d[1] * p[2] + p[1] * d[2] + d[0] * p[3] + p[0] * d[3]);
    R[4] = -4 * (p[1] * d[1] + p[3] * d[3]);
    R[5] = 2 * (d[2] * p[3] + p[2] * d[3] - d[0] * p[1] - p[0] * d[1]);
    R[6] = 2 * (d[1] * p[3] + p[1] * d[3] - d[0] * p[2] - p[0] * d[2]);
    R[7] = 2 * (d[2] * p[3] + p[2] * d[3] + d[0] * p[1] + p[0] * d[1]);
    R[8] = -4 * (p[1] * d[1] + p[2] * d[2]);
}

/* Where numbers of the engine lie in a direction of them. */
static const double *dm_of(const dv_engine *b, const dm_change *c, const double *numbers) {
    return c->dnumbers + (numbers - b->numbers);
}

/* Of one body: see dv_place_fixed and dv_fill_from. */
static void dm_body_change(const dv_engine *b, const dm_change *c, int body) {
    int row = b->place[body];
    double *out = c->body + DV_BODY * body, R[9];
    if (row < 0) {
        dv_copy(out, dm_of(b, c, b->position) + 3 * body, 3);
        if (b->lying) dv_copy(out + 9, dm_of(b, c, b->lain) + DV_LYING * body, 4);
        return;
    }
    int at = b->at[row], from = b->coordinates + DV_DOF * row;
    dv_copy(out, c->dx + at, 3);
    dv_copy(out + 3, c->dx + from, DV_DOF);
    if (!b->lies[row]) return;
    dv_copy(out + 9, c->dx + at + 3, 4);
    dv_rotate(c->x + at + 3, c->dx + from + 3, out + 6);
    dm_rotation_slope(c->x + at + 3, c->dx + at + 3, R);
    for (int i = 0; i < 3; i++) out[6 + i] += dv_dot3(R + 3 * i, c->x + from + 3);
}

/* As dv_turn_rows, for changes dJ of rows that are J: d(Rᵀ j) = Rᵀ dj + dRᵀ j. */
static void dm_turn_change(const dv_engine *b, const dm_change *c, const int *ends, int rows,
                           const double *J, double *dJ) {
    dv_turn_rows(b, ends, rows, dJ);
    for (int i = 0; i < 2; i++) {
        int place = ends[i] < 0 ? -1 : b->place[ends[i]];
        double R[9], spin[3];
        if (place < 0 || !b->lies[place]) continue;
        const double *p = b->body + DV_BODY * ends[i] + 9;
        dm_rotation_slope(p, c->body + DV_BODY * ends[i] + 9, R);
        for (int r = 0; r < rows; r++) {
            int at = 12 * r + DV_DOF * i + 3;
            dv_rotate(p, J + at, spin);
            for (int d = 0; d < 3; d++)
                dJ[at + d] += R[d] * spin[0] + R[3 + d] * spin[1] + R[6 + d] * spin[2];
        }
    }
}

/* Rows of any contact, DM_ROWS numbers; J in world axes. */
static void dm_rows_change(const dv_engine *b, const dm_change *c, int contact, double *out) {
    const int *ends = b->ends + 2 * contact;
    const double *shape = b->shape + b->shapes * contact;
    dm_rows_slope(b->kind[contact], b->body + DV_BODY * ends[0], b->body + DV_BODY * ends[1], shape,
                  c->body + DV_BODY * ends[0], c->body + DV_BODY * ends[1], dm_of(b, c, shape), out);
}

/* Friction per unit of normal force at contact k: see dv_rubbing. */
static void dm_rubbing_change(const dv_engine *b, const dm_change *c, int k) {
    const dv_closed *closed = &b->closed;
    const double *change = c->contact + DM_ROWS * k, *speed = closed->speed + 3 * k + 1;
    const double *dspeed = change + DM_SPEED + 1, *ahead = b->ahead + 3 * closed->contact[k];
    int contact = closed->contact[k], law = b->law[contact], mode = b->modes[contact];
    double heading[2], slip = dv_slip_speed(closed, k), mu = dv_friction(b, contact, slip);
    double dslip = slip > 0.0 ? (speed[0] * dspeed[0] + speed[1] * dspeed[1]) / slip : 0.0;
    double dmu = law < 0 ? dm_of(b, c, b->mu)[contact]
                         : dm_law_slope(law, slip, b->p, dslip, c->dnumbers);
    if (mode == DV_STICK || (mu == 0.0 && dmu == 0.0)) return;
    double along = dv_along(b, k, heading), dalong = along < 0.0 ? -dslip : dslip;
    int still = mode == DV_TRANS || along == 0.0;
    for (int i = 0; i < 2; i++) {
        double way = still ? heading[i] : speed[i] / along;
        double turn = still ? dv_dot3(change + DM_FRAME + 3 + 3 * i, ahead)
                            : (dspeed[i] - way * dalong) / along;
        c->rubbing[2 * k + i] = -dmu * way - mu * turn;
    }
}

/* Of joint i: biases and J, its condition's rows scaled as they are measured. */
static void dm_joint_change(const dv_engine *b, const dm_change *c, int i) {
    const dv_joints *h = &b->joints;
    static const double none[DV_BODY] = {0};
    double out[14 * DV_JOINT_ROWS] = {0.0}, *own = c->joint + DM_JOINT * i, *J = own + DV_JOINT_ROWS;
    const double *sides[4];
    int rows = h->conditions[i] + (h->angle[i] >= 0);
    for (int end = 0; end < 2; end++) {
        int body = h->ends[2 * i + end];
        sides[end] = body < 0 ? DV_WORLD : b->body + DV_BODY * body;
        sides[2 + end] = body < 0 ? none : c->body + DV_BODY * body;
    }
    int known = dm_joint_slope(h->kind[i], sides[0], sides[1], b->p + h->fitting[i], sides[2],
                               sides[3], c->dnumbers + h->fitting[i], out);
    for (int r = 0; r < rows; r++) {
        double scale = r < h->conditions[i] ? h->scale[DV_HELD * i + r] : 1.0;
        own[r] = out[known + r];
        for (int d = 0; d < 12; d++) J[12 * r + d] = scale * out[2 * known + 12 * r + d];
    }
    dm_turn_change(b, c, h->ends + 2 * i, rows, h->J + 12 * DV_JOINT_ROWS * i, J);
}
