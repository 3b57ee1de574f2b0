/* Guards, invariants and properties on numbers: depths, truth from now on, and watched signals.
 *
 * How a guard is read at its boundary is said in dyverse.automaton.written.compiled. */

/* Whether an atom holds that time cannot change; its depth then hides no crossing. */
static int da_holds_still(const da_engine *e, int sense, double depth) {
    if (sense == DA_REACHED) return fabs(depth) <= e->options.margin;
    return sense == DA_STRICT ? depth > e->options.margin : depth >= -e->options.margin;
}

/* The lesser (or greater) of two, with the rate of that one; of equals, with the mean rate. */
static void da_join(int either, double *v, double *r, double w, double q) {
    double a = either ? *v >= w : *v <= w, b = either ? w >= *v : w <= *v;
    *r = (a * *r + b * q) / (a + b);
    *v = either ? fmax(*v, w) : fmin(*v, w);
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
        int either = *p == -2, count = p[1];
        if (count == 0) { /* true or false, which stand alone */
            v[top] = either ? -1.0 : 1.0;
            r[top++] = 0.0;
        }
        for (int i = 1; i < count; i++)
            da_join(either, v + top - count, r + top - count, v[top - count + i], r[top - count + i]);
        if (count > 0) top -= count - 1;
        p++;
        left--;
    }
    *value = v[0];
    *slope = r[0];
}

/* Whether the host's procedure of an edge allows it, if it has one; time does not change that. */
static int da_allows(da_engine *e, int edge) {
    if (edge >= e->s.edges || !e->s.edge_asks[edge]) return 1;
    if (e->allow_known[edge] == e->allow_stamp) return e->allowed[edge];
    int found = e->host.allows ? e->host.allows(e->host.of, edge) : -2;
    e->host_failed |= found < 0;
    e->allow_known[edge] = e->allow_stamp;
    return e->allowed[edge] = found > 0;
}

/* The depth of an atom of a property as its margin: negative where it fails, as it does where a
 * strict one is at its bound and where it is no number. See dyverse.automaton.guard.robustness. */
static double da_margin(int sense, double depth) {
    if (!(fabs(depth) < DA_MISSED)) return -DA_MISSED;
    return depth == 0.0 && sense == DA_STRICT ? -DBL_MIN : depth;
}

static int da_is_property(const da_engine *e, int watch) {
    return watch >= e->s.watches - e->s.properties;
}

/* One watch at the point on the board, whose rates are known if `rates`. */
static void da_look(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first;
    if (e->known[watch] == e->stamp) return;
    e->known[watch] = e->stamp;
    if (!da_allows(e, watch)) {
        e->inside[watch] = -1.0;
        e->inside_rate[watch] = 0.0;
        return;
    }
    const double *out = count ? da_call(e, s->watch_sample[watch]) : e->out;
    for (int i = 0; i < count; i++) {
        int atom = first + i;
        double depth = out[i], rate = out[count + i];
        if (s->decided[atom]) {
            depth = da_holds_still(e, s->sense[atom], depth) ? DA_FAR : -DA_FAR;
            rate = 0.0;
        } else if (s->sense[atom] == DA_REACHED) {
            depth *= -e->approach[atom];
            rate *= -e->approach[atom];
        } else if (da_is_property(e, watch)) {
            depth = da_margin(s->sense[atom], depth);
        }
        e->depth[i] = depth;
        e->rate[i] = rate;
    }
    da_fold(e, watch, e->depth, e->rate, e->inside + watch, e->inside_rate + watch);
}

/* A signal from outside at the point on the board. */
static void da_outside_signal(da_engine *e, int number, double *value, double *rate) {
    if (e->outside_known != e->stamp)
        e->outside.watch(e->outside.of, e->board[0], e->board + 1, e->outside_v, e->outside_r);
    e->outside_known = e->stamp;
    *value = e->outside_v[number];
    *rate = e->outside_r[number];
}

/* A watched signal, positive while time may pass, and its rate. */
static void da_signal(da_engine *e, int number, double *value, double *rate) {
    const da_column *c = e->column + number;
    if (c->kind == DA_OUTSIDE) {
        da_outside_signal(e, c->watch, value, rate);
        return;
    }
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
    double sign = c->kind == DA_INVARIANT || c->turned ? 1.0 : -1.0;
    *value = sign * e->inside[least] + (c->kind == DA_INVARIANT ? e->slack : 0.0);
    *rate = sign * e->inside_rate[least];
}

/* How an atom with this depth and these rates reads. */
static int da_read_atom(const da_engine *e, int sense, double depth, double first, double second) {
    int near = fabs(depth) <= e->options.margin, always = DA_AFTER | DA_HERE;
    if (sense == DA_REACHED) {
        if (!near) return 0;
        return first == 0.0 && second == 0.0 ? always : DA_HERE | DA_INSTANT;
    }
    if (!near) return depth > 0.0 ? always : 0;
    int turns = first * second < 0.0 && first * first <= 2 * fabs(second) * e->options.hop;
    double slope = first == 0.0 || turns ? second : first;
    if (sense == DA_STRICT) return slope > 0.0 ? DA_AFTER : 0;
    if (slope >= 0.0) return always;
    return sense == DA_CLOSED ? DA_HERE | DA_INSTANT : DA_HERE;
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

/* All of some readings at once, or any of them. */
static int da_join_readings(int either, const int *readings, int count) {
    int every = DA_AFTER | DA_HERE, some = 0;
    for (int i = 0; i < count; i++) {
        every &= readings[i];
        some |= readings[i];
    }
    if (either) return some;
    return every & DA_HERE ? every | (some & DA_INSTANT) : every;
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
        int count = p[1];
        top -= count;
        v[top] = da_join_readings(*p == -2, v + top, count);
        top++;
        p++;
        left--;
    }
    return v[0];
}

