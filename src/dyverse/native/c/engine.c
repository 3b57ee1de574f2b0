/* Create, set, ask, save: the memory of an engine is one block, carved up here; what depends on how many
 * contacts are closed is in another, see room.c. */

int dv_version(void) {
    return DV_VERSION;
}

void dv_defaults(dv_options *o) {
    memset(o, 0, sizeof *o);
    o->gap = 1e-9;
    o->speed = 1e-9;
    o->slip = 1e-8;
    o->acceleration = 1e-9;
    o->rest = 1e-11;
    o->heap = 1e-6;
    o->margin = 1e-9;
    o->hop = 1e-12;
    o->touch = 1e-13;
    o->relative = 1e-10;
    o->absolute = 1e-12;
    o->longest_step = INFINITY;
    o->together = 1e-9;
    o->graze = 1e-9;
    o->depth = 1e-9;
    o->lift = 1e-13;
    o->drift = 1e-11;
    o->intervals = 4;
    o->points = 9;
    o->samples = 8;
    o->max_events = 100000;
    o->max_jumps = 200;
    o->idle = 50;
}

/* How many bodies have an orientation; or of those that move. */
static int dv_count_oriented(const dv_structure *s, int moving) {
    int count = 0;
    for (int b = 0; b < s->bodies; b++) count += s->oriented[b] && (!moving || s->place[b] >= 0);
    return count;
}

int dv_number_count(const dv_structure *s) {
    int each = 3 + (dv_count_oriented(s, 0) ? DV_LYING : 0);
    return s->settings + DV_DOF * s->moving + 3 * dv_count_oriented(s, 1) + each * s->bodies +
           (s->shape + 3) * s->contacts;
}

static void dv_carve_steps(dv_engine *e, dv_arena *a) {
    long used = dv_lay_out_steps(&e->step, e->size, NULL);
    dv_lay_out_steps(&e->step, e->size, dv_doubles(a, used));
    e->yt = e->step.yt;
    e->free = dv_doubles(a, e->speeds);
    e->change = dv_doubles(a, e->turning || e->driven_count ? e->speeds : 0);
    e->course = dv_doubles(a, 13L * e->driven_count);
    e->weight = dv_doubles(a, e->speeds);
    e->pull = dv_doubles(a, e->speeds);
    e->body = dv_doubles(a, DV_BODY * e->bodies);
    e->travel = dv_doubles(a, e->bodies);
    e->sweep = dv_doubles(a, e->bodies);
    e->gone = dv_doubles(a, e->bodies);
    e->gap0 = dv_doubles(a, e->contacts);
    e->speed0 = dv_doubles(a, e->contacts);
    e->clear = dv_doubles(a, e->contacts);
    e->live = dv_ints(a, e->contacts);
    e->listed = dv_ints(a, e->contacts);
    e->property = dv_doubles(a, e->properties);
    e->depths = dv_doubles(a, (long)e->properties * (DV_MAX_INTERVALS + 1));
    e->deadline = dv_doubles(a, e->properties);
    e->touch = dv_doubles(a, 4L * e->contacts);
    e->own_ahead = dv_doubles(a, 3L * e->contacts);
    e->suspect = dv_ints(a, 3L * e->contacts);
    e->motion.acceleration = dv_doubles(a, e->speeds);
    e->touched = dv_ints(a, e->bodies);
}

static void dv_carve_kept(dv_engine *e, dv_arena *a) {
    e->kept_count = dv_row_length(e->size) + 9 * e->contacts + 3 * e->properties + e->moving;
    e->kept = dv_doubles(a, e->kept_count);
    e->flags = dv_ints(a, (long)DV_FLAGS * e->contacts);
    if (!a->memory) return;
    e->x = e->kept;
    e->held = e->x + dv_row_length(e->size);
    e->followed = e->held + 3 * e->contacts;
    e->ahead = e->followed + 3 * e->contacts;
    e->least = e->ahead + 3 * e->contacts;
    e->when = e->least + e->properties;
    e->first = e->when + e->properties;
    e->since = e->first + e->properties;
    e->modes = e->flags;
    e->resting = e->modes + e->contacts;
    e->before = e->resting + e->contacts;
    e->hit = e->before + e->contacts;
    e->known = e->hit + e->contacts;
}

