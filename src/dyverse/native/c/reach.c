/* Which open contacts a step cannot close: of many contacts nearly all, at next to no cost. */

/* How far the step's polynomial takes `count` variables from `first` on, at most: its terms are bounded
 * by those of θ, θ(1-θ), θ²(1-θ), θ²(1-θ)², and so on. The second is for a share of the step, over it. */
static void dv_bound_change(const dv_engine *e, int first, int count, double bound[2]) {
    static const double most_of[] = {0.0,        1.0,          1.0 / 4,  4.0 / 27,
                                     1.0 / 16, 108.0 / 3125, 1.0 / 64, 6912.0 / 823543};
    double sum = 0.0, whole = 0.0;
    for (int i = first; i < first + count; i++) {
        double most = fabs(e->step.dense[1][i]), all = most;
        for (int d = 2; d <= e->step.powers; d++) {
            most += fabs(e->step.dense[d][i]) * most_of[d];
            all += fabs(e->step.dense[d][i]);
        }
        sum += most * most;
        whole += all * all;
    }
    bound[0] = sqrt(sum);
    bound[1] = sqrt(whole);
}

#define DV_SWING 3.0 /* how far a point at distance one goes as a quaternion changes by one: 2, and some
                      * for polynomials that are not quite of length one */

/* How far the step takes any point of each body, at most. */
static void dv_bound_travel(dv_engine *e) {
    e->most_travel = 0.0;
    for (int b = 0; b < e->bodies; b++) {
        int row = e->place[b];
        double moves[2] = {0.0, 0.0}, turns[2] = {0.0, 0.0}, arm = 0.0;
        if (row >= 0) dv_bound_change(e, e->at[row], 3, moves);
        if (row >= 0 && e->lies[row]) {
            dv_bound_change(e, e->at[row] + 3, 4, turns);
            arm = DV_SWING * e->lain[DV_LYING * b + 4];
        }
        e->travel[b] = moves[0] + arm * turns[0];
        e->sweep[b] = moves[1] + arm * turns[1];
        e->most_travel = dv_max(e->most_travel, e->travel[b]);
    }
}

/* Whether the step cannot close an open contact. The bound on its gap is renewed only if it does
 * not suffice, so that of many contacts most cost nothing. */
static int dv_is_out_of_reach(dv_engine *e, int contact) {
    const int *ends = e->ends + 2 * contact;
    double out[2], reach = e->travel[ends[0]] + e->travel[ends[1]] + 2 * e->options.graze;
    if (e->clear[contact] > reach) return 1;
    if (dv_falls(e, contact) || e->linked[contact]) return 0;
    dv_fill_body(e, e->x, ends[0]);
    dv_fill_body(e, e->x, ends[1]);
    dv_gap(e, contact, out);
    e->clear[contact] = out[0];
    return out[0] > reach;
}
