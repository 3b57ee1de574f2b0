/* One model: settings and starts, the engine behind them, and what it is asked; dyverse_model.h.
 *
 * The engine is told where the caller is by dm_put, and answers there. Who integrates sees signals a
 * little shifted, if they are not positive where a stretch of time begins: a ball that has just
 * bounced touches the floor still, and must not touch it again before it has left. */

#define DM_SHIFT 1e-12    /* what a shifted signal is where its stretch begins */
#define DM_MANY 100000    /* events in one call */
#define DM_LAST_SEED 9007199254740992.0 /* up to which all whole numbers are doubles */

/* How far the engine is ahead of the caller: see going.c. */
typedef struct {
    int on;
    dv_code code;  /* what its last step ended with */
    double time;   /* where the caller is */
    long events;   /* how many there have been there */
    double *x;
    char *before;  /* the engine where that step began */
} dm_lead;

struct dyverse_model {
    const dyverse_facts *facts;
    dm_engine *engine;
    double *setting, *start;
    double *numbers;         /* of the engine, then the start that follows from the settings */
    double *signal, *shift;
    double *along;           /* a direction of the numbers, and room for slopes */
    double *x, *spare;
    int *given;              /* which starts were set */
    dm_luck luck;
    dm_lead lead;
    double time;             /* before a run begins */
    int begun, ended;
    int stale;               /* whether settings have changed since the engine was told */
    int changed;             /* the same since the run went on */
    int unarmed;             /* whether `shift` is of an earlier stretch of time */
    char message[200];
    void *memory;
};

#include "refusing.c"

const dyverse_facts *dyverse_describe(void) {
    return &dm_facts;
}

int dyverse_find(const dyverse_quantity *quantities, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(quantities[i].name, name) == 0) return i;
    return -1;
}

static double *dm_share(double **memory, int count) {
    double *here = *memory;
    *memory += count;
    return here;
}

/* How many bytes the engine takes when it is saved. */
static size_t dm_length(dyverse_model *m) {
    dm_cursor c = {NULL, 0, 0, 0};
    dm_pass(m->engine, &m->luck, &c);
    return c.used;
}

dyverse_model *dyverse_create(void) {
    const dyverse_facts *f = &dm_facts;
    int total = 2 * f->settings + 5 * f->states + 2 * dm_number_count + dm_board + 2 * f->indicators;
    dyverse_model *m = (dyverse_model *)calloc(1, sizeof *m);
    if (!m) return NULL;
    m->facts = f;
    m->memory = calloc((size_t)total + 1, sizeof(double));
    m->given = (int *)calloc((size_t)f->states + 1, sizeof(int));
    if (!m->memory || !m->given || dm_open(&m->engine) != DV_OK) {
        dyverse_destroy(m);
        return NULL;
    }
    m->lead.before = (char *)malloc(dm_length(m));
    if (!m->lead.before) {
        dyverse_destroy(m);
        return NULL;
    }
    double *room = (double *)m->memory;
    m->setting = dm_share(&room, f->settings);
    m->start = dm_share(&room, f->states);
    m->x = dm_share(&room, f->states);
    m->spare = dm_share(&room, f->states);
    m->lead.x = dm_share(&room, f->states);
    m->numbers = dm_share(&room, dm_number_count);
    m->signal = dm_share(&room, f->indicators);
    m->shift = dm_share(&room, f->indicators);
    m->along = dm_share(&room, dm_number_count + dm_board);
    dyverse_reset(m);
    return m;
}

void dyverse_destroy(dyverse_model *m) {
    if (!m) return;
    if (m->engine) dm_close(m->engine);
    free(m->memory);
    free(m->given);
    free(m->lead.before);
    free(m);
}

/* The engine's numbers and the start, as the settings say. */
static void dm_prepare_all(dyverse_model *m) {
    int states = m->facts->states;
    dm_prepare(m->setting, m->numbers);
    const double *own = m->numbers + dm_number_count - states;
    for (int i = 0; i < states && !m->begun; i++) m->x[i] = m->given[i] ? m->start[i] : own[i];
}