static void dv_carve_flights(dv_engine *e, dv_arena *a) {
    dv_calendar *c = &e->calendar;
    int cells = 64;
    while (cells < 4 * e->bodies) cells *= 2;
    c->mask = cells - 1;
    c->head = dv_ints(a, cells);
    c->heap = dv_ints(a, e->moving);
    int **own[] = {&c->at,   &c->what,   &c->with,   &c->turns,
                    &c->next, &c->before, &e->joined, &e->joiners};
    for (int i = 0; i < 8; i++) *own[i] = dv_ints(a, e->bodies);
    c->when = dv_doubles(a, e->bodies);
    c->flyer = (dv_flyer *)(void *)dv_doubles(a, (long)((sizeof(dv_flyer) + 7) / 8) * e->bodies);
    e->pairs = dv_ints(a, e->contacts);
    e->walls = dv_ints(a, e->flat_count);
    e->pair_first = dv_ints(a, e->bodies + 1);
    e->wall_first = dv_ints(a, e->bodies + 1);
}

static void dv_carve_model(dv_engine *e, const dv_structure *s, dv_arena *a) {
    e->place = dv_ints(a, s->bodies);
    e->at = dv_ints(a, s->moving);
    e->lies = dv_ints(a, s->moving);
    e->pushed = dv_ints(a, s->bodies);
    e->group = dv_ints(a, s->bodies);
    e->ring = dv_ints(a, s->bodies);
    e->driven = dv_ints(a, e->driven_count);
    e->ends = dv_ints(a, 2L * s->contacts);
    e->kind = dv_ints(a, s->contacts);
    e->law = dv_ints(a, s->contacts);
    e->smooth = dv_ints(a, s->contacts);
    e->flat = dv_ints(a, s->contacts);
    e->linked = dv_ints(a, s->contacts);
    e->resists = dv_ints(a, s->contacts);
    e->single = dv_ints(a, s->contacts);
    e->flats = (dv_flat *)(void *)dv_doubles(
        a, (long)((sizeof(dv_flat) + 7) / 8) * e->flat_count);
    e->numbers = dv_doubles(a, dv_number_count(s));
}

static void dv_carve_sides(dv_engine *e, dv_arena *a) {
    int count = dv_model_switches();
    size_t room = dx_lay_out(&e->w, count, e->size, NULL);
    dx_lay_out(&e->w, count, e->size, (char *)dv_doubles(a, (long)(room / sizeof(double))));
    e->w.count = count;
    e->switch_kind = dv_ints(a, count);
    e->drift = dv_doubles(a, e->settings);
    e->side_f = dv_doubles(a, e->size);
    e->holds = dv_doubles(a, e->conditions);
    e->condition = dv_ints(a, e->conditions ? e->contacts : 0);
    e->off = dv_ints(a, e->conditions ? e->contacts : 0);
}

static void dv_carve(dv_engine *e, const dv_structure *s, dv_arena *a) {
    a->used = (sizeof(dv_engine) + 15) / 16 * 16;
    dv_carve_model(e, s, a);
    dv_carve_kept(e, a);
    dv_carve_steps(e, a);
    dv_carve_sides(e, a);
    dv_carve_flights(e, a);
    dv_carve_joints(e, s, a);
}

static void dv_keep_structure(dv_engine *e, const dv_structure *s) {
    size_t contacts = (size_t)s->contacts;
    memcpy(e->place, s->place, (size_t)s->bodies * sizeof(int));
    for (int b = 0, at = 0, turning = 0, driven = 0; b < s->bodies; b++) {
        int row = s->place[b];
        e->pushed[b] = s->driven[b] > 1 ? DV_STEERED : s->driven[b] ? -1 : row;
        e->steered |= s->driven[b] > 1;
        if (row < 0) continue;
        if (s->driven[b]) e->driven[driven++] = row;
        e->at[row] = at;
        e->lies[row] = s->oriented[b] ? ++turning : 0;
        at += DV_DOF + (s->oriented[b] != 0);
    }
    dv_keep_joints(e, s);
    if (contacts == 0) return;
    memcpy(e->ends, s->ends, 2 * contacts * sizeof(int));
    memcpy(e->kind, s->kind, contacts * sizeof(int));
    memcpy(e->law, s->law, contacts * sizeof(int));
    memcpy(e->smooth, s->smooth, contacts * sizeof(int));
    memcpy(e->linked, s->linked, contacts * sizeof(int));
    memcpy(e->resists, s->resists, contacts * sizeof(int));
    memcpy(e->single, s->single, contacts * sizeof(int));
    for (int c = 0, next = 0; c < s->contacts; c++) e->flat[c] = s->flat[c] ? next++ : -1;
}

