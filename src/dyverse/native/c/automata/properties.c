/* How deep inside each property the run is: the least depth, when that was, and when the property
 * first failed. A step is sampled; where a depth turns between samples, from falling to rising, its
 * minimum is found by the sign of its rate, which also tells the two sides of a kink apart. A depth
 * that would have to bend very sharply to get below the least so far is not looked at. */

static int da_property_watch(const da_engine *e, int property) {
    return e->s.watches - e->s.properties + property;
}

static void da_lower(da_engine *e, int property, double time, double value) {
    if (!(value < e->least[property])) return;
    e->least[property] = value;
    e->when[property] = time;
}

/* Look at all properties in the present state. */
static void da_judge(da_engine *e) {
    if (e->s.properties == 0 || da_is_node(e)) return;
    da_enter(e);
    da_put_here(e);
    for (int p = 0; p < e->s.properties; p++) {
        int watch = da_property_watch(e, p);
        if (e->now.time > e->deadline[p]) continue;
        da_look(e, watch);
        da_lower(e, p, e->now.time, e->inside[watch]);
        if (isnan(e->failed[p]) && e->inside[watch] < 0.0) e->failed[p] = e->now.time;
    }
}

/* A property fails between `good`, where it holds, and `bad`, if it does. */
static void da_note_failure(da_engine *e, int property, double good, double held, double bad,
                            double value) {
    if (!isnan(e->failed[property]) || !(value < 0.0)) return;
    e->failed[property] = da_root(e, e->columns + property, good, held, bad, value);
}

/* Whether the depth might get below `least` inside interval i: by a tangent some intervals long. */
static int da_reaches(const da_curve *c, int i, double least) {
    double length = DA_REACH * (c->t[i + 1] - c->t[i]);
    return (c->r[i] < 0 && c->v[i] + length * c->r[i] < least) ||
           (c->r[i + 1] > 0 && c->v[i + 1] - length * c->r[i + 1] < least);
}

/* Minima between the samples of a curve, in the order of time, and the first failure. */
static void da_descend(da_engine *e, int property, const da_curve *c, int level) {
    int signal = e->columns + property;
    for (int i = 0; i < e->options.points - 1; i++) {
        double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
        double chord = 3 * (v1 - v0) / (c->t[i + 1] - c->t[i]);
        int wavy = dv_min(r0, r1) < dv_min(chord, 0.0) || dv_max(r0, r1) > dv_max(chord, 0.0);
        int reaches = da_reaches(c, i, e->least[property]);
        if (reaches && r0 < 0 && r1 > 0) {
            double value, bottom = da_turn(e, signal, c, i, &value);
            da_lower(e, property, bottom, value);
            da_note_failure(e, property, c->t[i], v0, bottom, value);
        } else if (reaches && wavy && level < DA_LEVELS) {
            da_curve finer;
            da_draw(e, signal, c->t[i], c->t[i + 1], &finer);
            da_descend(e, property, &finer, level + 1);
        }
        da_lower(e, property, c->t[i + 1], v1);
        da_note_failure(e, property, c->t[i], v0, c->t[i + 1], v1);
    }
}

/* Depths on the part of the step before `end`; a property with an end of its own stops there. */
static void da_watch_properties(da_engine *e, double end) {
    for (int p = 0; p < e->s.properties; p++) {
        double last = dv_min(end, e->deadline[p]);
        da_curve c;
        if (!(last > e->step.start)) continue;
        da_draw(e, e->columns + p, e->step.start, last, &c);
        da_descend(e, p, &c, 0);
    }
}
