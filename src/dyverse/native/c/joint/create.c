/* Memory and tables of joints. */

static int dv_are_joints_sound(const dv_structure *s) {
    for (int i = 0; i < s->joints; i++) {
        int conditions = s->joint_conditions[i], fits = s->joint_fitting[i] >= 0;
        if (conditions < 1 || conditions > DV_HELD || !fits || s->joint_angle[i] >= s->angles) return 0;
        for (int end = 0; end < 2; end++)
            if (s->joint_ends[2 * i + end] < -1 || s->joint_ends[2 * i + end] >= s->bodies) return 0;
        for (int at = s->joint_first[i]; at < s->joint_first[i + 1]; at++)
            if (s->joint_after[at] <= i || s->joint_after[at] >= s->joints) return 0;
    }
    return 1;
}

static void dv_carve_joints(dv_engine *e, const dv_structure *s, dv_arena *a) {
    dv_joints *h = &e->joints;
    int n = s->joints, below = n ? s->joint_first[n] : 0, rows = DV_JOINT_ROWS * n;
    int **tables[] = {&h->kind, &h->conditions, &h->fitting, &h->angle};
    for (int i = 0; i < 4; i++) *tables[i] = dv_ints(a, n);
    h->ends = dv_ints(a, 2L * n);
    h->first = dv_ints(a, n + 1L);
    h->after = dv_ints(a, below);
    h->at = dv_doubles(a, n ? e->size : 0);
    h->value = dv_doubles(a, rows);
    h->bias = dv_doubles(a, rows);
    h->J = dv_doubles(a, 12L * rows);
    h->MJ = dv_doubles(a, 12L * rows);
    h->scale = dv_doubles(a, (long)DV_HELD * n);
    h->pivot = dv_doubles(a, (long)DV_HELD * n);
    h->work = dv_doubles(a, (long)DV_HELD * n);
    h->own = dv_doubles(a, (long)DV_BLOCK * n);
    h->below = dv_doubles(a, (long)DV_BLOCK * below);
}

/* Bodies that are joined, directly or by others, are one group, in a ring. */
static void dv_join_bodies(dv_engine *e, int one, int two) {
    if (one < 0 || two < 0 || e->pushed[one] < 0 || e->pushed[two] < 0) return;
    int gone = e->group[two], kept = e->group[one], next = e->ring[one];
    if (gone == kept) return;
    for (int b = 0; b < e->bodies; b++)
        if (e->group[b] == gone) e->group[b] = kept;
    e->ring[one] = e->ring[two];
    e->ring[two] = next;
}

static void dv_keep_joints(dv_engine *e, const dv_structure *s) {
    dv_joints *h = &e->joints;
    size_t size = (size_t)h->count * sizeof(int);
    for (int b = 0; b < e->bodies; b++) e->group[b] = e->ring[b] = b;
    if (h->count == 0) return;
    memcpy(h->ends, s->joint_ends, 2 * size);
    memcpy(h->kind, s->joint_kind, size);
    memcpy(h->conditions, s->joint_conditions, size);
    memcpy(h->fitting, s->joint_fitting, size);
    memcpy(h->angle, s->joint_angle, size);
    memcpy(h->first, s->joint_first, size + sizeof(int));
    memcpy(h->after, s->joint_after, (size_t)h->first[h->count] * sizeof(int));
    for (int i = 0; i < DV_HELD * h->count; i++) h->scale[i] = 1.0;
    for (int i = 0; i < h->count; i++) dv_join_bodies(e, h->ends[2 * i], h->ends[2 * i + 1]);
}
