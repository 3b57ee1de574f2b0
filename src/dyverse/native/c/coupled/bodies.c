/* Bodies as the outside of automata, while time passes: see dyverse.generation.coupled.flow. */

typedef struct {
    dv_engine *bodies;
    da_engine *automata;
    dvc_links links;
    int *tables;      /* of the links */
    int *column;      /* what is watched: 2 contact + (0 gap or normal force, 1 that of its mode) */
    int columns;
    int *queue;       /* channels of signals that have not been heard yet */
    int first, last;  /* of those in the queue */
    int moved;        /* whether the bodies have jumped since they were last at rest */
    double *settled;
} dvc_pair;

/* Let the variables of automata drive what acts on the bodies. */
static void dvc_drive(dvc_pair *c, const double *x) {
    const double *driving = x + c->bodies->size;
    for (int i = 0; i < c->links.driven; i++)
        c->bodies->numbers[c->links.setting[i]] = driving[i];
}

/* Put the bodies where x says. */
static void dvc_put(dvc_pair *c, double time, const double *x) {
    dv_engine *b = c->bodies;
    dvc_drive(c, x);
    dv_copy(b->x, x, b->size);
    dv_know_nothing(b);
    b->now.time = time;
    b->step.fresh = b->surveyed = b->steady = 0;
}

/* Add how the rates of joints' angles change while speeds do not. */
static void dv_bend_angles(dv_engine *e, const double *x, double *out) {
    const dv_joints *h = &e->joints;
    dv_join_at(e, x);
    for (int i = 0; i < h->count; i++)
        if (h->angle[i] >= 0)
            out[e->coordinates - h->angles + h->angle[i]] +=
                h->bias[DV_JOINT_ROWS * i + h->conditions[i]];
}

/* How the rates of coordinates change, if accelerations do not: of positions it is the acceleration, of
 * quaternions ½(ṗ ∘ s + p ∘ ṡ), of angles of joints J v̇ + bias. */
static void dvc_seconds(dv_engine *e, const double *x, const double *rate, double *out) {
    const double *a = rate + e->coordinates, *v = x + e->coordinates;
    dv_move(e, x, a, out);
    dv_zero(out + e->coordinates, e->speeds);
    for (int row = 0; row < e->moving && e->turning; row++) {
        int at = e->at[row] + 3;
        double bend[4];
        if (!e->lies[row]) continue;
        dv_spin(rate + at, v + DV_DOF * row + 3, bend);
        for (int i = 0; i < 4; i++) out[at + i] += bend[i];
    }
    dv_bend_angles(e, x, out);
}

/* How accelerations change is not known. */
static void dvc_rates(void *of, double time, const double *x, double *rates, double *seconds) {
    dvc_pair *c = (dvc_pair *)of;
    dvc_drive(c, x);
    dv_rate(c->bodies, time, x, rates);
    dvc_seconds(c->bodies, x, rates, seconds);
}

static double dvc_step_error(void *of, const double *error) {
    return dv_slip_error(((const dvc_pair *)of)->bodies, error);
}

static double dvc_relaxation(void *of) {
    return dv_relaxation(((const dvc_pair *)of)->bodies);
}

static void dvc_add_column(dvc_pair *c, int signal, double floor, double *floors, int *quiet) {
    floors[c->columns] = floor;
    quiet[c->columns] = c->bodies->modes[signal / 2] != DV_OPEN;
    c->column[c->columns++] = signal;
}

/* Gaps of open contacts, then normal forces, then what the modes of closed ones watch. */
static int dvc_signals(void *of, double *floors, int *quiet) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    c->columns = 0;
    for (int closed = 0; closed < 2; closed++)
        for (int i = 0; i < b->contacts; i++)
            if ((b->modes[i] != DV_OPEN) == closed) dvc_add_column(c, 2 * i, 0.0, floors, quiet);
    for (int i = 0; i < b->contacts; i++) {
        int mode = b->modes[i];
        if (mode == DV_OPEN || (mode != DV_STICK && b->smooth[i])) continue;
        double floor = mode == DV_SLIP ? DV_SPENT * b->options.slip : 0.0;
        dvc_add_column(c, 2 * i + 1, floor, floors, quiet);
    }
    return c->columns;
}

/* Signals of closed contacts into `values`; how they change is not known, or no matter. */
static void dvc_watch_closed(dvc_pair *c, double time, const double *x, double *values,
                             double *rates) {
    dv_engine *b = c->bodies;
    dv_watch_closed(b, time, x, DV_FOR_WATCH, b->grid);
    for (int j = 0; j < c->columns; j++) {
        int contact = c->column[j] / 2, k = 0;
        if (b->modes[contact] == DV_OPEN) continue;
        while (b->closed.contact[k] != contact) k++;
        values[j] = b->grid[2 * k + c->column[j] % 2];
        rates[j] = dv_is_chosen(b, 2 * k + c->column[j] % 2) ? 0.0 : NAN;
    }
}

static void dvc_watch(void *of, double time, const double *x, double *values, double *rates) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    dvc_drive(c, x);
    dv_fill_bodies(b, x);
    for (int j = 0; j < c->columns; j++) {
        double gap[2];
        if (b->modes[c->column[j] / 2] != DV_OPEN) break; /* those of open contacts come first */
        dv_gap(b, c->column[j] / 2, gap);
        values[j] = gap[0];
        rates[j] = gap[1];
    }
    if (b->closed.count) dvc_watch_closed(c, time, x, values, rates);
}

static void dvc_surfaces(void *of, double time, const double *x, const double *f, double *s,
                         double *speed) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    dvc_drive(c, x);
    for (int i = 0; i < c->links.driven; i++) b->drift[c->links.setting[i]] = f[b->size + i];
    dv_side_surfaces(b, time, x, f, s, speed);
}

static void dvc_take(void *of, const double *values) {
    dvc_pair *c = (dvc_pair *)of;
    dv_take_sides(c->bodies, values);
}

/* Open contacts that touch have just opened: they are armed once they have a gap. */
static void dvc_begin(void *of, double time, const double *x, int *resting) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    dvc_put(c, time, x);
    dv_survey(b);
    for (int j = 0; j < c->columns; j++) {
        int contact = c->column[j] / 2;
        resting[j] = b->modes[contact] == DV_OPEN && b->gap0[contact] <= b->options.gap;
    }
}

static int dvc_settle(void *of, double *x, int always) {
    dvc_pair *c = (dvc_pair *)of;
    dv_engine *b = c->bodies;
    double tolerated = always ? 0.0 : b->options.drift;
    double time = c->automata->now.time;
    if (!(dv_settle(b, time, x, c->settled, tolerated) > tolerated)) return 0;
    dv_copy(x, c->settled, b->size);
    return 1;
}
