/* Watched signals of closed contacts along a step. On parabolas forces do not change and velocities
 * are lines, so that of all signals only those of slip have to be looked at. */

static void dv_draw_slides(dv_engine *e) {
    for (int k = 0; k < e->closed.count; k++) {
        int c = e->closed.contact[k];
        const dv_flat *f = dv_flat_of(e, c);
        const double *v = e->step.dense[0] + e->coordinates + f->row;
        const double *gain = e->step.dense[1] + e->coordinates + f->row;
        if (e->modes[c] == DV_STICK) continue;
        for (int i = 0; i < 2; i++) {
            e->slide[4 * k + i] = dv_flat_row(f, 1 + i, v);
            e->slide[4 * k + 2 + i] = dv_flat_row(f, 1 + i, gain);
        }
    }
}

/* At `time` on the step just made; on parabolas after dv_draw_slides. */
static void dv_watch_step(dv_engine *e, double time, int use, double *out) {
    if (!e->steady) {
        dv_dense_state(&e->step, time, e->yt);
        dv_watch_closed(e, time, e->yt, use, out);
        return;
    }
    double share = dv_min(dv_share(&e->step, time), 1.0);
    for (int k = 0; k < e->closed.count; k++) {
        const double *slide = e->slide + 4 * k;
        if (e->modes[e->closed.contact[k]] == DV_STICK) continue;
        for (int i = 0; i < 2; i++) e->closed.speed[3 * k + 1 + i] = slide[i] + share * slide[2 + i];
    }
    dv_read_closed(e, out);
}
