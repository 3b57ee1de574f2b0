/* Computation nodes: sweep until the test holds; see dyverse.automaton.sweeping. */

typedef struct {
    int node, sweeps;
    int failure;  /* 0: converged, 1: not in so many sweeps, 2: a number is not finite */
    double residual;
} da_visit;

static double *da_local(const da_engine *e, int node) {
    return e->board + e->s.board - e->s.locals + e->s.node_local[node];
}

static int da_local_count(const da_engine *e, int node) {
    return e->s.node_local[node + 1] - e->s.node_local[node];
}

static void da_apply_if(da_engine *e, int piece) {
    if (piece >= 0) da_apply(e, piece);
}

static int da_all_finite(const da_engine *e, int node) {
    const double *own = da_local(e, node);
    for (int i = 0; i < e->n; i++)
        if (!isfinite(e->board[1 + i])) return 0;
    for (int i = 0; i < da_local_count(e, node); i++)
        if (!isfinite(own[i])) return 0;
    return 1;
}

/* The same, by the host. */
static da_visit da_sweep_called(da_engine *e, int node) {
    double told[2] = {0.0, NAN}, *own = da_local(e, node);
    int failure = e->host.visit ? e->host.visit(e->host.of, node, e->board + 1, own, told) : -2;
    e->host_failed |= failure < 0;
    da_visit v = {node, (int)told[0], failure, told[1]};
    return v;
}

/* Pass through the node at whose entrance the run is, to its exit; the numbers stay on the board. */
static da_visit da_sweep(da_engine *e) {
    const da_structure *s = &e->s;
    da_visit v = {e->position[0] - s->places, 0, 1, NAN};
    da_put(e, e->now.time, e->x);
    if (s->node_called[v.node]) return da_sweep_called(e, v.node);
    for (int i = 0; i < da_local_count(e, v.node); i++) da_local(e, v.node)[i] = NAN;
    da_apply_if(e, s->node_enter[v.node]);
    while (v.failure == 1 && v.sweeps < s->node_most[v.node]) {
        v.sweeps++;
        da_apply_if(e, s->node_sweep[v.node]);
        const double *out = da_call(e, s->node_test[v.node]);
        v.residual = out[1];
        if (!da_all_finite(e, v.node))
            v.failure = 2;
        else if (out[0] != 0.0)
            v.failure = 0;
    }
    return v;
}

/* Leave the node by its exit. */
static void da_leave(da_engine *e, const da_visit *v) {
    if (v->failure == 0 && !e->s.node_called[v->node]) da_apply_if(e, e->s.node_leave[v->node]);
    dv_copy(e->x, e->board + 1, e->n);
    e->position[0] = e->s.places + e->s.nodes + v->node;
    e->dirty = 1;
    e->step.fresh = 0;
}
