/* Which contacts are looked at: of many bodies those that are near one another, a list as in
 * [verlet1967]. All others have been farther apart than `horizon` when the list was made, and have come
 * closer by `nearer` since, at most: each body has `gone` so far, and `loose` is for what else moves.
 * They are open, and nothing is remembered of them. */

#ifndef DV_ALWAYS
#define DV_ALWAYS 256   /* contacts: so many are looked at all the time */
#endif
#define DV_LOOK 5.0  /* what it costs to look at a contact in each step, over making a list of it */

/* Nothing is known of any gap. */
void dv_know_nothing(dv_engine *e) {
    dv_zero(e->clear, e->contacts);
    e->nearer = INFINITY;
    e->surveyed = 0;
}

/* A bound on the gap of a contact; of links nothing is known, however far their bodies travel. */
static void dv_set_clear(dv_engine *e, int c, double gap) {
    e->clear[c] = e->linked[c] ? 0.0 : gap;
}

static int dv_is_remembered(const dv_engine *e, int c) {
    return e->modes[c] != DV_OPEN || e->before[c] != DV_OPEN || e->hit[c] || e->resting[c] ||
           e->known[c] || dv_largest(e->held + 3 * c, 3) > 0.0;
}

/* The bounds on gaps as they are now, renewed where they do not suffice. */
static void dv_renew_clear(dv_engine *e) {
    double gap[2];
    dv_fill_bodies(e, e->x);
    for (int c = 0; c < e->contacts; c++) {
        const int *ends = e->ends + 2 * c;
        if (e->nearer < INFINITY && !e->listed[c])
            e->clear[c] -= e->gone[ends[0]] + e->gone[ends[1]] + e->loose;
        if (e->clear[c] > e->horizon) continue;
        dv_gap(e, c, gap);
        dv_set_clear(e, c, gap[0]);
    }
}

/* Whether making the list was cheap beside looking at what is on it since. */
static int dv_has_paid(const dv_engine *e) {
    double steps = (double)(e->step.pace.made - e->listed_at) + 1.0;
    return DV_LOOK * steps * e->live_count > e->contacts;
}

/* How many steps the next list is to last for. */
static void dv_adapt_list(dv_engine *e) {
    double lasts = e->lasts * (dv_has_paid(e) ? 0.75 : 1.5);
    if (e->nearer < INFINITY) e->lasts = dv_min(dv_max(lasts, 2.0), 100.0);
    e->listed_at = e->step.pace.made;
}

static void dv_list_near(dv_engine *e, double reach) {
    dv_adapt_list(e);
    e->horizon = dv_max(e->lasts * dv_max(reach, e->last_reach), 4 * DV_FAR);
    dv_renew_clear(e);
    e->live_count = 0;
    for (int c = 0; c < e->contacts; c++) {
        e->listed[c] = !(e->clear[c] > e->horizon) || dv_is_remembered(e, c);
        if (e->listed[c]) e->live[e->live_count++] = c;
    }
    dv_zero(e->gone, e->bodies);
    e->nearer = e->loose = 0.0;
    e->surveyed = 0;
}

/* See to it that every contact that is nearer than `reach` is on the list. */
static void dv_look_around(dv_engine *e, double reach) {
    if (e->now.aloft) return; /* what is near was found by other means */
    if (!e->few && !(e->horizon - e->nearer > reach)) dv_list_near(e, reach);
}

/* The same before a search on a step. Lists that were made for much longer steps are made anew. */
static void dv_look_ahead(dv_engine *e, double reach) {
    e->last_reach = reach;
    int is_long = e->horizon - e->nearer > 2 * e->lasts * reach && dv_has_paid(e);
    if (!e->few && is_long) dv_list_near(e, reach);
    dv_look_around(e, reach);
}

/* All of them, for good. */
static void dv_list_all(dv_engine *e) {
    e->few = 1;
    e->live_count = e->contacts;
    for (int c = 0; c < e->contacts; c++) e->live[c] = c;
}

/* Bodies may have come closer to one another by so much. */
static void dv_loosen(dv_engine *e, double by) {
    for (int i = 0; i < e->live_count; i++) e->clear[e->live[i]] -= by;
    e->loose += by;
    e->nearer += by;
}

/* Gap and normal speed of all contacts at the present state, unless they are known already. Of those
 * that are known to be far apart, a bound of the gap and no speed: that suffices for guards. */
void dv_survey(dv_engine *e) {
    double out[2];
    dv_look_around(e, DV_FAR);
    if (e->surveyed) return;
    e->surveyed = 1;
    int few = e->live_count < e->bodies;
    if (e->flat_count < e->contacts && !few) dv_fill_bodies(e, e->x);
    for (int i = 0; i < e->live_count; i++) {
        int c = e->live[i];
        const dv_flat *f = dv_flat_of(e, c);
        int near = !(e->clear[c] > DV_FAR);
        for (int k = 0; k < 2 && few && near && !f; k++) dv_fill_body(e, e->x, e->ends[2 * c + k]);
        out[0] = e->clear[c];
        out[1] = 0.0;
        if (near && f)
            dv_flat_survey(f, e->x + f->at, e->x + e->coordinates + f->row, out);
        else if (near)
            dv_gap(e, c, out);
        e->gap0[c] = out[0];
        dv_set_clear(e, c, out[0]);
        e->speed0[c] = out[1];
    }
}

/* Bodies have moved: by what a share of the last step's polynomial takes them, and by `extra`. */
static void dv_unclear(dv_engine *e, double share, double extra) {
    double farthest = 0.0;
    for (int b = 0; b < e->bodies; b++) {
        e->travel[b] = dv_min(e->travel[b], share * e->sweep[b]);
        e->gone[b] += e->travel[b];
        farthest = dv_max(farthest, e->gone[b]);
    }
    for (int i = 0; i < e->live_count; i++) {
        const int *ends = e->ends + 2 * e->live[i];
        e->clear[e->live[i]] -= e->travel[ends[0]] + e->travel[ends[1]] + extra;
    }
    e->loose += extra;
    e->nearer = dv_max(e->nearer, 2 * farthest + e->loose); /* it may be infinite */
}
