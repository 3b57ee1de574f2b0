/* A run as bytes: what it is, how long, a sum over it, then everything that changes in it. */

typedef struct {
    unsigned long long model, sum;
} dm_seal;

/* Fowler, Noll and Vo's hash of some bytes, going on from another. */
static unsigned long long dm_sum(const char *bytes, size_t count, unsigned long long sum) {
    for (size_t i = 0; i < count; i++) sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211ull;
    return sum;
}

static unsigned long long dm_identity(void) {
    return dm_sum(dm_facts.identity, strlen(dm_facts.identity), 14695981039346656037ull);
}

static size_t dm_pass_all(dyverse_model *m, dm_cursor *c) {
    const dyverse_facts *f = m->facts;
    dm_pass_bytes(c, m->setting, (size_t)f->settings * sizeof(double));
    dm_pass_bytes(c, m->start, (size_t)f->states * sizeof(double));
    dm_pass_bytes(c, m->x, (size_t)f->states * sizeof(double));
    dm_pass_bytes(c, m->shift, (size_t)f->indicators * sizeof(double));
    dm_pass_bytes(c, m->given, (size_t)f->states * sizeof(int));
    dm_pass_bytes(c, &m->time, sizeof m->time);
    dm_pass_bytes(c, &m->begun, sizeof m->begun);
    dm_pass_bytes(c, &m->ended, sizeof m->ended);
    dm_pass_bytes(c, &m->stale, sizeof m->stale);
    dm_pass_bytes(c, &m->changed, sizeof m->changed);
    dm_pass_bytes(c, &m->unarmed, sizeof m->unarmed);
    dm_pass_bytes(c, &m->lead.on, sizeof m->lead.on);
    dm_pass_bytes(c, &m->lead.time, sizeof m->lead.time);
    dm_pass_bytes(c, m->message, sizeof m->message);
    if (c->restoring) {
        dm_prepare_all(m);
        dm_start(m->engine, m->numbers, 0.0, m->x);
        dm_let_draw(m->engine, &m->luck, dm_seed(m));
    }
    if (m->lead.on && c->saving)
        dm_pass_bytes(c, m->lead.before, dm_length(m));
    else
        dm_pass(m->engine, &m->luck, c);
    if (m->lead.on && c->restoring) { /* a step ahead again */
        dm_keep(m);
        m->lead.code = dm_leap(m);
        dm_show(m, m->lead.time);
    }
    return c->used;
}

size_t dyverse_saved_size(const dyverse_model *m) {
    dyverse_model copy = *m;
    dm_cursor c = {NULL, sizeof(dm_seal), 0, 0};
    return dm_pass_all(&copy, &c);
}

dyverse_status dyverse_save(const dyverse_model *m, void *memory, size_t size) {
    dyverse_model copy = *m; /* saving changes nothing in it */
    dm_cursor c = {(char *)memory, sizeof(dm_seal), 1, 0};
    if (size != dyverse_saved_size(m)) return DYVERSE_REFUSED;
    dm_pass_all(&copy, &c);
    dm_seal seal = {dm_identity(), dm_sum(c.memory + sizeof seal, size - sizeof seal, 1)};
    memcpy(memory, &seal, sizeof seal);
    return DYVERSE_OK;
}

dyverse_status dyverse_restore(dyverse_model *m, const void *memory, size_t size) {
    dm_seal seal;
    if (size != dyverse_saved_size(m)) return dm_refuse(m, "a saved run of another length", "");
    memcpy(&seal, memory, sizeof seal);
    const char *bytes = (const char *)memory;
    if (seal.model != dm_identity() || seal.sum != dm_sum(bytes + sizeof seal, size - sizeof seal, 1))
        return dm_refuse(m, "not a saved run of this model", "");
    dm_cursor c = {(char *)(size_t)bytes, sizeof seal, 0, 1}; /* it is only read */
    dm_pass_all(m, &c);
    return DYVERSE_OK;
}
