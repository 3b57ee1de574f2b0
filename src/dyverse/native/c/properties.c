/* How deep inside its properties a run of bodies is; depths.c says how the least depth is found. */

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
    dv_around(&e->step, time, &before, &after);
    return (dv_depth(e, after, property) - dv_depth(e, before, property)) / (after - before);
}

static dv_lowest dv_property(const dv_engine *e, int j) {
    dv_lowest found = {e->least + j, e->when + j, e->first + j};
    return found;
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
        dv_lowest own = dv_property(e, j);
        dv_lower(&own, time, e->property[j]);
        if (isnan(e->first[j]) && e->property[j] < 0.0) e->first[j] = time;
    }
}

/* Depths on the part of the step before `end`; a property with an end of its own stops there. */
static void dv_watch_properties(dv_engine *e, double end) {
    int m = dv_intervals(e);
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
        dv_hunt hunt = dv_hunt_for(e, 2 * e->contacts + j, INFINITY);
        dv_lowest own = dv_property(e, j);
        dv_watch_depth(&hunt, &own, &c, e->step.length);
    }
}
