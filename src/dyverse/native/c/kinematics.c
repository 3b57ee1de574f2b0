/* Contacts at a state: rows and islands of some, and G = Wᵀ M⁻¹ W. See dyverse.mechanics.contacts. */

/* Rows of contact k of `closed` at x, but for what dv_keep_flats has done. Joints take nothing of flat
 * ones: no ball of theirs is in a joint. */
static void dv_rows_of(dv_engine *e, dv_closed *closed, int k, const double *x) {
    int c = closed->contact[k], *ends = e->ends + 2 * c, held = DV_HELD * e->joints.count;
    const dv_flat *f = dv_flat_of(e, c);
    if (f) {
        dv_flat_moves(e, f, closed, k, x);
        if (held) dv_zero(closed->taken + 3L * held * k, 3 * held);
        for (int r = 0; r < 3 && held; r++) closed->lost[3 * k + r] = 0;
        return;
    }
    dv_join_at(e, x);
    dv_fill_body(e, x, ends[0]);
    dv_fill_body(e, x, ends[1]);
    dv_model_rows(e->kind[c], e->body + DV_BODY * ends[0], e->body + DV_BODY * ends[1],
                  e->shape + e->shapes * c, closed->gap + k, closed->speed + 3 * k,
                  closed->bias + 3 * k, closed->jacobian + 36 * k, closed->frame + 9 * k);
    if (e->turning) dv_turn_rows(e, ends, 3, closed->jacobian + 36 * k);
    if (held) dv_take(e, closed, k);
}

/* Rows of all contacts in `closed` at x. */
static void dv_rows(dv_engine *e, dv_closed *closed, const double *x) {
    for (int k = 0; k < closed->count; k++) dv_rows_of(e, closed, k, x);
}

/* Contact k joins the island of an earlier one; an island is named after its first contact. */
static void dv_join_islands(dv_closed *closed, int k, int earlier) {
    int one = closed->island[k], two = closed->island[earlier];
    int gone = one > two ? one : two, stays = one > two ? two : one;
    for (int i = 0; i <= k && gone != stays; i++)
        if (closed->island[i] == gone) closed->island[i] = stays;
}

#define DV_CROWDED 8 /* contacts: larger islands are put in order */

/* Go through an island from one contact on, neighbours by neighbours, and list it so in `out`. */
static void dv_spread(const dv_engine *e, const dv_closed *closed, int from, int *head, int *next,
                      int *seen, int *out) {
    int done = 0, found = 0;
    out[found++] = from;
    seen[from] = !seen[from];
    for (; done < found; done++)
        for (int i = 0; i < 2; i++) {
            int body = e->group[e->ends[2 * closed->contact[out[done]] + i]];
            for (int at = e->pushed[body] < 0 ? -1 : head[body]; at >= 0; at = next[at]) {
                if (seen[at / 2] == seen[from]) continue;
                seen[at / 2] = seen[from];
                out[found++] = at / 2;
            }
        }
}

/* Put the contacts of large islands in an order in which neighbours are not far apart, so that
 * matrices are narrow: from one end of the island to the other [cuthill1969]. */
static void dv_order_islands(const dv_engine *e, dv_closed *closed) {
    int *head = e->touched, *next = e->work_int, *seen = next + 2 * e->room;
    for (int b = 0; b < e->bodies; b++) head[b] = -1;
    for (int k = 0; k < closed->count; k++) {
        seen[k] = 0;
        for (int i = 0; i < 2; i++) {
            int body = e->group[e->ends[2 * closed->contact[k] + i]];
            next[2 * k + i] = head[body];
            head[body] = 2 * k + i;
        }
    }
    for (int island = 0; island < closed->islands; island++) {
        int *own = closed->order + closed->first[island];
        int n = closed->first[island + 1] - closed->first[island];
        if (n <= DV_CROWDED) continue;
        dv_spread(e, closed, own[0], head, next, seen, own);
        dv_spread(e, closed, own[n - 1], head, next, seen, own);
    }
}

/* How many bodies that forces move each contact of an island has in its company. */
static void dv_count_company(const dv_engine *e, dv_closed *closed) {
    int *counted = e->touched;
    for (int i = 0; i < 2 * closed->count; i++) {
        counted[e->ends[2 * closed->contact[i / 2] + i % 2]] = 0;
        closed->company[i / 2] = 0;
    }
    for (int i = 0; i < 2 * closed->count; i++) {
        int body = e->ends[2 * closed->contact[i / 2] + i % 2];
        if (e->pushed[body] >= 0 && !counted[body]) closed->company[closed->island[i / 2]]++;
        counted[body] = 1;
    }
    for (int k = 0; k < closed->count; k++) closed->company[k] = closed->company[closed->island[k]];
}