/* The seed of draws; -1 if there is none. */
static double dm_seed(const dyverse_model *m) {
    int last = m->facts->settings - 1;
    return last >= 0 && m->facts->setting[last].kind == DYVERSE_SEED ? m->setting[last] : -1.0;
}

void dyverse_reset(dyverse_model *m) {
    for (int i = 0; i < m->facts->settings; i++) m->setting[i] = m->facts->setting[i].value;
    memset(m->given, 0, (size_t)m->facts->states * sizeof(int));
    for (int i = 0; i < m->facts->indicators; i++) m->shift[i] = 0.0;
    m->time = 0.0;
    m->begun = m->ended = m->stale = m->changed = m->unarmed = m->lead.on = 0;
    m->message[0] = '\0';
    dm_prepare_all(m);
    dm_start(m->engine, m->numbers, 0.0, m->x);
}

static void dm_catch_up(dyverse_model *m);

dyverse_status dyverse_set(dyverse_model *m, int setting, double value) {
    if (setting < 0 || setting >= m->facts->settings) return dm_refuse(m, "no such setting", "");
    const dyverse_quantity *q = m->facts->setting + setting;
    if (m->setting[setting] == value) return DYVERSE_OK;
    if (!isfinite(value)) return dm_refuse(m, "not a finite number", q->name);
    if (m->begun && (q->kind == DYVERSE_FIXED || q->kind == DYVERSE_SEED))
        return dm_refuse(m, "cannot change once a run has begun", q->name);
    if (q->kind == DYVERSE_SEED && (value != floor(value) || value < -1.0 || value > DM_LAST_SEED))
        return dm_refuse(m, "a seed is a whole number, or -1 for none", q->name);
    dm_catch_up(m);
    double before = m->setting[setting];
    m->setting[setting] = value;
    dm_prepare_all(m);
    if (!m->begun || dm_is_sound(m)) {
        m->stale = m->changed = 1;
        return DYVERSE_OK;
    }
    m->setting[setting] = before;
    dm_prepare_all(m);
    return dm_refuse(m, "a value that the model cannot have", q->name);
}

double dyverse_get(const dyverse_model *m, int setting) {
    return setting >= 0 && setting < m->facts->settings ? m->setting[setting] : NAN;
}

dyverse_status dyverse_set_start(dyverse_model *m, int state, double value) {
    if (state < 0 || state >= m->facts->states) return dm_refuse(m, "no such state", "");
    if (!isfinite(value)) return dm_refuse(m, "not a finite number", m->facts->state[state].name);
    if (m->begun) return dm_refuse(m, "the run has begun", m->facts->state[state].name);
    m->start[state] = m->x[state] = value;
    m->given[state] = 1;
    return DYVERSE_OK;
}

/* Let the engine know of settings that have changed. */
static void dm_refresh(dyverse_model *m) {
    if (!m->stale) return;
    dm_renumber(m->engine, m->numbers);
    m->stale = 0;
}

/* Take jumps until a stretch of time can begin. */
static dv_code dm_settle(dm_engine *e) {
    for (;;) {
        dv_code code = dm_take_jumps(e);
        if (code == DV_OK) code = dm_set_off(e);
        if (code != DV_EVENT) return code;
    }
}

/* The jumps of this instant, if there are some. */
static dv_code dm_jump(dm_engine *e, const double *signals) {
    dv_code code = dm_instant(e, signals);
    return code == DV_EVENT ? dm_settle(e) : code;
}

/* A stretch of time begins here: signals that are not positive rest until they have risen. */
static void dm_arm(dyverse_model *m) {
    dm_signals(m->engine, m->signal);
    for (int i = 0; i < m->facts->indicators; i++)
        m->shift[i] = m->signal[i] > DM_SHIFT ? 0.0 : DM_SHIFT - m->signal[i];
    m->unarmed = 0;
}

dyverse_status dyverse_begin(dyverse_model *m, double time) {
    if (m->begun) return dm_refuse(m, "the run has begun", "");
    if (!isfinite(time)) return dm_refuse(m, "not a finite number", "time");
    if (!dm_is_sound(m)) return dm_refuse(m, "settings that cannot be: a size, a mass or a gap", "");
    m->time = time;
    m->stale = m->changed = 0;
    dm_start(m->engine, m->numbers, time, m->x);
    dm_sow_luck(&m->luck, dm_seed(m));
    dm_let_draw(m->engine, &m->luck, dm_seed(m));
    dm_limit_events(m->engine, DM_MANY);
    m->begun = 1;
    dyverse_status status = dm_told(m, dm_settle(m->engine));
    if (status == DYVERSE_OK) dm_arm(m);
    return status;
}

