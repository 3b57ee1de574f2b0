/* Memory, numbers and starts of the two engines. */

int dvc_version(void) {
    return DVC_VERSION;
}

static void dvc_destroy(void *of) {
    dvc_pair *c = (dvc_pair *)of;
    dv_destroy(c->bodies);
    free(c->tables);
    free(c->column);
    free(c->queue);
    free(c->settled);
    free(c);
}

static const int *dvc_copy(int **room, const int *table, int count) {
    int *here = *room;
    if (count > 0) memcpy(here, table, (size_t)count * sizeof(int));
    *room += count;
    return here;
}

/* Keep the tables of the links; 0 if there is no memory. */
static int dvc_keep_links(dvc_pair *c, const dvc_links *links) {
    c->links = *links;
    int *room = c->tables =
        (int *)calloc((size_t)links->driven + 3 * (size_t)links->offers + 1, sizeof(int));
    if (!room) return 0;
    c->links.setting = dvc_copy(&room, links->setting, links->driven);
    c->links.occasion = dvc_copy(&room, links->occasion, links->offers);
    c->links.contact = dvc_copy(&room, links->contact, links->offers);
    c->links.channel = dvc_copy(&room, links->channel, links->offers);
    return 1;
}

/* What bodies need besides their own engine; 0 if there is no memory. */
static int dvc_lay_out(dvc_pair *c, int max_jumps) {
    const dv_engine *b = c->bodies;
    c->column = (int *)calloc((size_t)(2 * b->contacts + 1), sizeof(int));
    c->queue = (int *)calloc((size_t)c->links.offers * (size_t)(max_jumps + 1) + 1, sizeof(int));
    c->settled = (double *)calloc((size_t)b->size + 1, sizeof(double));
    return c->column && c->queue && c->settled;
}

static void dvc_start(void *of, double time, const double *numbers, const double *x) {
    dvc_pair *c = (dvc_pair *)of;
    dv_set_numbers(c->bodies, numbers);
    dv_set_state(c->bodies, time, x);
    c->first = c->last = c->moved = 0;
}

static unsigned long dvc_saved_size(void *of) {
    return dv_saved_size(((dvc_pair *)of)->bodies);
}

static void dvc_save(void *of, void *memory) {
    dv_save(((dvc_pair *)of)->bodies, memory);
}

/* A run is saved between instants, when all signals have been heard. */
static void dvc_restore(void *of, const void *memory) {
    dvc_pair *c = (dvc_pair *)of;
    dv_restore(c->bodies, memory);
    c->first = c->last = c->moved = 0;
}

static da_outsider dvc_outsider(dvc_pair *c) {
    da_outsider found;
    memset(&found, 0, sizeof found);
    found.of = c;
    found.most = 2 * c->bodies->contacts;
    found.numbers = dv_number_total(c->bodies);
    found.start = dvc_start;
    found.rates = dvc_rates;
    found.step_error = dvc_step_error;
    found.relaxation = dvc_relaxation;
    found.signals = dvc_signals;
    found.watch = dvc_watch;
    found.begin = dvc_begin;
    found.settle = dvc_settle;
    found.jump = dvc_jump;
    found.enabled = dvc_enabled;
    found.gives = dvc_gives;
    found.switches = c->bodies->w.count;
    found.switch_kind = c->bodies->switch_kind;
    found.take = dvc_take;
    found.surfaces = dvc_surfaces;
    found.saved_size = dvc_saved_size;
    found.save = dvc_save;
    found.restore = dvc_restore;
    found.destroy = dvc_destroy;
    return found;
}

dv_code dvc_create(const dv_structure *bodies, const dv_options *body_options,
                   const da_structure *automata, const dv_options *options,
                   const dvc_links *links, da_engine **engine) {
    dvc_pair *c = (dvc_pair *)calloc(1, sizeof(dvc_pair));
    *engine = NULL;
    if (!c) return DV_NO_MEMORY;
    dv_code code = dv_create(bodies, body_options, &c->bodies);
    if (code != DV_OK || !dvc_keep_links(c, links) || !dvc_lay_out(c, options->max_jumps)) {
        dvc_destroy(c);
        return code == DV_OK ? DV_NO_MEMORY : code;
    }
    c->bodies->constant = 0; /* what drives the bodies may change */
    dv_list_all(c->bodies);  /* and all of them are watched */
    da_outsider outside = dvc_outsider(c);
    dv_code made = da_create_with(automata, options, &outside, engine);
    if (made != DV_OK) {
        dvc_destroy(c);
        return made;
    }
    c->automata = *engine;
    c->bodies->record = &c->automata->record;
    c->bodies->beside = 1;
    return DV_OK;
}

void dvc_set_bodies(da_engine *engine, double time, const double *numbers, const double *x) {
    dvc_start(engine->outside.of, time, numbers, x);
}

dv_code dvc_set_location(da_engine *engine, const int *modes, const double *held) {
    dvc_pair *c = (dvc_pair *)engine->outside.of;
    return dv_set_location(c->bodies, modes, held);
}

void dvc_get_memory(const da_engine *engine, double *ahead) {
    const dv_engine *b = ((const dvc_pair *)engine->outside.of)->bodies;
    dv_copy(ahead, b->ahead, 3 * b->contacts);
}

void dvc_go_on(da_engine *engine, int holds, const double *ahead) {
    dv_engine *b = ((dvc_pair *)engine->outside.of)->bodies;
    b->now.holds = holds;
    dv_copy(b->ahead, ahead, 3 * b->contacts);
}