/* The contacts of all islands, island by island, and how many each has; the most that one has. */
static int dv_list_islands(const dv_engine *e, dv_closed *closed) {
    int n = closed->count, placed = 0, most = 0, *size = e->work_int, *next = size + n;
    closed->islands = 0;
    for (int k = 0; k < n; k++) size[k] = 0;
    for (int k = 0; k < n; k++) size[closed->island[k]]++;
    for (int k = 0; k < n; k++) {
        if (size[k] == 0) continue; /* an island is named after its first contact */
        closed->first[closed->islands++] = next[k] = placed;
        placed += size[k];
        most = size[k] > most ? size[k] : most;
    }
    closed->first[closed->islands] = placed;
    for (int k = 0; k < n; k++) {
        closed->order[next[closed->island[k]]++] = k;
        closed->crowd[k] = size[closed->island[k]];
    }
    for (int k = 0; k < n; k++) /* what resists turning is no contact of its own */
        for (int i = 0; i < n && e->resists[closed->contact[k]]; i++)
            closed->crowd[i] -= closed->island[i] == closed->island[k];
    if (most > DV_CROWDED) dv_order_islands(e, closed);
    return most;
}

/* Groups that share no body that forces move, nor bodies that are joined: each can be solved alone. */
static void dv_find_islands(const dv_engine *e, dv_closed *closed) {
    int *touched = e->touched; /* by which contact a body, or one joined to it, was touched last, or -1 */
    for (int i = 0; i < 2 * closed->count; i++)
        touched[e->group[e->ends[2 * closed->contact[i / 2] + i % 2]]] = -1;
    for (int k = 0; k < closed->count; k++) {
        closed->island[k] = k;
        for (int i = 0; i < 2; i++) {
            int body = e->group[e->ends[2 * closed->contact[k] + i]];
            if (e->pushed[body] < 0) continue;
            if (touched[body] >= 0) dv_join_islands(closed, k, touched[body]);
            touched[body] = k;
        }
    }
    int most = dv_list_islands(e, closed);
    for (int k = 0; k < closed->count; k++) closed->company[k] = 2 * most;
    if (2 * most >= DV_PILE) dv_count_company(e, closed);
}

/* The contact whose normal force contact c has: its own, or that of the one at which it resists turning.
 * See dyverse.contact.pair.resistance. */
static int dv_leader(const dv_engine *e, int c) {
    while (e->resists[c]) c--;
    return c;
}

/* The same as places in a list; the place itself if the other is not there. */
static int dv_led_by(const dv_engine *e, const dv_closed *closed, int k) {
    int c = closed->contact[k], leader = dv_leader(e, c);
    for (int i = 0; i < closed->count && leader != c; i++)
        if (closed->contact[i] == leader) return i;
    return k;
}

/* The 3 x 3 block of G = Wᵀ M⁻¹ W that belongs to two contacts; with joints, of Wᵀ P W. */
static void dv_block(const dv_engine *e, const dv_closed *closed, int j, int k, double *G, int N) {
    const int *a = e->ends + 2 * closed->contact[j], *b = e->ends + 2 * closed->contact[k];
    const dv_flat *f = j == k ? dv_flat_of(e, closed->contact[j]) : NULL;
    for (int i = 0; i < 9 && f; i++) G[i / 3 * N + i % 3] = f->block[i];
    if (f) return;
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) G[r * N + s] = 0.0;
    for (int i = 0; i < 2; i++)
        for (int l = 0; l < 2; l++) {
            if (a[i] != b[l] || e->pushed[a[i]] < 0) continue;
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    G[r * N + s] += dv_through_body(
                        e, a[i], closed->jacobian + 36 * j + 12 * r + DV_DOF * i,
                        closed->jacobian + 36 * k + 12 * s + DV_DOF * l);
        }
    for (int i = 0; i < 9 && e->joints.count; i++) {
        double *entry = G + i / 3 * N + i % 3;
        *entry = dv_left_of(e, closed, j, i / 3, k, i % 3, *entry);
    }
    if (j == k) dv_fill_idle(e, closed->contact[j], G, N);
}

/* The diagonal entry of G in direction r of contact k. */
static double dv_own(const dv_engine *e, const dv_closed *closed, int k, int r) {
    const dv_flat *f = dv_flat_of(e, closed->contact[k]);
    double block[9];
    if (f) return f->block[4 * r];
    dv_block(e, closed, k, k, block, 3);
    return block[4 * r];
}

