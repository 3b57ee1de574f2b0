/* Functions of loads that switch: see switches.h. */

/* Switch contacts on and off, as their conditions say on the present sides. */
static void dv_switch_contacts(dv_engine *e) {
    int changes = 0;
    if (!e->conditions) return;
    dv_model_enabled(e->p, e->w.value, e->holds);
    for (int c = 0; c < e->contacts; c++) {
        int gone = e->condition[c] >= 0 && e->holds[e->condition[c]] == 0.0;
        changes |= gone != e->off[c];
        e->off[c] = gone;
    }
    if (changes) dv_know_nothing(e);
}

static void dv_take_sides(void *of, const double *values) {
    dv_engine *e = (dv_engine *)of;
    if (values != e->w.value) dv_copy(e->w.value, values, e->w.count);
    dv_switch_contacts(e);
    e->step.fresh = 0;
}

static void dv_side_rate(void *of, double time, const double *x, double *f) {
    dv_rate((dv_engine *)of, time, x, f);
}

static void dv_side_surfaces(void *of, double time, const double *x, const double *f, double *s,
                             double *speed) {
    dv_engine *e = (dv_engine *)of;
    dv_model_surfaces(time, x, e->p, e->w.value, f, e->drift, s, speed);
}

static void dv_step_state(void *of, double time, double *x) {
    const dv_engine *e = (const dv_engine *)of;
    dv_dense_state(&e->step, time, x);
}

static void dv_tie_switches(dv_engine *e) {
    for (int k = 0; k < e->w.count; k++) e->switch_kind[k] = dv_model_switch_kind(k);
    e->w.of = e;
    e->w.loaded = e->w.count;
    e->w.kind = e->switch_kind;
    e->w.take = dv_take_sides;
    e->w.rate = dv_side_rate;
    e->w.surfaces = dv_side_surfaces;
    e->w.state = dv_step_state;
}

/* In an instant: functions that are not at their jumps have their values as written, the others
 * keep what they had. */
static void dv_refresh_sides(dv_engine *e) {
    dx_switches *w = &e->w;
    if (w->count == 0) return;
    dv_copy(w->offset, w->value, w->count);
    dx_literal(w, e->now.time, e->x);
    for (int k = 0; k < w->count; k++)
        if (fabs(w->s[k] - dx_jump(w->kind[k], w->s[k])) <= DX_TOUCH) w->value[k] = w->offset[k];
    dv_switch_contacts(e);
    e->step.fresh = 0;
}

/* An instant begins: those that slide stay at the values that they have here. */
static void dv_freeze_sides(dv_engine *e) {
    dx_switches *w = &e->w;
    if (w->count == 0) return;
    if (w->slides) dx_field(w, e->now.time, e->x, e->side_f);
    w->slides = 0;
    dv_refresh_sides(e);
}

/* A stretch of time begins: on which sides. */
static void dv_begin_sides(dv_engine *e) {
    if (e->w.count && dx_decide(&e->w, e->now.time, e->x, NULL) == DX_GOES_ON)
        dx_rest(&e->w, e->now.time, e->x);
    e->step.fresh = 0;
}

int dv_get_sides(const dv_engine *e, double *sides) {
    dv_copy(sides, e->w.side, e->w.count);
    return e->w.count;
}

void dv_set_sides(dv_engine *e, const double *sides) {
    e->w.slides = 0;
    for (int k = 0; k < e->w.count; k++) {
        e->w.side[k] = sides[k];
        e->w.value[k] = isnan(sides[k]) ? 0.0 : sides[k];
        e->w.slides += isnan(sides[k]);
    }
    dv_switch_contacts(e);
    e->step.fresh = 0;
}

int dv_switching(const dv_engine *e, int *functions, double *end) {
    memcpy(functions, e->w.crossed, (size_t)e->w.count * sizeof(int));
    *end = e->w.end;
    return e->w.reason;
}
