/* What happens next to each of many bodies in flight, and who is near whom: a heap of times with one
 * entry per moving body, and cells of space in a table, as in event-driven molecular dynamics
 * [alder1959] [lubachevsky1991]. */

/* Beside contacts: into the cell above along an axis, or below; what formulas do not tell; nothing. */
enum { DV_CELL_UP = -3, DV_CELL_DOWN = -6, DV_DELICATE = -7, DV_NOTHING = -8 };

static void dv_swap_entries(dv_calendar *c, int i, int j) {
    int body = c->heap[i];
    c->heap[i] = c->heap[j];
    c->heap[j] = body;
    c->at[c->heap[i]] = i;
    c->at[c->heap[j]] = j;
}

static int dv_is_sooner(const dv_calendar *c, int i, int j) {
    return c->when[c->heap[i]] < c->when[c->heap[j]];
}

/* The entry of a body is another: put it in order. */
static void dv_reschedule(dv_calendar *c, int body) {
    int i = c->at[body];
    for (; i > 0 && dv_is_sooner(c, i, (i - 1) / 2); i = (i - 1) / 2)
        dv_swap_entries(c, i, (i - 1) / 2);
    for (;;) {
        int child = 2 * i + 1;
        if (child + 1 < c->count && dv_is_sooner(c, child + 1, child)) child++;
        if (child >= c->count || !dv_is_sooner(c, child, i)) return;
        dv_swap_entries(c, i, child);
        i = child;
    }
}

static int dv_cell_of(const dv_calendar *c, int x, int y, int z) {
    unsigned mixed = (unsigned)x * 73856093u ^ (unsigned)y * 19349663u ^ (unsigned)z * 83492791u;
    return (int)(mixed & (unsigned)c->mask);
}

static int dv_own_cell(const dv_calendar *c, int body) {
    const int *cell = c->flyer[body].cell;
    return dv_cell_of(c, cell[0], cell[1], cell[2]);
}

static void dv_put_into_cell(dv_calendar *c, int body) {
    int cell = dv_own_cell(c, body), first = c->head[cell];
    c->before[body] = -1;
    c->next[body] = first;
    if (first >= 0) c->before[first] = body;
    c->head[cell] = body;
}

static void dv_take_from_cell(dv_calendar *c, int body) {
    int next = c->next[body], before = c->before[body];
    if (next >= 0) c->before[next] = before;
    if (before >= 0)
        c->next[before] = next;
    else
        c->head[dv_own_cell(c, body)] = next;
}

/* The first body at or after `body` in a list of the table that is in the cell. */
static int dv_in_cell(const dv_calendar *c, int body, int x, int y, int z) {
    for (; body >= 0; body = c->next[body]) {
        const int *cell = c->flyer[body].cell;
        if (cell[0] == x && cell[1] == y && cell[2] == z) return body;
    }
    return -1;
}

/* Those that are near a body: in its own cell and in those around it, one after the other. */
typedef struct {
    int place; /* from 0 to 26 */
    int body;
    int x, y, z;
} dv_around_body;

static void dv_next_near(const dv_calendar *c, const dv_flyer *f, dv_around_body *n) {
    n->body = n->body < 0 ? -1 : dv_in_cell(c, c->next[n->body], n->x, n->y, n->z);
    while (n->body < 0 && ++n->place < 27) {
        n->x = f->cell[0] + n->place % 3 - 1;
        n->y = f->cell[1] + n->place / 3 % 3 - 1;
        n->z = f->cell[2] + n->place / 9 - 1;
        n->body = dv_in_cell(c, c->head[dv_cell_of(c, n->x, n->y, n->z)], n->x, n->y, n->z);
    }
}

static dv_around_body dv_first_near(const dv_calendar *c, const dv_flyer *f) {
    dv_around_body n = {-1, -1, 0, 0, 0};
    dv_next_near(c, f, &n);
    return n;
}
