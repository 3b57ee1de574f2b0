/* Guards, invariants and properties on numbers: depths, truth from now on, and watched signals.
 *
 * How a guard is read at its boundary is said in dyverse.automaton.compiled. */

/* Whether an atom holds that time cannot change; its depth then hides no crossing. */
static int da_holds_still(const da_engine *e, int sense, double depth) {
    if (sense == DA_REACHED) return fabs(depth) <= e->options.margin;
    return sense == DA_STRICT ? depth > e->options.margin : depth >= -e->options.margin;
}

/* The lesser (or greater) of two, with the rate of that one; of equals, with the mean rate. */
static void da_join(int or, double *v, double *r, double w, double q) {
    double a = or ? *v >= w : *v <= w, b = or ? w >= *v : w <= *v;
    *r = (a * *r + b * q) / (a + b);
    *v = or ? fmax(*v, w) : fmin(*v, w);
}

/* How far inside a formula in normal form one is, from the depths and rates of its atoms. */
static void da_fold(da_engine *e, int watch, const double *depth, const double *rate, double *value,
                    double *slope) {
    const int *p = e->s.program + e->s.watch_program[watch];
    int left = e->s.watch_program[watch + 1] - e->s.watch_program[watch], top = 0;
    double *v = e->stack, *r = e->stack_rate;
    for (; left > 0; left--, p++) {
        if (*p >= 0) {
            v[top] = depth[*p];
            r[top++] = rate[*p];
            continue;
        }
        int or = *p == -2, count = p[1];
        if (count == 0) { /* true or false, which stand alone */
            v[top] = or ? -1.0 : 1.0;
            r[top++] = 0.0;
        }
        for (int i = 1; i < count; i++)
            da_join(or, v + top - count, r + top - count, v[top - count + i], r[top - count + i]);
        if (count > 0) top -= count - 1;
        p++;
        left--;
    }
    *value = v[0];
    *slope = r[0];
}

/* One watch at the point on the board, whose rates are known if `rates`. */
static void da_look(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first;
    if (e->known[watch] == e->stamp) return;
    e->known[watch] = e->stamp;
    const double *out = count ? da_call(e, s->watch_sample[watch]) : e->out;
    for (int i = 0; i < count; i++) {
        int atom = first + i;
        double depth = out[i], rate = out[count + i];
        if (s->decided[atom]) {
            depth = da_holds_still(e, s->sense[atom], depth) ? DA_FAR : -DA_FAR;
            rate = 0.0;
        } else if (s->sense[atom] == DA_REACHED) {
            depth *= -e->side[atom];
            rate *= -e->side[atom];
        }
        e->depth[i] = depth;
        e->rate[i] = rate;
    }
    da_fold(e, watch, e->depth, e->rate, e->inside + watch, e->inside_rate + watch);
}

/* A watched signal, positive while time may pass, and its rate. */
static void da_signal(da_engine *e, int number, double *value, double *rate) {
    const da_column *c = e->column + number;
    if (c->kind == DA_URGENT) {
        *value = -1.0;
        *rate = 0.0;
        return;
    }
    int least = c->watch;
    da_look(e, least);
    if (c->kind == DA_SENDER) { /* as deep inside as the shallower of the sender and its partner */
        int own = e->s.edge_component[c->watch], best = c->partners;
        for (int k = best; k >= 0; k = da_partner(e, e->next[k], own)) {
            da_look(e, k);
            if (e->inside[k] > e->inside[best]) best = k;
        }
        if (!(e->inside[c->watch] <= e->inside[best])) least = best;
    }
    double sign = c->kind == DA_INVARIANT ? 1.0 : -1.0;
    *value = sign * e->inside[least];
    *rate = sign * e->inside_rate[least];
}

/* Whether an atom with this depth and these rates holds from now on. */
static int da_from_now_on(const da_engine *e, int sense, double depth, double first,
                          double second) {
    double margin = e->options.margin;
    if (sense == DA_REACHED) return fabs(depth) <= margin;
    if (fabs(depth) > margin) return depth > 0.0;
    int turns = first * second < 0.0 && first * first <= 2 * fabs(second) * e->options.hop;
    double slope = first == 0.0 || turns ? second : first;
    return sense == DA_STRICT ? slope > 0.0 : slope >= 0.0;
}

