/* Which open contacts a step cannot close: of many contacts nearly all, at next to no cost. */

/* How far the step's polynomial takes each body, at most: its terms are bounded by those of θ, θ(1-θ),
 * θ²(1-θ), θ²(1-θ)², and so on. */
static void dv_bound_travel(dv_engine *e) {
    static const double most_of[] = {0.0,        1.0,          1.0 / 4,  4.0 / 27,
                                     1.0 / 16, 108.0 / 3125, 1.0 / 64, 6912.0 / 823543};
    e->most_travel = 0.0;
    for (int b = 0; b < e->bodies; b++) {
        double sum = 0.0, whole = 0.0;
        e->travel[b] = e->sweep[b] = 0.0;
        if (e->place[b] < 0) continue;
        for (int i = e->at[e->place[b]], end = i + 3; i < end; i++) {
            double most = fabs(e->step.dense[1][i]), all = most;
            for (int d = 2; d <= e->step.powers; d++) {
                most += fabs(e->step.dense[d][i]) * most_of[d];
                all += fabs(e->step.dense[d][i]);
            }
            sum += most * most;
            whole += all * all;
        }
        e->travel[b] = sqrt(sum);
        e->sweep[b] = sqrt(whole);
        e->most_travel = dv_max(e->most_travel, e->travel[b]);
    }
}

/* Whether the step cannot close an open contact. The bound on its gap is renewed only if it does
 * not suffice, so that of many contacts most cost nothing. */
static int dv_is_out_of_reach(dv_engine *e, int contact) {
    const int *ends = e->ends + 2 * contact;
    double out[2], reach = e->travel[ends[0]] + e->travel[ends[1]] + 2 * e->options.graze;
    if (e->clear[contact] > reach) return 1;
    if (dv_falls(e, contact)) return 0;
    dv_fill_body(e, e->x, ends[0]);
    dv_fill_body(e, e->x, ends[1]);
    dv_gap(e, contact, out);
    e->clear[contact] = out[0];
    return out[0] > reach;
}
