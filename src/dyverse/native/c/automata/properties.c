/* How deep inside its properties a run of automata is; ../depths.c says how the least depth is found. */

static int da_property_watch(const da_engine *e, int property) {
    return e->s.watches - e->s.properties + property;
}

static dv_lowest da_property(const da_engine *e, int p) {
    dv_lowest found = {e->least + p, e->when + p, e->failed + p};
    return found;
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
        dv_lowest own = da_property(e, p);
        dv_lower(&own, e->now.time, e->inside[watch]);
        if (isnan(e->failed[p]) && e->inside[watch] < 0.0) e->failed[p] = e->now.time;
    }
}

/* Depths on the part of the step before `end`; a property with an end of its own stops there. */
static void da_watch_properties(da_engine *e, double end) {
    for (int p = 0; p < e->s.properties; p++) {
        double last = dv_min(end, e->deadline[p]);
        dv_hunt hunt = da_hunt_for(e, e->columns + p, INFINITY);
        dv_lowest own = da_property(e, p);
        dv_curve c;
        if (!(last > e->step.start)) continue;
        for (int k = 0; k <= hunt.intervals; k++) {
            c.t[k] = dv_time_of(e->step.start, last, k, hunt.intervals);
            c.v[k] = dv_value(&hunt, c.t[k]);
        }
        dv_watch_depth(&hunt, &own, &c, e->step.length);
    }
}
