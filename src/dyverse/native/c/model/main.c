/* A run of the model as comma-separated values: model [until [step]] [NAME=VALUE ...]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dyverse_model.h"

static void print_row(dyverse_model *model, const dyverse_facts *facts) {
    printf("%.17g", dyverse_time(model));
    for (int i = 0; i < facts->outputs; i++) {
        double value = 0.0;
        dyverse_output(model, i, &value);
        printf(",%.17g", value);
    }
    putchar('\n');
}

static int complain(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 2;
}

/* NAME=VALUE: a setting, or where a state begins. */
static int set(dyverse_model *model, const dyverse_facts *facts, const char *text) {
    char name[256], *end;
    size_t length = strcspn(text, "=");
    if (length >= sizeof name) return complain(text, "the name is too long");
    memcpy(name, text, length);
    name[length] = '\0';
    double value = strtod(text + length + 1, &end);
    if (*end || end == text + length + 1) return complain(text, "not of the form NAME=VALUE");
    int setting = dyverse_find(facts->setting, facts->settings, name);
    int state = dyverse_find(facts->state, facts->states, name);
    if (setting < 0 && state < 0) return complain(name, "unknown name");
    dyverse_status status = setting >= 0 ? dyverse_set(model, setting, value)
                                         : dyverse_set_start(model, state, value);
    return status == DYVERSE_OK ? 0 : complain(text, dyverse_message(model));
}

/* To `until`, with a row every `step` and at each event. */
static dyverse_status run(dyverse_model *model, const dyverse_facts *facts, double until,
                          double step) {
    dyverse_status status = dyverse_begin(model, 0.0);
    if (status == DYVERSE_OK) print_row(model, facts);
    for (long row = 1; status == DYVERSE_OK && dyverse_time(model) < until;) {
        double next = step * (double)row < until ? step * (double)row : until;
        status = dyverse_advance_to_event(model, next);
        if (status != DYVERSE_REFUSED) print_row(model, facts);
        if (status == DYVERSE_OK) row++;
        if (status == DYVERSE_EVENT) status = DYVERSE_OK;
    }
    return status;
}

int main(int count, char **arguments) {
    const dyverse_facts *facts = dyverse_describe();
    double numbers[2] = {facts->horizon, 0.0};
    int given = 0, wrong = 0;
    dyverse_model *model = dyverse_create();
    if (!model) return complain(facts->name, "no memory");
    for (int i = 1; i < count && !wrong; i++) {
        char *end;
        if (strchr(arguments[i], '='))
            wrong = set(model, facts, arguments[i]);
        else if (given < 2 && (numbers[given++] = strtod(arguments[i], &end)) > 0.0 && !*end)
            continue;
        else
            wrong = complain(arguments[i], "not a time over 0");
    }
    if (!(numbers[1] > 0.0)) numbers[1] = numbers[0] / 100;
    printf("t");
    for (int i = 0; i < facts->outputs; i++) printf(",\"%s\"", facts->output[i].name);
    putchar('\n');
    dyverse_status status = wrong ? DYVERSE_REFUSED : run(model, facts, numbers[0], numbers[1]);
    if (status != DYVERSE_OK && !wrong) wrong = complain(facts->name, dyverse_message(model));
    dyverse_destroy(model);
    return wrong ? 1 : 0;
}