/* The second rates of a watch's atoms; zero where it has no code for them. */
static void da_second_rates(da_engine *e, int watch, int count) {
    int piece = e->s.watch_second[watch];
    for (int i = 0; i < count; i++) e->second[i] = 0.0;
    if (piece < 0) return;
    da_seconds_here(e);
    const double *out = da_call(e, piece);
    for (int i = 0; i < count; i++) e->second[i] = out[i];
}

static int da_fold_truth(da_engine *e, int watch, const int *truth) {
    const int *p = e->s.program + e->s.watch_program[watch];
    int left = e->s.watch_program[watch + 1] - e->s.watch_program[watch], top = 0;
    int *v = e->stack_truth;
    for (; left > 0; left--, p++) {
        if (*p >= 0) {
            v[top++] = truth[*p];
            continue;
        }
        int or = *p == -2, count = p[1], found = !or;
        for (int i = top - count; i < top; i++) found = or ? found || v[i] : found && v[i];
        top -= count;
        v[top++] = found;
        p++;
        left--;
    }
    return v[0];
}

/* Whether a watched formula holds from now on at the point on the board, whose rates are known; of a
 * plain one, whether it holds there. */
static int da_holds(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first, near = 0;
    int *truth = e->stack_truth + e->s.widest;
    if (e->known_truth[watch] == e->stamp) return e->truth[watch];
    const double *out = count ? da_call(e, s->watch_sample[watch]) : e->out;
    for (int i = 0; i < count; i++) {
        e->depth[i] = out[i];
        e->rate[i] = out[count + i];
        near |= s->sense[first + i] != DA_REACHED && !(fabs(out[i]) > e->options.margin);
    }
    if (near && !s->watch_plain[watch]) da_second_rates(e, watch, count);
    for (int i = 0; i < count; i++) {
        int sense = s->sense[first + i];
        if (s->watch_plain[watch])
            truth[i] = sense == DA_STRICT ? e->depth[i] > 0.0 : e->depth[i] >= 0.0;
        else
            truth[i] = da_from_now_on(e, sense, e->depth[i], e->rate[i], e->second[i]);
    }
    e->known_truth[watch] = e->stamp;
    return e->truth[watch] = da_fold_truth(e, watch, truth);
}

/* From which side each equality will be reached: the sign of its difference from now on. */
static void da_take_sides(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first, any = 0;
    for (int i = 0; i < count; i++) any |= s->sense[first + i] == DA_REACHED;
    if (!any) return;
    const double *out = da_call(e, s->watch_sample[watch]);
    for (int i = 0; i < count; i++) {
        double now = fabs(out[i]) > e->options.margin ? out[i] : out[count + i];
        e->side[first + i] = now < 0.0 ? -1.0 : 1.0;
    }
}

static void da_sides(da_engine *e) {
    for (int j = 0; j < e->columns; j++) {
        const da_column *c = e->column + j;
        if (c->kind == DA_URGENT) continue;
        da_take_sides(e, c->watch);
        if (c->kind != DA_SENDER) continue;
        int own = e->s.edge_component[c->watch];
        for (int k = c->partners; k >= 0; k = da_partner(e, e->next[k], own)) da_take_sides(e, k);
    }
}

/* Whether a signal that is not positive ends the arc at once. */
static int da_fires(da_engine *e, int number) {
    const da_column *c = e->column + number;
    if (c->kind == DA_URGENT) return 1;
    if (c->kind == DA_INVARIANT) return !da_holds(e, c->watch);
    if (!da_holds(e, c->watch)) return 0;
    if (c->kind == DA_ALONE) return 1;
    int own = e->s.edge_component[c->watch];
    for (int k = c->partners; k >= 0; k = da_partner(e, e->next[k], own))
        if (da_holds(e, k)) return 1;
    return 0;
}

/* All watched signals and their rates at a point. */
static void da_sample(da_engine *e, double time, const double *x, double *values, double *rates) {
    da_put(e, time, x);
    da_rates_here(e);
    for (int j = 0; j < e->columns; j++) da_signal(e, j, values + j, rates + j);
}