/* How a watched formula reads at the point on the board, whose rates are known; a plain one holds
 * for good if it holds there. */
static int da_read(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first, near = 0;
    int *truth = e->stack_truth + e->s.widest;
    if (e->known_truth[watch] == e->stamp) return e->truth[watch];
    const double *out = count ? da_call(e, s->watch_sample[watch]) : e->out;
    for (int i = 0; i < count; i++) {
        e->depth[i] = out[i];
        e->rate[i] = out[count + i];
        near |= !(fabs(out[i]) > e->options.margin);
    }
    if (near && !s->watch_plain[watch]) da_second_rates(e, watch, count);
    for (int i = 0; i < count; i++) {
        int sense = s->sense[first + i];
        if (s->watch_plain[watch]) {
            int holds = sense == DA_STRICT ? e->depth[i] > 0.0 : e->depth[i] >= 0.0;
            truth[i] = holds ? DA_AFTER | DA_HERE : 0;
        } else {
            truth[i] = da_read_atom(e, sense, e->depth[i], e->rate[i], e->second[i]);
        }
    }
    int found = da_fold_truth(e, watch, truth);
    e->known_truth[watch] = e->stamp;
    return e->truth[watch] = found && da_allows(e, watch) ? found : 0;
}

/* Whether an invariant holds at the point on the board, whatever time does to it. */
static int da_is_at(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first;
    int *truth = e->stack_truth + s->widest;
    const double *out = count ? da_call(e, s->watch_sample[watch]) : e->out;
    for (int i = 0; i < count; i++)
        truth[i] = da_holds_still(e, s->sense[first + i], out[i]) ? DA_HERE : 0;
    return (da_fold_truth(e, watch, truth) & DA_HERE) != 0;
}

static int da_holds(da_engine *e, int watch) {
    return (da_read(e, watch) & (DA_AFTER | DA_INSTANT)) != 0;
}

static int da_is_here(da_engine *e, int edge) {
    return (da_read(e, edge) & DA_HERE) != 0;
}

/* Whether an edge may be taken, as far as it is concerned: see dyverse.automaton.guard.arrival. */
static int da_ready(da_engine *e, int edge) {
    if (da_holds(e, edge)) return 1;
    if (!e->now.arriving || e->behind[edge] || e->jumped[e->s.edge_component[edge]]) return 0;
    return da_is_here(e, edge);
}

/* Whether it may be taken right after, were time to pass. */
static int da_stays(da_engine *e, int edge) {
    return (da_read(e, edge) & DA_AFTER) != 0;
}

/* From which side each equality will be reached: the sign of its difference from now on. */
static void da_take_approach(da_engine *e, int watch) {
    const da_structure *s = &e->s;
    int first = s->watch_first[watch], count = s->watch_first[watch + 1] - first, any = 0;
    for (int i = 0; i < count; i++) any |= s->sense[first + i] == DA_REACHED;
    if (!any) return;
    const double *out = da_call(e, s->watch_sample[watch]);
    for (int i = 0; i < count; i++) {
        double now = fabs(out[i]) > e->options.margin ? out[i] : out[count + i];
        e->approach[first + i] = now < 0.0 ? -1.0 : 1.0;
    }
}

static void da_approaches(da_engine *e) {
    for (int j = 0; j < e->columns; j++) {
        const da_column *c = e->column + j;
        if (c->kind == DA_URGENT || c->kind == DA_OUTSIDE) continue;
        da_take_approach(e, c->watch);
        if (c->kind != DA_SENDER) continue;
        int own = e->s.edge_component[c->watch];
        for (int k = c->partners; k >= 0; k = da_partner(e, e->next[k], own)) da_take_approach(e, k);
    }
}

static int da_is_guard(const da_column *c) {
    return c->kind == DA_ALONE || c->kind == DA_SENDER || c->kind == DA_HEARD;
}

/* Whether the guard of a signal holds where `holds` says so of single edges. */
static int da_guard_holds(da_engine *e, const da_column *c, int (*holds)(da_engine *, int)) {
    if (!holds(e, c->watch)) return 0;
    if (c->kind != DA_SENDER) return 1;
    int own = e->s.edge_component[c->watch];
    for (int k = c->partners; k >= 0; k = da_partner(e, e->next[k], own))
        if (holds(e, k)) return 1;
    return 0;
}

/* Whether a signal that is not positive ends the arc at once. */
static int da_fires(da_engine *e, int number) {
    const da_column *c = e->column + number;
    if (c->kind == DA_URGENT) return 1;
    if (c->kind == DA_INVARIANT) return !da_holds(e, c->watch);
    return da_guard_holds(e, c, da_holds);
}

/* All watched signals and their rates at a point. */
static void da_sample(da_engine *e, double time, const double *x, double *values, double *rates) {
    da_put(e, time, x);
    da_rates_here(e);
    for (int j = 0; j < e->columns; j++) da_signal(e, j, values + j, rates + j);
}