static int dv_is_sound(const dv_structure *s, const dv_options *o) {
    if (s->bodies < 1 || s->moving < 0 || s->contacts < 0 || s->moving > s->bodies) return 0;
    if (o->intervals < 2 || o->intervals > DV_MAX_INTERVALS || o->samples < 1) return 0;
    for (int b = 0; b < s->bodies; b++)
        if (s->place[b] < -1 || s->place[b] >= s->moving) return 0;
    for (int i = 0; i < 2 * s->contacts; i++)
        if (s->ends[i] < 0 || s->ends[i] >= s->bodies) return 0;
    if (s->contacts && s->resists[0]) return 0;
    for (int c = 0; c < s->contacts; c++)
        if (s->flat[c] && (s->place[s->ends[2 * c]] < 0 || s->place[s->ends[2 * c + 1]] >= 0))
            return 0;
    return dv_are_joints_sound(s);
}

void dv_destroy(dv_engine *e) {
    if (e) free(e->own.log);
    if (e) free(e->room_memory);
    free(e); /* the engine is the beginning of its own block */
}

dv_code dv_create(const dv_structure *s, const dv_options *options, dv_engine **engine) {
    dv_engine plan;
    dv_arena arena = {NULL, 0};
    *engine = NULL;
    if (!dv_is_sound(s, options)) return DV_BAD_MODEL;
    memset(&plan, 0, sizeof plan);
    plan.options = *options;
    plan.bodies = s->bodies;
    plan.moving = s->moving;
    plan.contacts = s->contacts;
    plan.settings = s->settings;
    plan.properties = s->properties;
    plan.impact = s->impact % DV_WITHOUT_COLLISION;
    plan.without_collision = s->impact >= DV_WITHOUT_COLLISION;
    plan.shapes = s->shape;
    plan.joints.count = s->joints;
    plan.joints.angles = s->angles;
    plan.conditions = dv_model_conditions();
    plan.constant = dv_model_constant_loads() && s->joints == 0;
    for (int c = 0; c < s->contacts; c++) plan.flat_count += s->flat[c] != 0;
    for (int b = 0; b < s->bodies; b++) plan.driven_count += s->place[b] >= 0 && s->driven[b];
    plan.turning = dv_count_oriented(s, 1);
    plan.lying = dv_count_oriented(s, 0) > 0;
    plan.speeds = DV_DOF * s->moving;
    plan.coordinates = plan.speeds + plan.turning + s->angles;
    plan.size = plan.coordinates + plan.speeds;
    dv_carve(&plan, s, &arena);
    arena.memory = (char *)calloc(1, arena.used);
    if (!arena.memory) return DV_NO_MEMORY;
    dv_carve(&plan, s, &arena);
    dv_engine *e = (dv_engine *)(void *)arena.memory;
    *e = plan;
    if (!dv_make_room(e, dv_room_for(s))) {
        dv_destroy(e);
        return DV_NO_MEMORY;
    }
    dv_keep_structure(e, s);
    for (int c = 0; c < e->contacts && e->conditions; c++) e->condition[c] = dv_model_condition(c);
    dv_tie_switches(e);
    dv_tie_steps(e);
    e->record = &e->own;
    if (e->contacts <= DV_ALWAYS) dv_list_all(e);
    e->sorted = dv_can_fly(e);
    *engine = e;
    return DV_OK;
}

static int dv_number_total(const dv_engine *e) {
    int each = 3 + (e->lying ? DV_LYING : 0);
    return e->settings + e->speeds + 3 * e->turning + each * e->bodies +
           (e->shapes + 3) * e->contacts;
}

void dv_set_numbers(dv_engine *e, const double *numbers) {
    dv_land(e);
    dv_copy(e->numbers, numbers, dv_number_total(e));
    e->p = e->numbers;
    e->inverse_mass = e->p + e->settings;
    e->mixed = e->inverse_mass + e->speeds;
    e->position = e->mixed + 3 * e->turning;
    e->lain = e->position + 3 * e->bodies;
    e->shape = e->lain + (e->lying ? DV_LYING * e->bodies : 0);
    e->e_N = e->shape + e->shapes * e->contacts;
    e->e_T = e->e_N + e->contacts;
    e->mu = e->e_T + e->contacts;
    dv_place_fixed(e);
    dv_prepare_flats(e);
    dv_forget_bases(e);
    e->joints.known = 0;
    if (e->constant) dv_accelerate_freely(e, 0.0, e->x, e->weight);
    if (e->properties) dv_model_ends(e->p, e->deadline);
    e->flies = e->sorted && dv_find_radii(e);
    e->step.fresh = 0;
    dv_know_nothing(e);
}

