/* Rates along a direction of states and settings, exactly: what was generated is differentiated by
 * formula. Forces of closed contacts and joints, rotations, and slides along switching surfaces are
 * solved for and not generated: there is no formula for them. */

#if DM_HAS_BODIES
/* Of bodies in free flight: M q'' = h(t, q, v, p). */
static int dm_body_slopes(dv_engine *b, double time, const double *x, const double *dx,
                          const double *dnumbers, double *out) {
    const double *inverse = b->inverse_mass, *along = dnumbers + b->settings;
    double *changes = out + b->coordinates, *loads = b->yt;
    if (b->closed.count || b->turning || b->driven_count || b->joints.count || b->w.count) return 0;
    dm_loads_slope(time, x, b->p, b->w.value, dx, dnumbers, changes);
    dv_model_loads(time, x, b->p, b->w.value, loads);
    for (int i = 0; i < b->speeds; i++) changes[i] = inverse[i] * changes[i] + along[i] * loads[i];
    dv_copy(out, dx + b->coordinates, b->coordinates);
    return 1;
}
#endif

#if DM_HAS_AUTOMATA
/* One piece of the rates; `dboard` is the direction of all that is on the board, and room behind. */
static int dm_piece_slopes(da_engine *e, int piece, double *dboard, double *out) {
    const da_structure *s = &e->s;
    const int *pick = s->pick + s->piece_first[piece], *target = s->target + s->piece_target[piece];
    int count = s->piece_first[piece + 1] - s->piece_first[piece], first = (int)(e->f - e->board);
    dm_slope slope = dm_rate_slopes[s->piece_function[piece]];
    double *along = dboard + s->board;
    if (!slope) return 0;
    for (int i = 0; i < count; i++) {
        e->in[i] = e->board[pick[i]];
        along[i] = dboard[pick[i]];
    }
    slope(e->in, along, e->out);
    for (int i = 0; i < s->piece_out[piece]; i++) out[target[i] - first] = e->out[i];
    return 1;
}

static int dm_automata_slopes(da_engine *e, const double *dx, const double *dnumbers,
                              double *dboard, double *out) {
    if (e->w.slides || e->outside_switches || da_is_node(e)) return 0;
    da_enter(e);
    da_put_here(e);
    dv_zero(dboard, e->s.board);
    dv_copy(dboard + 1, dx, e->n);
    dv_copy(dboard + 1 + e->n, dnumbers, e->s.parameters);
    for (int c = 0; c < e->s.components; c++) {
        int piece = e->s.place_rate[e->position[c]];
        if (piece >= 0 && !dm_piece_slopes(e, piece, dboard, out)) return 0;
    }
    return 1;
}
#endif

/* 0 if there is no formula in the present location. `dnumbers` is that of the engine's numbers. */
static int dm_slopes(dm_engine *e, const double *dx, double *dnumbers, double *room, double *out) {
    dv_zero(out, dm_facts.states);
#if DM_HAS_AUTOMATA
#if DM_HAS_BODIES
    const dvc_links *links = &dm_pair(e)->links;
    dv_engine *b = dm_bodies_at(e, e->now.time, e->x);
    for (int i = 0; i < links->driven; i++) dnumbers[links->setting[i]] = dx[b->size + i];
    if (!dm_body_slopes(b, e->now.time, e->x, dx, dnumbers, out)) return 0;
#endif
    return dm_automata_slopes(e, dx, dnumbers + dm_body_numbers, room, out);
#else
    (void)room;
    return dm_body_slopes(e, e->now.time, e->x, dx, dnumbers, out);
#endif
}

dyverse_status dyverse_slopes(dyverse_model *m, const double *dx, const double *dsettings,
                              double *slopes) {
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    dm_tell(m);
    dm_prepare_slope(m->setting, dsettings, m->along);
    if (dm_slopes(m->engine, dx, m->along, m->along + dm_number_count, slopes)) return DYVERSE_OK;
    return dm_refuse(m, "there is no formula for slopes in this location", "");
}

dyverse_status dyverse_output_slope(dyverse_model *m, int output, const double *dx,
                                    const double *dsettings, double *slope) {
    if (output < 0 || output >= m->facts->outputs) return dm_refuse(m, "no such output", "");
    const dyverse_quantity *q = m->facts->output + output;
    if (q->kind == DYVERSE_STATE) {
        *slope = dx[q->index];
        return DYVERSE_OK;
    }
#if DM_HAS_BODIES
    if (q->kind == DYVERSE_ENERGY && m->begun) {
        dm_tell(m);
        dv_engine *b = dm_bodies_at(m->engine, dyverse_time(m), dm_here(m));
        dm_prepare_slope(m->setting, dsettings, m->along);
#if DM_HAS_AUTOMATA
        const dvc_links *links = &dm_pair(m->engine)->links;
        for (int i = 0; i < links->driven; i++) m->along[links->setting[i]] = dx[b->size + i];
#endif
        *slope = dm_energy_slope(dyverse_time(m), dm_here(m), b->numbers, dx, m->along);
        return DYVERSE_OK;
    }
#endif
    (void)dsettings;
    return dm_refuse(m, "there is no formula for its slope", q->name);
}
