/* How deep inside each property the run is: the least depth along a step, when that was, and when a
 * property first failed.
 *
 * A step is sampled. Where a depth turns between samples, from falling to rising, its minimum is
 * found: by the sign of its rate, which also tells the two sides of a kink apart, and at a kink by
 * sections as well. A depth that would have to bend very sharply to get below the least so far is
 * not looked at. */

#define DV_GOLDEN 0.3819660112501051 /* (3 - √5)/2 */

void dv_lower(const dv_lowest *p, double time, double value) {
    if (!(value < *p->least)) return;
    *p->least = value;
    *p->when = time;
}

/* The lowest point of a valley between a and b, by golden sections. */
static double dv_bottom(const dv_hunt *h, double a, double b, double fine) {
    double x = a + DV_GOLDEN * (b - a), y = b - DV_GOLDEN * (b - a);
    double fx = dv_value(h, x), fy = dv_value(h, y);
    while (b - a > fine && a < x && x < y && y < b) {
        if (fx <= fy) {
            b = y;
            y = x;
            fy = fx;
            x = a + DV_GOLDEN * (b - a);
            fx = dv_value(h, x);
        } else {
            a = x;
            x = y;
            fx = fy;
            y = b - DV_GOLDEN * (b - a);
            fy = dv_value(h, y);
        }
    }
    return fx <= fy ? x : y;
}

/* The minimum on interval i, where the depth turns. Rates by differences blur a kink by the length
 * they are taken over; about a smooth minimum that does not matter. */
static double dv_valley(const dv_hunt *h, const dv_curve *c, int i, double length, double *value) {
    double bottom = dv_turn(h, c, i), small = 1e-6 * length;
    double a = dv_max(bottom - small, c->t[i]), b = dv_min(bottom + small, c->t[i + 1]);
    if (fabs(dv_slope(h, b) - dv_slope(h, a)) > 1e-3 * (c->r[i + 1] - c->r[i]))
        bottom = dv_bottom(h, a, b, 1e-13 * length);
    *value = dv_value(h, bottom);
    return bottom;
}

/* A property fails between `good`, where it holds, and `bad`, if it does. */
static void dv_fails(const dv_hunt *h, const dv_lowest *p, double good, double held, double bad,
                     double value) {
    if (isnan(*p->failed) && value < 0.0) *p->failed = dv_root(h, good, held, bad, value);
}

/* Whether the depth might get below `least` inside interval i: by a tangent some intervals long. */
static int dv_reaches(const dv_curve *c, int i, double least) {
    double length = DV_REACH * (c->t[i + 1] - c->t[i]);
    return (c->r[i] < 0 && c->v[i] + length * c->r[i] < least) ||
           (c->r[i + 1] > 0 && c->v[i + 1] - length * c->r[i + 1] < least);
}

/* Minima between the samples of a curve, in the order of time, and the first failure. */
static void dv_descend(dv_hunt *h, const dv_lowest *p, const dv_curve *c, double length, int level) {
    for (int i = 0; i < h->intervals; i++) {
        double v0 = c->v[i], v1 = c->v[i + 1], r0 = c->r[i], r1 = c->r[i + 1];
        double chord = 3 * (v1 - v0) / (c->t[i + 1] - c->t[i]);
        int wavy = dv_min(r0, r1) < dv_min(chord, 0.0) || dv_max(r0, r1) > dv_max(chord, 0.0);
        int reaches = dv_reaches(c, i, *p->least);
        if (reaches && r0 < 0 && r1 > 0) {
            double value, bottom = dv_valley(h, c, i, length, &value);
            dv_lower(p, bottom, value);
            dv_fails(h, p, c->t[i], v0, bottom, value);
        } else if (reaches && wavy && level < DV_LEVELS) {
            dv_curve finer;
            dv_draw(h, c->t[i], c->t[i + 1], &finer);
            dv_descend(h, p, &finer, length, level + 1);
        }
        dv_lower(p, c->t[i + 1], v1);
        dv_fails(h, p, c->t[i], v0, c->t[i + 1], v1);
    }
}

/* Whether the depth falls or rises all along: by even differences and the rates at both ends, which
 * see a turn in the first or last interval. */
static int dv_is_even(const dv_hunt *h, const dv_curve *c) {
    int m = h->intervals;
    double length = (c->t[m] - c->t[0]) / m, slope[DV_POINTS + 1];
    for (int i = 1; i <= m; i++) slope[i] = c->v[i] - c->v[i - 1];
    slope[0] = length * dv_slope(h, c->t[0]);
    slope[m + 1] = length * dv_slope(h, c->t[m]);
    for (int i = 0; i <= m; i++)
        if (!(fabs(slope[i + 1] - slope[i]) <= 0.5 * dv_min(fabs(slope[i]), fabs(slope[i + 1]))))
            return 0;
    return 1;
}

/* One property along the samples in c, of a step of that length; rates are asked for if need be. */
void dv_watch_depth(dv_hunt *h, const dv_lowest *p, dv_curve *c, double length) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= h->intervals; i++) {
        low = dv_min(low, c->v[i]);
        high = dv_max(high, c->v[i]);
    }
    if (c->v[0] < 0.0 && isnan(*p->failed)) *p->failed = c->t[0];
    dv_lower(p, c->t[0], c->v[0]);
    if (low - 2 * (high - low) >= *p->least) return;
    int plain = !isfinite(high - low) || dv_is_even(h, c); /* samples suffice */
    for (int i = 0; i <= h->intervals; i++) c->r[i] = plain ? 0.0 : dv_slope(h, c->t[i]);
    dv_descend(h, p, c, length, 0);
}
