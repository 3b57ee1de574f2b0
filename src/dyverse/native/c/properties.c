/* How deep inside each property the run is: the least depth along a step, when that was, and when a
 * property first failed.
 *
 * A step is sampled. Where a depth turns between samples, from falling to rising, its minimum is
 * found: by the sign of its rate, which also tells the two sides of a kink apart, and at a kink by
 * sections as well. A depth that would have to bend very sharply to get below the least so far is
 * not looked at. */

#define DV_GOLDEN 0.3819660112501051 /* (3 - √5)/2 */

/* Forces and modes of closed contacts for those properties that ask for them. */
static void dv_property_forces(dv_engine *e, double time, const double *x) {
    if (!dv_model_uses_forces()) return;
    dv_zero(e->touch, 4 * e->contacts);
    if (e->closed.count == 0) return;
    dv_solve_motion(e, time, x, DV_FOR_SIGNALS);
    for (int k = 0; k < e->closed.count; k++) {
        const double *force = e->motion.forces + 3 * k;
        double *touch = e->touch + 4 * e->closed.contact[k];
        touch[0] = force[0];
        touch[1] = dv_length(force[1], force[2]);
        touch[2] = 1;
        touch[3] = e->modes[e->closed.contact[k]] == DV_STICK;
    }
}

/* All depths at `time` on the step just made. */
static void dv_depths(dv_engine *e, double time, double *out) {
    dv_dense_state(&e->step, time, e->yt);
    dv_property_forces(e, time, e->yt);
    dv_model_properties(time, e->yt, e->p, e->touch, out);
}

/* One depth; events.c calls this for the signals behind those of contacts. */
static double dv_depth(dv_engine *e, double time, int property) {
    dv_depths(e, time, e->property);
    return e->property[property];
}

static double dv_depth_rate(dv_engine *e, double time, int property) {
    double before, after;
    dv_around(e, time, &before, &after);
    return (dv_depth(e, after, property) - dv_depth(e, before, property)) / (after - before);
}

static int dv_property_signal(const dv_engine *e, int property) {
    return 2 * e->contacts + property;
}

static void dv_lower(dv_engine *e, int property, double time, double value) {
    if (!(value < e->least[property])) return;
    e->least[property] = value;
    e->when[property] = time;
}

/* Look at all properties in the present state, for which no arc does. Directions are those of an arc
 * that would begin here; the run goes on with its own. */
static void dv_judge(dv_engine *e) {
    double time = e->now.time;
    if (e->properties == 0) return;
    dv_copy(e->own_ahead, e->ahead, 3 * e->contacts);
    if (e->closed.count) dv_directions(e);
    dv_property_forces(e, time, e->x);
    dv_copy(e->ahead, e->own_ahead, 3 * e->contacts);
    dv_model_properties(time, e->x, e->p, e->touch, e->property);
    for (int j = 0; j < e->properties; j++) {
        if (time > e->deadline[j]) continue;
        dv_lower(e, j, time, e->property[j]);
        if (isnan(e->first[j]) && e->property[j] < 0.0) e->first[j] = time;
    }
}

/* The lowest point of a valley between a and b, by golden sections. */
static double dv_bottom(dv_hunt *h, double a, double b, double fine) {
    double x = a + DV_GOLDEN * (b - a), y = b - DV_GOLDEN * (b - a);
    double fx = dv_value(h, x, 0), fy = dv_value(h, y, 0);
    while (b - a > fine && a < x && x < y && y < b) {
        if (fx <= fy) {
            b = y;
            y = x;
            fy = fx;
            x = a + DV_GOLDEN * (b - a);
            fx = dv_value(h, x, 0);
        } else {
            a = x;
            x = y;
            fx = fy;
            y = b - DV_GOLDEN * (b - a);
            fy = dv_value(h, y, 0);
        }
    }
    return fx <= fy ? x : y;
}

/* The minimum on interval i, where the depth turns. Rates by differences blur a kink by the length
 * they are taken over; about a smooth minimum that does not matter. */
static double dv_valley(dv_hunt *h, const dv_curve *c, int i, double *value) {
    double bottom = dv_turn(h, c, i), small = 1e-6 * h->e->step.length;
    double a = dv_max(bottom - small, c->t[i]), b = dv_min(bottom + small, c->t[i + 1]);
    if (fabs(dv_value(h, b, 1) - dv_value(h, a, 1)) > 1e-3 * (c->r[i + 1] - c->r[i]))
        bottom = dv_bottom(h, a, b, 1e-13 * h->e->step.length);
    *value = dv_value(h, bottom, 0);
    return bottom;
}

/* A property fails between `good`, where it holds, and `bad`. */
static void dv_fails(dv_hunt *h, double good, double held, double bad, double value) {
    double *first = h->e->first + (h->signal - 2 * h->e->contacts);
    if (isnan(*first) && value < 0.0) *first = dv_root(h, good, held, bad, value);
}