#include "going.c"

/* A run that went on by itself is in a stretch of time that the signals do not know yet: they learn of
 * it before anything else changes. */
static void dm_catch_up(dyverse_model *m) {
    if (!m->unarmed) return;
    dm_tell(m);
    if (!m->ended) dm_arm(m);
}

dyverse_status dyverse_advance(dyverse_model *m, double until) {
    return dm_advance(m, until, 0);
}

dyverse_status dyverse_advance_to_event(dyverse_model *m, double until) {
    return dm_advance(m, until, 1);
}

/* The state that the caller sees. */
static const double *dm_here(const dyverse_model *m) {
    if (m->lead.on) return m->lead.x;
    return m->begun ? m->engine->x : m->x;
}

double dyverse_time(const dyverse_model *m) {
    if (m->lead.on) return m->lead.time;
    return m->begun ? m->engine->now.time : m->time;
}

void dyverse_state(const dyverse_model *m, double *x) {
    dv_copy(x, dm_here(m), m->facts->states);
}

dyverse_status dyverse_put(dyverse_model *m, double time, const double *x) {
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    for (int i = 0; i < m->facts->states; i++)
        if (!isfinite(x[i])) return dm_refuse(m, "not a finite number", m->facts->state[i].name);
    if (!isfinite(time)) return dm_refuse(m, "not a finite number", "time");
    dm_catch_up(m);
    dm_fall_back(m);
    dm_put(m->engine, time, x);
    return DYVERSE_OK;
}

dyverse_status dyverse_derivatives(dyverse_model *m, double *rates) {
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    int ahead = dm_look(m);
    dm_rates(m->engine, rates);
    dm_look_on(m, ahead);
    for (int i = 0; i < m->facts->states; i++)
        if (!isfinite(rates[i])) return dm_refuse(m, "its rate is no number", m->facts->state[i].name);
    return DYVERSE_OK;
}

dyverse_status dyverse_indicators(dyverse_model *m, double *signals) {
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    dm_catch_up(m);
    dm_tell(m);
    dm_signals(m->engine, signals);
    for (int i = 0; i < m->facts->indicators; i++) {
        signals[i] += m->shift[i];
        if (!isfinite(signals[i])) signals[i] = signals[i] > 0.0 ? DM_FAR : -DM_FAR;
    }
    return DYVERSE_OK;
}

dyverse_status dyverse_update(dyverse_model *m, int *changed) {
    int states = m->facts->states;
    *changed = 0;
    if (m->ended) return DYVERSE_ENDED;
    if (m->unarmed) return DYVERSE_OK; /* it has just gone on by itself, and taken them */
    if (dyverse_indicators(m, m->signal) != DYVERSE_OK) return DYVERSE_REFUSED;
    dv_copy(m->spare, m->engine->x, states);
    dm_limit_events(m->engine, DM_MANY);
    dm_pull_back(m->engine);
    dyverse_status status = dm_told(m, dm_jump(m->engine, m->signal));
    if (status != DYVERSE_OK) return status;
    dm_arm(m);
    for (int i = 0; i < states; i++) *changed |= m->spare[i] != m->engine->x[i];
    return DYVERSE_OK;
}

dyverse_status dyverse_accept(dyverse_model *m, int *update) {
    *update = 0;
    if (!m->begun) return dm_refuse(m, "no run has begun", "");
    if (m->ended) return DYVERSE_ENDED;
    dm_tell(m);
    *update = dm_drifts(m->engine);
    dm_signals(m->engine, m->signal);
    for (int i = 0; i < m->facts->indicators; i++)
        if (m->signal[i] > 2 * m->shift[i] + DM_SHIFT) m->shift[i] = 0.0; /* it has risen */
    return DYVERSE_OK;
}

#include "outputs.c"
#include "slopes.c"
#include "saving.c"
