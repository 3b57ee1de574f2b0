/* A plain event-driven loop for equal balls in a cube [lubachevsky1991], to compare with: no model, no
 * laws, no record, only when balls meet and how they part. In come "balls events size radius", then
 * position and velocity of each ball; out go events, the time of the last one, and processor seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    double q[3], v[3], since;
    int cell[3], next, before, turns; /* who is in the same cell */
    double when;                      /* the next event: */
    int what, other, seen;            /* wall or cell 0 to 5 with axis and side, or another ball */
    int at;                           /* in the heap */
} ball;

enum { WALL = 0, CELL = 6, BALL = 12 };

static ball *b;
static int n, side, *head, *heap;
static double size, radius, edge;

static void place(int i, double time, double *q) {
    for (int k = 0; k < 3; k++) q[k] = b[i].q[k] + b[i].v[k] * (time - b[i].since);
}

static int *cell_of(const int *c) {
    return head + (c[0] * side + c[1]) * side + c[2];
}

static void enter(int i) {
    int *first = cell_of(b[i].cell);
    b[i].next = *first;
    b[i].before = -1;
    if (*first >= 0) b[*first].before = i;
    *first = i;
}

static void leave(int i) {
    if (b[i].next >= 0) b[b[i].next].before = b[i].before;
    if (b[i].before >= 0)
        b[b[i].before].next = b[i].next;
    else
        *cell_of(b[i].cell) = b[i].next;
}

static void sift(int i) {
    int at = b[i].at;
    for (int up = (at - 1) / 2; at > 0 && b[i].when < b[heap[up]].when; up = (at - 1) / 2) {
        heap[at] = heap[up];
        b[heap[at]].at = at;
        at = up;
    }
    for (int down; (down = 2 * at + 1) < n; at = down) {
        if (down + 1 < n && b[heap[down + 1]].when < b[heap[down]].when) down++;
        if (!(b[heap[down]].when < b[i].when)) break;
        heap[at] = heap[down];
        b[heap[at]].at = at;
    }
    heap[at] = i;
    b[i].at = at;
}

static double meet(int i, int j, double now) {
    double d[3], e[3], dd = 0, dv = 0, vv = 0;
    place(i, now, d);
    place(j, now, e);
    for (int k = 0; k < 3; k++) {
        double u = b[j].v[k] - b[i].v[k];
        e[k] -= d[k];
        dd += e[k] * e[k];
        dv += e[k] * u;
        vv += u * u;
    }
    double c = dd - 4 * radius * radius, root = dv * dv - vv * c;
    return dv < 0 && root > 0 ? now + c / (sqrt(root) - dv) : INFINITY;
}

static void foresee(int i, double now) {
    double q[3];
    place(i, now, q);
    b[i].when = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (b[i].v[k] == 0) continue;
        int up = b[i].v[k] > 0;
        double wall = up ? size - radius : radius, border = (b[i].cell[k] + up) * edge;
        double hits = now + fmax((wall - q[k]) / b[i].v[k], 0);
        double parts = now + fmax((border - q[k]) / b[i].v[k], 0);
        int outside = b[i].cell[k] + (up ? 1 : -1) < 0 || b[i].cell[k] + (up ? 1 : -1) >= side;
        double time = outside || hits < parts ? hits : parts;
        if (time >= b[i].when) continue;
        b[i].when = time;
        b[i].what = (outside || hits < parts ? WALL : CELL) + 2 * k + up;
    }
    for (int m = 0; m < 27; m++) {
        int c[3] = {b[i].cell[0] + m % 3 - 1, b[i].cell[1] + m / 3 % 3 - 1, b[i].cell[2] + m / 9 - 1};
        if (c[0] < 0 || c[1] < 0 || c[2] < 0 || c[0] >= side || c[1] >= side || c[2] >= side) continue;
        for (int j = *cell_of(c); j >= 0; j = b[j].next) {
            double time = j == i ? INFINITY : meet(i, j, now);
            if (time >= b[i].when) continue;
            b[i].when = time;
            b[i].what = BALL;
            b[i].other = j;
            b[i].seen = b[j].turns;
        }
    }
    sift(i);
}

static void fly(int i, double now) {
    place(i, now, b[i].q);
    b[i].since = now;
    b[i].turns++;
}

static void bounce(int i, int j) {
    double d[3], dd = 0, dv = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = b[j].q[k] - b[i].q[k];
        dd += d[k] * d[k];
        dv += d[k] * (b[j].v[k] - b[i].v[k]);
    }
    for (int k = 0; k < 3; k++) {
        b[i].v[k] += dv / dd * d[k];
        b[j].v[k] -= dv / dd * d[k];
    }
}

int main(void) {
    long most, events = 0;
    if (scanf("%d %ld %lf %lf", &n, &most, &size, &radius) != 4) return 1;
    b = calloc((size_t)n, sizeof *b);
    heap = calloc((size_t)n, sizeof *heap);
    edge = fmax(size / ceil(cbrt(n)), 2.01 * radius);
    side = (int)ceil(size / edge);
    head = malloc(sizeof(int) * (size_t)(side * side * side));
    for (int c = 0; c < side * side * side; c++) head[c] = -1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 6; k++)
            if (scanf("%lf", k < 3 ? b[i].q + k : b[i].v + k - 3) != 1) return 1;
        for (int k = 0; k < 3; k++) b[i].cell[k] = (int)(b[i].q[k] / edge);
        enter(i);
        b[i].when = INFINITY;
        b[i].at = heap[i] = i;
    }
    for (int i = 0; i < n; i++) foresee(i, 0);
    clock_t start = clock();
    double now = 0;
    while (events < most) {
        int i = heap[0], what = b[i].what, axis = what % 6 / 2, up = what % 2;
        now = b[i].when;
        if (what == BALL && b[i].seen == b[b[i].other].turns) {
            int j = b[i].other;
            fly(i, now);
            fly(j, now);
            bounce(i, j);
            foresee(j, now);
            events++;
        } else if (what < CELL) {
            fly(i, now);
            b[i].v[axis] = -b[i].v[axis];
            events++;
        } else if (what < BALL) {
            leave(i);
            b[i].cell[axis] += up ? 1 : -1;
            enter(i);
        }
        foresee(i, now);
    }
    printf("%ld %.17g %g\n", events, now, (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