void dv_set_state(dv_engine *e, double time, const double *x) {
    memset(&e->now, 0, sizeof e->now);
    e->record->events = 0;
    e->record->path = 0;
    memset(&e->step.pace, 0, sizeof e->step.pace);
    memset(e->kept, 0, (size_t)e->kept_count * sizeof(double));
    memset(e->flags, 0, DV_FLAGS * (size_t)e->contacts * sizeof(int));
    for (int j = 0; j < e->properties; j++) {
        e->least[j] = INFINITY;
        e->when[j] = e->first[j] = NAN;
    }
    dv_copy(e->x, x, e->size);
    dv_know_nothing(e);
    e->last_reach = 0.0;
    e->lasts = 8.0;
    e->listed_at = 0;
    e->now.time = time;
    e->now.accumulates = NAN;
    e->closed.count = e->closed.islands = 0;
    e->step.fresh = 0;
    dx_begin(&e->w);
    if (e->w.count) dx_literal(&e->w, time, e->x);
    dv_switch_contacts(e);
}

dv_code dv_set_location(dv_engine *e, const int *modes, const double *held) {
    memcpy(e->modes, modes, (size_t)e->contacts * sizeof(int));
    dv_copy(e->held, held, 3 * e->contacts);
    e->now.holds = dv_largest(held, 3 * e->contacts) > 0.0;
    return dv_enter(e);
}

double dv_time(const dv_engine *e) {
    return e->now.time;
}

void dv_get_state(const dv_engine *e, double *x) {
    dv_state_at(e, e->now.time, x);
}

void dv_get_modes(const dv_engine *e, int *modes) {
    memcpy(modes, e->modes, (size_t)e->contacts * sizeof(int));
}

/* All that a run changes, but for what is found again. */
static dv_blocks dv_run_blocks(dv_engine *e) {
    dv_blocks b = dv_no_blocks();
    dv_add_course(&b, e->record, &e->step);
    dv_add_switches(&b, &e->w, e->w.count);
    dv_add_block(&b, &e->now, 1, sizeof e->now);
    dv_add_doubles(&b, e->kept, e->kept_count);
    dv_add_ints(&b, e->flags, DV_FLAGS * e->contacts);
    return b;
}

unsigned long dv_saved_size(dv_engine *e) {
    return (unsigned long)dv_run_blocks(e).size;
}

void dv_save(dv_engine *e, void *memory) {
    dv_blocks b = dv_run_blocks(e);
    dv_save_blocks(&b, memory);
}

void dv_restore(dv_engine *e, const void *memory) {
    dv_blocks b = dv_run_blocks(e);
    dv_restore_blocks(&b, memory);
    dv_know_nothing(e);
    dv_switch_contacts(e);
    if (e->now.aloft) dv_list_closed(e);
    dv_enter(e);
    e->steady = e->now.flowing && dv_find_steady(e);
    if (!dv_take_off_again(e)) dv_land(e);
}

void dv_counts(const dv_engine *e, long *counts) {
    memcpy(counts, e->now.counts, sizeof e->now.counts);
    counts[DV_N_EVENTS] = e->record->events;
    counts[DV_N_STEPS] = e->step.pace.made;
    counts[DV_N_REJECTED] = e->step.pace.rejected;
}

void dv_get_properties(const dv_engine *e, double *least, double *when, double *failed) {
    dv_copy(least, e->least, e->properties);
    dv_copy(when, e->when, e->properties);
    dv_copy(failed, e->first, e->properties);
}

unsigned long long dv_path(const dv_engine *e) {
    return e->record->path;
}

void dv_set_events(dv_engine *e, double *times, int *kinds, int *contacts, int room) {
    e->record->time = times;
    e->record->kind = kinds;
    e->record->what = contacts;
    e->record->most = times && kinds && contacts ? room : 0;
}

void dv_keep_log(dv_engine *e, int keep) {
    dv_keep_record(e->record, keep);
}

long dv_log_used(const dv_engine *e) {
    return e->record->used;
}

void dv_take_log(dv_engine *e, double *out) {
    dv_hand_over(e->record, out);
}
