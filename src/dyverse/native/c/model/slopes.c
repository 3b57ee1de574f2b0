/* Rates and outputs along a direction of states and settings, exactly: what was generated is
 * differentiated by formula, and what the engine solves for follows (body_slopes.c). There is no formula
 * for forces that the balance leaves open, nor for a motion that depends on them, nor for slides along
 * switching surfaces. */

#if DM_HAS_BODIES
#include "body_slopes.c"
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
    if (da_is_node(e)) return 0;
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

#if DM_HAS_BODIES
/* Variables of automata that drive bodies do so through numbers of these. */
static void dm_drive_slope(const dm_engine *e, const double *dx, double *dnumbers) {
#if DM_HAS_AUTOMATA
    const dvc_links *links = &dm_pair(e)->links;
    for (int i = 0; i < links->driven; i++)
        dnumbers[links->setting[i]] = dx[dm_pair(e)->bodies->size + i];
#else
    (void)e;
    (void)dx;
    (void)dnumbers;
#endif
}
#endif

/* 0 if there is no formula in the present location. `dnumbers` is that of the engine's numbers. */
static int dm_slopes(dm_engine *e, const double *dx, double *dnumbers, double *room, double *out) {
    dv_zero(out, dm_facts.states);
    if (e->w.slides) return 0;
#if DM_HAS_AUTOMATA
#if DM_HAS_BODIES
    dv_engine *b = dm_bodies_at(e, e->now.time, e->x);
    dm_drive_slope(e, dx, dnumbers);
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
    int ahead = dm_look(m);
    dm_prepare_slope(m->setting, dsettings, m->along);
    int known = dm_slopes(m->engine, dx, m->along, m->along + dm_number_count, slopes);
    dm_look_on(m, ahead);
    if (known) return DYVERSE_OK;
    return dm_refuse(m, "there is no formula for slopes in this location", "");
}

#if DM_HAS_BODIES
/* Of what bodies tell; 0 if there is no formula. */
static int dm_told_slope(dyverse_model *m, const dyverse_quantity *q, const double *dx,
                         const double *dsettings, double *slope) {
    double time = dyverse_time(m);
    dv_engine *b = dm_bodies_at(m->engine, time, dm_here(m));
    dm_prepare_slope(m->setting, dsettings, m->along);
    dm_drive_slope(m->engine, dx, m->along);
    if (q->kind == DYVERSE_ENERGY) {
        *slope = dm_energy_slope(time, dm_here(m), b->numbers, dx, m->along);
        return 1;
    }
    dm_change c;
    if (m->engine->w.slides || !dm_open_change(b, &c, dm_here(m), dx, m->along)) return 0;
    int known = dm_contact_slope(b, time, q, &c, slope);
    free(c.body);
    return known;
}
#endif

dyverse_status dyverse_output_slope(dyverse_model *m, int output, const double *dx,
                                    const double *dsettings, double *slope) {
    if (output < 0 || output >= m->facts->outputs) return dm_refuse(m, "no such output", "");
    const dyverse_quantity *q = m->facts->output + output;
    *slope = q->kind == DYVERSE_STATE ? dx[q->index] : 0.0;
    if (q->kind == DYVERSE_STATE) return DYVERSE_OK;
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    if (q->kind >= DYVERSE_EVENTS && q->kind <= DYVERSE_MODE) return DYVERSE_OK; /* they stay */
#if DM_HAS_BODIES
    int ahead = dm_look(m), known = dm_told_slope(m, q, dx, dsettings, slope);
    dm_look_on(m, ahead);
    if (known) return DYVERSE_OK;
#endif
    (void)dsettings;
    return dm_refuse(m, "there is no formula for its slope", q->name);
}
