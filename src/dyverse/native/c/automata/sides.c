/* Functions of rates that switch, of automata and from outside: see ../switches.h. */

static void da_take_sides(void *of, const double *values) {
    da_engine *e = (da_engine *)of;
    if (e->outside_switches) e->outside.take(e->outside.of, values);
    for (int k = e->outside_switches; k < e->w.count; k++)
        e->board[e->s.switch_slot[e->active[k]]] = values[k];
    e->step.fresh = 0;
}

static void da_plain_rate(void *of, double time, const double *x, double *f) {
    da_engine *e = (da_engine *)of;
    da_put(e, time, x);
    da_plain_rates(e);
    dv_copy(f, e->f, e->n);
}

static void da_surfaces(void *of, double time, const double *x, const double *f, double *s,
                        double *speed) {
    da_engine *e = (da_engine *)of;
    da_put(e, time, x);
    dv_copy(e->f, f, e->n);
    if (e->outside_switches) e->outside.surfaces(e->outside.of, time, x, f, s, speed);
    for (int k = e->outside_switches; k < e->w.count; k++) {
        const double *out = da_call(e, e->s.switch_sample[e->active[k]]);
        s[k] = out[0];
        speed[k] = out[1];
    }
}

static void da_step_state(void *of, double time, double *x) {
    const da_engine *e = (const da_engine *)of;
    dv_dense_state(&e->step, time, x);
}

/* Which functions the rates of the present places have, in the order of their numbers. */
static void da_enter_switches(da_engine *e) {
    const da_structure *s = &e->s;
    int count = e->outside_switches;
    for (int k = 0; k < s->switches; k++) {
        int found = 0;
        for (int c = 0; c < s->components && !found; c++) {
            const int *first = s->place_switch_first + e->position[c];
            for (int i = first[0]; i < first[1]; i++) found |= s->place_switch[i] == k;
        }
        if (!found) continue;
        e->switch_kind[count] = s->switch_kind[k];
        e->active[count++] = k;
    }
    if (count != e->w.count) memset(e->w.noted, 0, (size_t)count * sizeof(int));
    e->w.count = count;
    e->w.slides = 0;
}

/* The present state on the sides that hold from now on; as written where there are none. */
static void da_decide(da_engine *e) {
    if (e->w.count && dx_decide(&e->w, e->now.time, e->x, NULL) != DX_GOES_ON)
        dx_literal(&e->w, e->now.time, e->x);
}

static void da_tie_switches(da_engine *e) {
    e->w.of = e;
    e->w.loaded = e->outside_switches;
    e->w.kind = e->switch_kind;
    e->w.take = da_take_sides;
    e->w.rate = da_plain_rate;
    e->w.surfaces = da_surfaces;
    e->w.state = da_step_state;
    for (int k = 0; k < e->outside_switches; k++) e->switch_kind[k] = e->outside.switch_kind[k];
}

int da_get_sides(const da_engine *e, double *sides) {
    memcpy(sides, e->w.side, (size_t)e->w.count * sizeof(double));
    return e->w.count;
}

/* On sides that were told; decided if there are not as many as there are functions. */
static void da_set_sides(da_engine *e, const double *sides, int count) {
    da_enter(e);
    if (count != e->w.count) {
        da_decide(e);
        return;
    }
    e->w.slides = 0;
    for (int k = 0; k < count; k++) {
        e->w.side[k] = sides[k];
        e->w.value[k] = isnan(sides[k]) ? 0.0 : sides[k];
        e->w.slides += isnan(sides[k]);
    }
    if (count) dx_take(&e->w);
}

int da_switching(const da_engine *e, int *functions, double *end) {
    memcpy(functions, e->w.crossed, (size_t)e->w.count * sizeof(int));
    *end = e->w.end;
    return e->w.reason;
}
