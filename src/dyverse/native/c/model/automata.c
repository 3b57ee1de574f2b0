/* The engine of automata, perhaps with bodies, as model.c asks it. */

typedef da_engine dm_engine;

#include "dice.c"

/* Who chooses among enabled edges, if they are drawn. */
typedef struct {
    dm_dice dice;
    dm_engine *engine;
} dm_luck;

static double dm_weight(const dm_engine *e, int move) {
    const int *found = e->moves + (size_t)move * (size_t)(e->s.components + 2);
    double weight = 1.0;
    for (int i = 1; i <= found[0]; i++) weight *= dm_weights[found[i]];
    return weight;
}

/* See dyverse.simulation.choice.Chooser. */
static int dm_choose(void *of, int count, int delay) {
    dm_luck *luck = (dm_luck *)of;
    double total = 0.0, reached = 0.0;
    int move = 0;
    (void)delay; /* it never waits */
    if (!dm_weighted) return dm_draw_below(&luck->dice, count);
    for (int i = 0; i < count; i++) total += dm_weight(luck->engine, i);
    if (!(total > 0.0)) return 0;
    double drawn = dm_draw_share(&luck->dice) * total;
    while ((reached += dm_weight(luck->engine, move)) <= drawn && move < count - 1) move++;
    return move;
}

/* Draw from now on, if the seed is not negative. */
static void dm_let_draw(dm_engine *e, dm_luck *luck, double seed) {
    da_host host;
    memset(&host, 0, sizeof host);
    host.of = luck;
    luck->engine = e;
    if (seed >= 0.0) host.choose = dm_choose;
    da_set_host(e, &host);
}

static void dm_sow_luck(dm_luck *luck, double seed) {
    if (seed >= 0.0) dm_sow(&luck->dice, (unsigned long long)seed);
}

#if DM_HAS_BODIES
static dvc_pair *dm_pair(const dm_engine *e) {
    return (dvc_pair *)e->outside.of;
}

/* The bodies of a state. */
static dv_engine *dm_bodies_at(dm_engine *e, double time, const double *x) {
    dvc_pair *pair = dm_pair(e);
    dvc_put(pair, time, x);
    return pair->bodies;
}

static dv_code dm_open(dm_engine **engine) {
    dv_options bodies, automata;
    dv_defaults(&bodies);
    dm_tune_bodies(&bodies);
    dv_defaults(&automata);
    dm_tune_automata(&automata);
    return dvc_create(&dm_bodies, &bodies, &dm_automata, &automata, &dm_links, engine);
}
#else
static dv_code dm_open(dm_engine **engine) {
    dv_options options;
    memset(&options, 0, sizeof options);
    dm_tune_automata(&options);
    return da_create(&dm_automata, &options, engine);
}
#endif

static void dm_close(dm_engine *e) {
    da_destroy(e);
}

static void dm_start(dm_engine *e, const double *numbers, double time, const double *x) {
#if DM_HAS_BODIES
    dvc_set_bodies(e, time, numbers, x);
#endif
    da_set_numbers(e, numbers + dm_body_numbers);
    da_set_state(e, time, x, dm_positions);
}

/* Rates that do not change are known by the location, so it is entered anew. */
static void dm_reenter(dm_engine *e) {
    if (!da_is_node(e)) da_enter_rates(e);
    e->stamp++;
    e->step.fresh = 0;
}

static void dm_renumber(dm_engine *e, const double *numbers) {
#if DM_HAS_BODIES
    dv_set_numbers(dm_pair(e)->bodies, numbers);
    dvc_drive(dm_pair(e), e->x);
#endif
    da_set_numbers(e, numbers + dm_body_numbers);
    dm_reenter(e);
}

static void dm_resume(dm_engine *e) {
    if (!e->now.flowing) return;
    if (e->w.count) dx_rest(&e->w, e->now.time, e->x);
    da_signals_here(e);
    e->now.flowing = e->now.settled = !da_outside(e);
}

static void dm_put(dm_engine *e, double time, const double *x) {
    dv_copy(e->x, x, e->n);
    e->now.time = time;
    e->step.fresh = 0;
}