/* The Delassus matrix of an island whose n contacts are `members`, (3n x 3n). */
static void dv_delassus(const dv_engine *e, const dv_closed *closed, const int *members, int n,
                        double *G) {
    int N = 3 * n;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++) {
            dv_block(e, closed, members[j], members[k], G + 3 * j * N + 3 * k, N);
            for (int r = 0; r < 3 && k < j; r++)
                for (int s = 0; s < 3; s++)
                    G[(3 * k + s) * N + 3 * j + r] = G[(3 * j + r) * N + 3 * k + s];
        }
}

/* Let who follows ask for the normal force of its leader, ξ_N = a (λ_N - λ_leader): with 0 <= λ_N ⟂ ξ_N
 * >= 0 the two are the same, so that laws need not know of it. */
static void dv_lead(const dv_engine *e, const dv_closed *closed, const int *members, int n, double *G) {
    int N = 3 * n;
    for (int j = 0; j < n; j++) {
        int k = members[j], leader = dv_led_by(e, closed, k);
        for (int i = 0; i < n && leader != k; i++)
            if (members[i] == leader) G[3 * j * N + 3 * i] = -G[3 * j * (N + 1)];
    }
}

/* A row of Wᵀ times a generalised vector. */
static double dv_row_times(const dv_engine *e, const dv_closed *closed, int k, int r,
                           const double *vector) {
    const int *ends = e->ends + 2 * closed->contact[k];
    const double *J = closed->jacobian + 36 * k + 12 * r;
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        if (e->place[ends[i]] >= 0)
            sum += dv_dot(J + DV_DOF * i, vector + DV_DOF * e->place[ends[i]], DV_DOF);
    return sum;
}

/* target += share * M⁻¹ w, with w the column of W of that row; with joints, P w. */
static void dv_push(const dv_engine *e, const dv_closed *closed, int k, int r, double share,
                    double *target) {
    const int *ends = e->ends + 2 * closed->contact[k];
    const double *J = closed->jacobian + 36 * k + 12 * r;
    if (e->joints.count && (share == 0.0 || closed->lost[3 * k + r])) return;
    for (int i = 0; i < 2; i++) {
        int row = e->place[ends[i]];
        if (row < 0) continue;
        for (int d = 0; d < DV_DOF; d++)
            target[DV_DOF * row + d] +=
                share * e->inverse_mass[DV_DOF * row + d] * J[DV_DOF * i + d];
        if (e->turning) dv_add_mixed(e, row, share, J + DV_DOF * i, target + DV_DOF * row);
    }
    if (e->joints.count) dv_take_row(e, closed, k, r, share, target);
}

static double dv_slip_speed(const dv_closed *closed, int k) {
    return dv_length(closed->speed[3 * k + 1], closed->speed[3 * k + 2]);
}

/* How far bodies go without moving where many share contacts with those of contact k: nowhere but in
 * a pile, there by what counts as touching, and in a heap by what counts as nothing there. */
static double dv_unseen(const dv_engine *e, const dv_closed *closed, int k) {
    if (closed->company[k] < DV_PILE) return 0.0;
    return closed->company[k] < DV_HEAP ? e->options.gap : e->options.heap;
}

/* How high the last bounce of a contact may be, after which it counts as come to rest: where several
 * contacts share bodies and lose energy, as high as what counts as touching, or is unseen. */
static double dv_last_height(const dv_engine *e, const dv_closed *closed, int k) {
    int lossy = e->e_N[closed->contact[k]] < 1.0;
    if (closed->crowd[k] <= 1 || !lossy) return e->options.rest;
    return dv_max(dv_unseen(e, closed, k), e->options.gap);
}

/* How fast the slip of contact k gains speed along a direction of its surface. */
static double dv_gain(const dv_engine *e, const dv_closed *closed, int k, const double *way,
                      const double *acceleration) {
    double gain = 0.0;
    for (int i = 0; i < 2; i++)
        gain += way[i] *
                (dv_row_times(e, closed, k, 1 + i, acceleration) + closed->bias[3 * k + 1 + i]);
    return gain;
}

/* The same along its slip; 0 if there is none. */
static double dv_slip_gain(const dv_engine *e, const dv_closed *closed, int k,
                           const double *acceleration) {
    double way[2], speed = dv_slip_speed(closed, k);
    if (speed == 0.0) return 0.0;
    for (int i = 0; i < 2; i++) way[i] = closed->speed[3 * k + 1 + i] / speed;
    return dv_gain(e, closed, k, way, acceleration);
}

