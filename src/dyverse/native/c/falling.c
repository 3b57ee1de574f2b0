/* The gap between a ball and a wall on a step along parabolas is itself a parabola, g + bθ + aθ² for
 * θ from 0 to 1: when it closes is a formula. What counts as an event is what events.c says. */

/* Whether an open contact is flat, on a step along parabolas. */
static int dv_falls(const dv_engine *e, int contact) {
    return e->step.powers <= 2 && e->flat[contact] >= 0;
}

typedef struct {
    double g, b, a;
    double end;    /* its value at θ = 1 */
    double bottom; /* its least value if it turns upwards inside the step, else the lower end */
    double root;   /* √(b² - 4 a g), or 0 */
} dv_fall;

static dv_fall dv_fall_of(dv_engine *e, int contact) {
    dv_draw_line(e, contact);
    dv_fall f = {e->line[0][0], e->step.length * e->line[1][0], -e->line[0][2], 0.0, 0.0, 0.0};
    double square = f.b * f.b - 4 * f.a * f.g;
    f.end = f.g + e->line[0][1];
    f.bottom = f.b < 0.0 && -f.b < 2 * f.a ? f.g - f.b * f.b / (4 * f.a) : dv_min(f.g, f.end);
    f.root = square > 0.0 ? sqrt(square) : 0.0;
    return f;
}

/* θ at the crossing from above, in the form that does not cancel. */
static double dv_fall_ends(const dv_fall *f) {
    return f->b < 0.0 ? 2 * f->g / (f->root - f->b) : -(f->b + f->root) / (2 * f->a);
}

static double dv_fall_time(const dv_engine *e, double share) {
    return e->step.start + e->step.length * dv_min(share, 1.0);
}

/* A gap that was open: it closes, or it comes near without. */
static double dv_fall_armed(dv_engine *e, int contact, const dv_fall *f) {
    if (f->g <= 0.0) return e->step.start;
    if (f->bottom <= 0.0) return dv_fall_time(e, dv_fall_ends(f));
    if (f->bottom < dv_min(f->g, f->end) && f->bottom <= e->options.graze &&
        e->near.count < DV_NEAR_ROOM) {
        dv_near miss = {dv_fall_time(e, -f->b / (2 * f->a)), f->bottom, 2 * contact};
        e->near.miss[e->near.count++] = miss;
    }
    return INFINITY;
}

/* A gap that was just closed: it hops and comes down, or sinks too deep without having risen. */
static double dv_fall_resting(dv_engine *e, int contact, const dv_fall *f) {
    const dv_options *o = &e->options;
    int turns = f->b > 0.0 && f->b < -2 * f->a; /* from rising to falling */
    double top = turns ? f->g - f->b * f->b / (4 * f->a) : f->end;
    int hops = top > o->lift && (f->b > 0.0 || f->bottom >= -o->depth);
    if (hops) e->resting[contact] = 0;
    if (hops && turns && f->end <= 0.0) return dv_fall_time(e, dv_fall_ends(f));
    return !hops && f->bottom < -o->depth ? e->step.start : INFINITY;
}

/* The first time at which the gap of an open, flat contact closes. */
static double dv_fall_event(dv_engine *e, int contact) {
    dv_fall f = dv_fall_of(e, contact);
    e->clear[contact] = f.g;
    if (isnan(f.g + f.b + f.a)) return e->step.start; /* dv_end_at finds out */
    return e->resting[contact] ? dv_fall_resting(e, contact, &f) : dv_fall_armed(e, contact, &f);
}
