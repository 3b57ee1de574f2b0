/* Two runs at the same time in two threads, as one after the other: prints whether they agree. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/model/dyverse_model.h"

static void *follow(void *result) {
    dyverse_model *m = dyverse_create();
    int ends = dyverse_begin(m, 0.0) == DYVERSE_OK;
    for (int i = 1; ends && i <= 20; i++)
        ends = dyverse_advance(m, dyverse_describe()->horizon * i / 20.0) == DYVERSE_OK;
    dyverse_state(m, result);
    dyverse_destroy(m);
    return NULL;
}

int main(void) {
    size_t size = (size_t)dyverse_describe()->states * sizeof(double);
    double *found[3] = {malloc(size), malloc(size), malloc(size)};
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) pthread_create(&thread[k], NULL, follow, found[k]);
    for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
    follow(found[2]);
    int same = !memcmp(found[0], found[2], size) && !memcmp(found[1], found[2], size);
    for (int k = 0; k < 3; k++) free(found[k]);
    puts(same ? "the same" : "not the same");
    return 0;
}