/* The speed of a slip that is brief: gaining, or losing, speed at such a rate it takes contact k no
 * further, from standstill or to it, than what is unseen. */
static double dv_brief(const dv_engine *e, const dv_closed *closed, int k, double rate) {
    if (e->smooth[closed->contact[k]] || !(rate > 0.0)) return 0.0;
    return sqrt(2 * rate * dv_unseen(e, closed, k));
}

static double dv_friction(const dv_engine *e, int contact, double slip_speed) {
    if (e->law[contact] < 0) return e->mu[contact];
    return dv_model_friction(e->law[contact], slip_speed, e->p);
}

/* A vector in world axes in a contact's frame, and back. */
static void dv_to_frame(const double *frame, const double *world, double *local) {
    for (int i = 0; i < 3; i++) local[i] = dv_dot3(frame + 3 * i, world);
}

static void dv_to_world(const double *frame, const double *local, double *world) {
    for (int i = 0; i < 3; i++)
        world[i] = frame[i] * local[0] + frame[3 + i] * local[1] + frame[6 + i] * local[2];
}

/* What the diagonal of M⁻¹ leaves out: what is beside it, and that loads of bodies that move along
 * functions of time are their accelerations. `loads` are h. */
static void dv_accelerate_others(const dv_engine *e, const double *loads, double *out) {
    for (int row = 0; row < e->moving && e->turning; row++)
        dv_add_mixed(e, row, 1.0, loads + DV_DOF * row, out + DV_DOF * row);
    for (int k = 0; k < e->driven_count; k++)
        dv_copy(out + DV_DOF * e->driven[k], loads + DV_DOF * e->driven[k], DV_DOF);
}

/* M⁻¹ h, as far as joints allow it: how the bodies would accelerate with no contact. */
static void dv_accelerate_freely(dv_engine *e, double time, const double *x,
                                 double *restrict out) {
    const double *im = e->inverse_mass;
    int speeds = e->speeds;
    dv_model_loads(time, x, e->p, e->w.value, out);
    int others = e->turning || e->driven_count;
    if (others) dv_copy(e->change, out, speeds);
    for (int i = 0; i < speeds; i++) out[i] *= im[i];
    if (others) dv_accelerate_others(e, e->change, out);
    dv_join_at(e, x);
    dv_hold(e, out);
}

/* The same; loads that never change were asked for when numbers were set. */
static void dv_free_acceleration(dv_engine *e, double time, const double *x, double *out) {
    if (e->constant) {
        dv_copy(out, e->weight, e->speeds);
        return;
    }
    if (e->w.slides && !e->w.busy) dx_field(&e->w, time, x, e->side_f);
    dv_accelerate_freely(e, time, x, out);
}

/* Acceleration of the bodies under forces at the closed contacts, local axes; in `free`. */
static void dv_accelerate(dv_engine *e, const dv_closed *closed, const double *forces) {
    dv_free_acceleration(e, e->now.time, e->x, e->free);
    for (int k = 0; k < closed->count; k++)
        for (int r = 0; r < 3; r++)
            dv_push(e, closed, k, r, forces[3 * k + r], e->free);
}

/* Take `error` out of the rows (contact, direction) of one island: target -= M⁻¹ W G⁺ error, the
 * smallest change measured by the mass matrix. rows are 3 * position + direction. */
static void dv_correct_island(dv_engine *e, const dv_closed *closed, const int *rows, int count,
                              const double *error, double *target) {
    double *G = e->dense_work, *answer = G + count * count, *work = answer + count;
    if (count == 0 || dv_largest(error, count) == 0.0) return;
    if (count == 1) {
        double own = dv_own(e, closed, rows[0] / 3, rows[0] % 3);
        dv_push(e, closed, rows[0] / 3, rows[0] % 3, -error[0] / own, target);
        return;
    }
    int band = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            double block[9];
            dv_block(e, closed, rows[i] / 3, rows[j] / 3, block, 3);
            G[i * count + j] = G[j * count + i] = block[3 * (rows[i] % 3) + rows[j] % 3];
            if (G[i * count + j] != 0.0 && i - j > band) band = i - j;
        }
    dv_copy(answer, error, count);
    dv_eased_solve(count, G, band, answer, work, e->pivots);
    for (int i = 0; i < count; i++)
        dv_push(e, closed, rows[i] / 3, rows[i] % 3, -answer[i], target);
}
