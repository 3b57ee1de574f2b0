/* When bodies meet that fly along parabolas: two balls, or a ball and a wall. All is by formula but for
 * balls that accelerate apart, whose distance is a polynomial of degree four. */

#define DV_PARTING 1e-6 /* m/s: bodies that touch and part slower are looked at more closely */
#define DV_HOP 1e-9     /* m: so are those that come down again from less */

/* A time, and whether what happens then is not for formulas to say. */
typedef struct {
    double time;
    int delicate;
} dv_meeting;

static dv_meeting dv_meets(double time, int delicate) {
    dv_meeting found = {time, delicate};
    return found;
}

static const dv_meeting DV_NEVER = {INFINITY, 0};

/* c[0] + c[1] t + … */
static double dv_polynomial(const double *c, int degree, double t) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = c[k] + t * sum;
    return sum;
}

/* Where a polynomial changes its sign between two points where signs differ: bisection at first, then
 * steps of Newton's kind that stay inside. */
static double dv_polynomial_root(const double *c, const double *rate, int degree, double low,
                                 double high) {
    int rises = dv_polynomial(c, degree, high) > 0.0;
    double t = (low + high) / 2;
    for (int i = 0; i < 100 && high - low > dv_ulp(high); i++) {
        double value = dv_polynomial(c, degree, t);
        if ((value > 0.0) == rises)
            high = t;
        else
            low = t;
        double next = t - value / dv_polynomial(rate, degree - 1, t);
        if (fabs(next - t) <= dv_ulp(t)) return next;
        t = next > low && next < high ? next : (low + high) / 2;
    }
    return high;
}

/* All roots of odd order between 0 and `end`, in order, found between those of the rate. */
static int dv_polynomial_roots(const double *c, int degree, double end, double *roots) {
    double rate[5], turns[5];
    int count = 0, found = 0;
    if (degree > 1) {
        for (int k = 1; k <= degree; k++) rate[k - 1] = k * c[k];
        count = dv_polynomial_roots(rate, degree - 1, end, turns);
    } else {
        rate[0] = c[1];
    }
    turns[count++] = end;
    for (int i = 0; i < count; i++) {
        double low = i ? turns[i - 1] : 0.0, high = turns[i];
        double first = dv_polynomial(c, degree, low), last = dv_polynomial(c, degree, high);
        if ((first > 0.0) != (last > 0.0))
            roots[found++] = dv_polynomial_root(c, rate, degree, low, high);
    }
    return found;
}

/* When a square of a distance, less that of `reach`, falls to zero before `end`; or comes so near that
 * it may. If bodies `touch` they part at first. */
static dv_meeting dv_quartic_meeting(const double *square, double reach, int touch, double end,
                                     double graze) {
    double rate[4], at[5];
    const double *c = square + (touch ? 1 : 0);
    int degree = touch ? 3 : 4, count = dv_polynomial_roots(c, degree, end, at);
    double first = count ? at[0] : INFINITY;
    for (int k = 1; k <= 4; k++) rate[k - 1] = k * square[k];
    count = dv_polynomial_roots(rate, 3, dv_min(end, first), at);
    for (int i = 0; i < count; i++) { /* where it turns: the least of it, or the most */
        double gap = dv_polynomial(square, 4, at[i]) / (2 * reach);
        if (gap <= (touch && i == 0 ? DV_HOP : graze)) return dv_meets(at[i], 1);
    }
    return dv_meets(first, 0);
}

/* When two balls meet that are d apart, move away from each other by u and accelerate so by w. */
static dv_meeting dv_balls_meet(const double *d, const double *u, const double *w, double reach,
                                double end, const dv_options *o) {
    double c = dv_dot3(d, d) - reach * reach, b = dv_dot3(d, u), speed = dv_dot3(u, u);
    double bend = dv_dot3(w, w);
    int touch = c <= 2 * reach * o->gap;
    if (touch && speed + bend == 0.0) return DV_NEVER; /* they fly side by side */
    if (touch && !(b >= DV_PARTING * reach)) return dv_meets(0.0, 1);
    if (bend > 0.0) {
        double square[5] = {c, 2 * b, speed + dv_dot3(d, w), dv_dot3(u, w), bend / 4};
        double last = 1.0 + dv_largest(square, 4) / square[4]; /* Cauchy: no root is larger */
        return end > 0.0 ? dv_quartic_meeting(square, reach, touch, dv_min(end, last), o->graze)
                         : DV_NEVER;
    }
    if (b >= 0.0) return DV_NEVER;
    double root = b * b - speed * c;
    if (root > 0.0) return dv_meets(c / (sqrt(root) - b), 0);
    double least = (c - b * b / speed) / (2 * reach);
    return least <= o->graze ? dv_meets(-b / speed, 1) : DV_NEVER;
}

/* When a gap g + bt + at²/2 closes. */
static dv_meeting dv_wall_meets(double g, double b, double a, const dv_options *o) {
    int touch = g <= o->gap;
    double root = b * b - 2 * a * g;
    if (touch && b == 0.0 && a == 0.0) return DV_NEVER;
    if (touch && (!(b >= DV_PARTING) || (a < 0.0 && b * b < -2 * a * DV_HOP)))
        return dv_meets(0.0, 1);
    if (a < 0.0 || (b < 0.0 && root > 0.0))
        return dv_meets(b < 0.0 ? 2 * g / (sqrt(root) - b) : -(b + sqrt(dv_max(root, 0.0))) / a, 0);
    if (!(b < 0.0)) return DV_NEVER;
    return g - b * b / (2 * a) <= o->graze ? dv_meets(-b / a, 1) : DV_NEVER;
}

/* When a coordinate leaves [low, high] that is in there at s, or has just left. */
static double dv_leaves(double q, double v, double a, double low, double high, double s,
                        int *upwards) {
    double now = q + s * (v + s * a / 2), speed = v + s * a, up = INFINITY, down = INFINITY;
    double over = v * v - 2 * a * (q - high), under = v * v - 2 * a * (q - low);
    if (over >= 0.0 && (a != 0.0 || v > 0.0))
        up = v > 0.0 ? 2 * (high - q) / (v + sqrt(over)) : a > 0.0 ? (sqrt(over) - v) / a : INFINITY;
    if (under >= 0.0 && (a != 0.0 || v < 0.0))
        down = v < 0.0 ? 2 * (low - q) / (v - sqrt(under))
                       : a < 0.0 ? -(v + sqrt(under)) / a : INFINITY;
    if (!(up >= s)) up = now >= high && speed > 0.0 ? s : INFINITY;
    if (!(down >= s)) down = now < low && speed < 0.0 ? s : INFINITY;
    *upwards = up <= down;
    return dv_min(up, down);
}