static void dv_descend(dv_hunt *h, const dv_curve *c, int level);

/* Look closer at interval i. */
static void dv_closer(dv_hunt *h, const dv_curve *c, int i, int level) {
    dv_curve finer;
    int m = h->e->options.intervals;
    for (int k = 0; k <= m; k++) {
        finer.t[k] = c->t[i] + (c->t[i + 1] - c->t[i]) * k / m;
        finer.v[k] = dv_value(h, finer.t[k], 0);
        finer.r[k] = dv_value(h, finer.t[k], 1);
    }
    dv_descend(h, &finer, level + 1);
}

/* Whether the depth might get below `least` inside interval i: by a tangent some intervals long. */
static int dv_reaches(const dv_curve *c, int i, double least) {
    double length = DV_REACH * (c->t[i + 1] - c->t[i]);
    return (c->r[i] < 0 && c->v[i] + length * c->r[i] < least) ||
           (c->r[i + 1] > 0 && c->v[i + 1] - length * c->r[i + 1] < least);
}

/* Minima between the samples of a curve, in the order of time, and the first failure. */
static void dv_descend(dv_hunt *h, const dv_curve *c, int level) {
    dv_engine *e = h->e;
    int property = h->signal - 2 * e->contacts;
    for (int i = 0; i < e->options.intervals; i++) {
        double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
        double chord = 3 * (v1 - v0) / (c->t[i + 1] - c->t[i]);
        int wavy = dv_min(r0, r1) < dv_min(chord, 0.0) || dv_max(r0, r1) > dv_max(chord, 0.0);
        int reaches = dv_reaches(c, i, e->least[property]);
        if (reaches && r0 < 0 && r1 > 0) {
            double value, bottom = dv_valley(h, c, i, &value);
            dv_lower(e, property, bottom, value);
            dv_fails(h, c->t[i], v0, bottom, value);
        } else if (reaches && wavy && level < DV_LEVELS) {
            dv_closer(h, c, i, level);
        }
        dv_lower(e, property, c->t[i + 1], v1);
        dv_fails(h, c->t[i], v0, c->t[i + 1], v1);
    }
}

/* Whether the depth falls or rises all along: by even differences and the rates at both ends, which
 * see a turn in the first or last interval. */
static int dv_is_steady(dv_engine *e, int property, const dv_curve *c) {
    int m = e->options.intervals;
    double length = (c->t[m] - c->t[0]) / m, before, after, slope[DV_MAX_INTERVALS + 2];
    for (int i = 1; i <= m; i++) slope[i] = c->v[i] - c->v[i - 1];
    dv_around(e, c->t[0], &before, &after);
    slope[0] = length * (dv_depth(e, after, property) - c->v[0]) / (after - c->t[0]);
    dv_around(e, c->t[m], &before, &after);
    slope[m + 1] = length * (c->v[m] - dv_depth(e, before, property)) / (c->t[m] - before);
    for (int i = 0; i <= m; i++)
        if (!(fabs(slope[i + 1] - slope[i]) <= 0.5 * dv_min(fabs(slope[i]), fabs(slope[i + 1]))))
            return 0;
    return 1;
}

/* One property from the start of the step to the end of its samples in c. */
static void dv_watch_property(dv_engine *e, int property, dv_curve *c) {
    int m = e->options.intervals;
    dv_hunt hunt = {e, dv_property_signal(e, property), INFINITY, 0};
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= m; i++) {
        low = dv_min(low, c->v[i]);
        high = dv_max(high, c->v[i]);
    }
    if (c->v[0] < 0.0 && isnan(e->first[property])) e->first[property] = c->t[0];
    dv_lower(e, property, c->t[0], c->v[0]);
    if (low - 2 * (high - low) >= e->least[property]) return;
    int plain = !isfinite(high - low) || dv_is_steady(e, property, c); /* samples suffice */
    for (int i = 0; i <= m; i++) c->r[i] = plain ? 0.0 : dv_depth_rate(e, c->t[i], property);
    dv_descend(&hunt, c, 0);
}

/* Depths on the part of the step before `end`; a property with an end of its own stops there. */
static void dv_watch_properties(dv_engine *e, double end) {
    int m = e->options.intervals;
    double start = e->step.start, *grid = e->depths;
    if (e->properties == 0) return;
    for (int i = 0; i <= m; i++)
        dv_depths(e, i == m ? end : start + (end - start) * i / m, grid + i * e->properties);
    for (int j = 0; j < e->properties; j++) {
        double last = dv_min(end, e->deadline[j]);
        dv_curve c;
        if (last < start) continue;
        for (int i = 0; i <= m; i++) {
            c.t[i] = i == m ? last : start + (last - start) * i / m;
            c.v[i] = last < end ? dv_depth(e, c.t[i], j) : grid[i * e->properties + j];
        }
        dv_watch_property(e, j, &c);
    }
}
