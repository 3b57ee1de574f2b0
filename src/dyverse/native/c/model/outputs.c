/* Outputs of a model where its run is. */

#if DM_HAS_BODIES
/* A force of one contact: along its normal, or friction. */
static double dm_force(dv_engine *b, int contact, int normal) {
    if (b->modes[contact] == DV_OPEN) return 0.0;
    b->steady = 0;
    dv_solve_motion(b, b->now.time, b->x, DV_FOR_SIGNALS);
    int k = 0;
    while (b->closed.contact[k] != contact) k++;
    const double *force = b->motion.forces + 3 * k;
    return normal ? force[0] : dv_length(force[1], force[2]);
}

static double dm_gap(dv_engine *b, int contact) {
    double gap[2];
    dv_fill_bodies(b, b->x);
    dv_gap(b, contact, gap);
    return gap[0];
}

static double dm_of_bodies(dyverse_model *m, const dyverse_quantity *q) {
    dv_engine *b = dm_bodies_at(m->engine, dyverse_time(m), dm_here(m));
    switch (q->kind) {
    case DYVERSE_ENERGY: return dm_energy(dyverse_time(m), dm_here(m), b->numbers);
    case DYVERSE_IMPACTS: return (double)b->now.counts[DV_N_IMPACTS];
    case DYVERSE_MODE: return b->modes[q->index];
    case DYVERSE_GAP: return dm_gap(b, q->index);
    case DYVERSE_NORMAL: return dm_force(b, q->index, 1);
    default: return dm_force(b, q->index, 0);
    }
}
#endif

/* Whether the engine knows it also if it is a step ahead. */
static int dm_is_known(const dyverse_model *m, const dyverse_quantity *q) {
    return !m->lead.on || q->kind < DYVERSE_GAP;
}

dyverse_status dyverse_output(dyverse_model *m, int output, double *value) {
    if (output < 0 || output >= m->facts->outputs) return dm_refuse(m, "no such output", "");
    const dyverse_quantity *q = m->facts->output + output;
    *value = q->value;
    if (q->kind == DYVERSE_STATE) *value = dm_here(m)[q->index];
    if (q->kind == DYVERSE_STATE || !m->begun) return DYVERSE_OK;
    int ahead = m->stale || !dm_is_known(m, q) ? dm_look(m) : 0;
    if (q->kind == DYVERSE_EVENTS)
        *value = (double)(m->lead.on ? m->lead.events : dm_events(m->engine));
    else if (q->kind == DYVERSE_LOCATION)
        *value = dm_place(m->engine, q->index);
#if DM_HAS_BODIES
    else
        *value = dm_of_bodies(m, q);
#endif
    dm_look_on(m, ahead);
    return DYVERSE_OK;
}