static void dm_rates(dm_engine *e, double *rates) {
    da_rate(e, e->now.time, e->x, rates);
}

/* One per column, those that are not there positive; then functions that switch. */
static void dm_signals(dm_engine *e, double *signals) {
    double rate;
    for (int j = 0; j < dm_columns; j++) signals[j] = 1.0;
    da_put_here(e);
    for (int j = 0; j < e->columns; j++) {
        da_signal(e, j, signals + j, &rate);
        signals[j] -= da_floor(e, j);
    }
    dm_sides(&e->w, e->now.time, e->x, signals + dm_columns);
}

/* Edges that were left behind where the stretch began and that the run, which has gone about straight
 * from there to here, has been away from since. */
static void dm_come_from(dm_engine *e) {
    double begin = e->now.arc_start, span = e->now.time - begin;
    for (int i = 0; i < e->lefts && span > 0.0; i++)
        for (int k = 1; k < DM_SAMPLES && e->behind[e->left[i]]; k++) {
            double share = (double)k / DM_SAMPLES;
            for (int v = 0; v < e->n; v++)
                e->spare_x[v] = e->final[v] + share * (e->x[v] - e->final[v]);
            da_put(e, begin + share * span, e->spare_x);
            da_rates_here(e);
            e->behind[e->left[i]] = (da_read(e, e->left[i]) & DA_HERE) != 0;
        }
}

/* What `signals`, shifted as the caller sees them, say has ended here: DV_EVENT if there are jumps. */
static dv_code dm_instant(dm_engine *e, const double *signals) {
    int turns = dm_mark_turned(&e->w, signals + dm_columns), events = 0;
    e->crossings = 0;
    for (int j = 0; j < e->columns; j++)
        if (!(signals[j] > 0.0)) e->crossed[e->crossings++] = j;
    events = e->crossings > 0;
    if (e->now.time > e->now.arc_start) e->now.idle = 0;
    if (turns && !events) {
        if (dx_switch(&e->w, e->now.time, e->x, LONG_MAX) != DX_GOES_ON) return DV_CHATTERING;
        dx_rest(&e->w, e->now.time, e->x);
    }
    if (!events) return DV_OK;
    dm_come_from(e);
    da_put_on_grain(e);
    e->now.flowing = e->now.settled = 0;
    da_arrive(e);
    return DV_EVENT;
}

static int dm_drifts(dm_engine *e) {
#if DM_HAS_BODIES
    dv_engine *b = dm_bodies_at(e, e->now.time, e->x);
    return dv_settle(b, e->now.time, e->x, dm_pair(e)->settled, DM_DRIFT) > DM_DRIFT;
#else
    (void)e;
    return 0;
#endif
}

static int dm_pull_back(dm_engine *e) {
    if (!dm_drifts(e)) return 0;
#if DM_HAS_BODIES
    dv_copy(e->x, dm_pair(e)->settled, dm_pair(e)->bodies->size);
    e->step.fresh = 0;
#endif
    return 1;
}

static dv_code dm_take_jumps(dm_engine *e) {
    return e->now.settled ? DV_OK : da_settle(e);
}

static dv_code dm_set_off(dm_engine *e) {
    return da_set_off(e);
}

static dv_code dm_flow(dm_engine *e, double until) {
    return da_flow(e, until);
}

/* Whether steps may go beyond the time that is asked for. */
static int dm_leads(const dm_engine *e) {
    return e->n > 0;
}

static void dm_limit_events(dm_engine *e, int more) {
    e->options.max_events = (int)dv_min((double)e->record.events + more, INT_MAX);
}

static long dm_events(const dm_engine *e) {
    return e->record.events;
}

/* The number of an automaton's place among its own. */
static int dm_place(const dm_engine *e, int automaton) {
    return e->position[automaton] - dm_first_place[automaton];
}

static void dm_pass(dm_engine *e, dm_luck *luck, dm_cursor *c) {
    size_t size = da_saved_size(e);
    dm_pass_bytes(c, &luck->dice, sizeof luck->dice);
    if (c->saving) da_save(e, c->memory + c->used);
    if (c->restoring) da_restore(e, c->memory + c->used);
    c->used += size;
}
