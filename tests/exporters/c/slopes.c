/* A run that looks at slopes, derivatives and signals all along, and goes on elsewhere from the middle.
 * Prints how many looks there were, how many of them had formulas, and the state at the end. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/model/dyverse_model.h"

enum { PARTS = 24 };

static void fill(double *direction, int count, int part) {
    for (int i = 0; i < count; i++) direction[i] = (double)((7 * i + 3 * part) % 11 - 5) / 5.0;
}

static int look(dyverse_model *m, int part, double *room) {
    const dyverse_facts *facts = dyverse_describe();
    double *dx = room, *along = dx + facts->states, *out = along + facts->settings;
    int known = 0;
    fill(dx, facts->states, part);
    fill(along, facts->settings, part);
    if (dyverse_derivatives(m, out) != DYVERSE_OK) return -1;
    if (dyverse_indicators(m, out) != DYVERSE_OK) return -1;
    known += dyverse_slopes(m, dx, along, out) == DYVERSE_OK;
    for (int i = 0; i < facts->outputs; i++) {
        if (dyverse_output(m, i, out) != DYVERSE_OK) return -1;
        known += dyverse_output_slope(m, i, dx, along, out) == DYVERSE_OK;
    }
    return known;
}

static dyverse_model *elsewhere(dyverse_model *m) {
    size_t size = dyverse_saved_size(m);
    void *memory = malloc(size);
    dyverse_model *other = dyverse_create();
    int moved = dyverse_save(m, memory, size) == DYVERSE_OK &&
                dyverse_restore(other, memory, size) == DYVERSE_OK;
    free(memory);
    dyverse_destroy(moved ? m : other);
    return moved ? other : m;
}

int main(void) {
    const dyverse_facts *facts = dyverse_describe();
    size_t size = (size_t)(2 * facts->states + facts->settings + facts->indicators + 1);
    double *room = malloc(size * sizeof(double));
    dyverse_model *m = dyverse_create();
    int known = 0, code = dyverse_begin(m, 0.0);
    for (int part = 1; part <= PARTS && code == DYVERSE_OK; part++) {
        int found = look(m, part, room);
        if (found < 0) break;
        known += found;
        if (part == PARTS / 2) m = elsewhere(m);
        code = dyverse_advance(m, facts->horizon * part / PARTS);
    }
    dyverse_state(m, room);
    printf("%d %d %d", code, PARTS * (1 + facts->outputs), known);
    for (int i = 0; i < facts->states; i++) printf(" %.17g", room[i]);
    puts("");
    dyverse_destroy(m);
    free(room);
    return 0;
}
