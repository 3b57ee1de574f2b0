/* Which open contacts a step cannot close: of many contacts nearly all, at next to no cost. */

/* How far the step's polynomial takes each body, at most: |θ(1-θ)| <= 1/4, θ²(1-θ) <= 4/27 and
 * θ²(1-θ)² <= 1/16 bound its terms. */
static void dv_bound_travel(dv_engine *e) {
    for (int b = 0; b < e->bodies; b++) {
        double sum = 0.0;
        e->travel[b] = 0.0;
        if (e->place[b] < 0) continue;
        for (int i = DV_DOF * e->place[b]; i < DV_DOF * e->place[b] + 3; i++) {
            double most = fabs(e->dense[1][i]) + fabs(e->dense[2][i]) / 4;
            if (e->curved) most += fabs(e->dense[3][i]) * 4 / 27 + fabs(e->dense[4][i]) / 16;
            sum += most * most;
        }
        e->travel[b] = sqrt(sum);
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
