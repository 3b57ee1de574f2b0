/* Directional derivatives: exact where there is a formula (dyverse_slopes); else by central differences,
 * in which the location stays and only the point moves. */

#define FMI_NUDGE 6e-6 /* about the cube root of the rounding of a number */

/* Move states and ports by `by` times the seed. */
static dyverse_status fmi_nudge(fmi_instance *f, const unsigned int *known, size_t count,
                                const double *seed, double by) {
    dyverse_status status = DYVERSE_OK;
    double *x = f->x;
    dyverse_state(f->model, x);
    for (size_t k = 0; k < count && status == DYVERSE_OK; k++) {
        int index;
        fmi_kind kind = fmi_kind_of(known[k], &index);
        if (kind == FMI_STATE)
            x[index] += by * seed[k];
        else if (kind == FMI_SETTING)
            status = dyverse_set(f->model, index, dyverse_get(f->model, index) + by * seed[k]);
        else
            status = DYVERSE_REFUSED;
    }
    return status == DYVERSE_OK ? dyverse_put(f->model, dyverse_time(f->model), x) : status;
}

/* How far to go: as far as the numbers that move are large. */
static double fmi_reach(fmi_instance *f, const unsigned int *known, size_t count,
                        const double *seed) {
    double most = 0.0, size = 1.0;
    for (size_t k = 0; k < count; k++) {
        double value = 0.0;
        if (fmi_get(f->model, 1, known[k], f->room, &value) == DYVERSE_OK)
            size = fmax(size, fabs(value));
        most = fmax(most, fabs(seed[k]));
    }
    return most > 0.0 ? FMI_NUDGE * size / most : 0.0;
}

static fmi_status fmi_difference(fmi_instance *f, const unsigned int *unknown, size_t unknowns,
                                 const unsigned int *known, size_t knowns, const double *seed,
                                 double by, double share, double *out) {
    dyverse_status status = fmi_nudge(f, known, knowns, seed, by);
    for (size_t i = 0; i < unknowns && status == DYVERSE_OK; i++) {
        double value = 0.0;
        status = fmi_get(f->model, 1, unknown[i], f->room, &value);
        out[i] += share * value;
    }
    return fmi_told(f, status, FMI_DISCARD);
}

/* All unknowns by differences. */
static fmi_status fmi_differences(fmi_instance *f, const unsigned int *unknown, size_t unknowns,
                                  const unsigned int *known, size_t knowns, const double *seed,
                                  double *out) {
    double by = fmi_reach(f, known, knowns, seed);
    void *before = NULL;
    for (size_t i = 0; i < unknowns; i++) out[i] = 0.0;
    if (!(by > 0.0) || !isfinite(by)) return isfinite(by) ? FMI_OK : FMI_DISCARD;
    fmi_status status = fmi_save(f, &before);
    for (int side = 1; side >= -1 && status == FMI_OK; side -= 2) {
        status = fmi_difference(f, unknown, unknowns, known, knowns, seed, side * by,
                                side / (2 * by), out);
        if (before) fmi_restore(f, before);
    }
    fmi_free(f, &before);
    return status;
}

/* The seed as a direction of states and settings; 0 if it cannot be one. */
static int fmi_direct(fmi_instance *f, const unsigned int *known, size_t knowns,
                      const double *seed) {
    const dyverse_facts *facts = dyverse_describe();
    for (int i = 0; i < facts->states; i++) f->dx[i] = 0.0;
    for (int i = 0; i < facts->settings; i++) f->dsettings[i] = 0.0;
    for (size_t k = 0; k < knowns; k++) {
        int index;
        fmi_kind kind = fmi_kind_of(known[k], &index);
        if (!isfinite(seed[k])) return 0;
        if (kind == FMI_STATE)
            f->dx[index] += seed[k];
        else if (kind == FMI_SETTING && facts->setting[index].kind != DYVERSE_FIXED &&
                 facts->setting[index].kind != DYVERSE_SEED)
            f->dsettings[index] += seed[k];
        else
            return 0;
    }
    return 1;
}

/* One unknown by formula; nothing is written if there is none. */
static dyverse_status fmi_exact(fmi_instance *f, unsigned int unknown, dyverse_status rates,
                                double *out) {
    int index;
    switch (fmi_kind_of(unknown, &index)) {
    case FMI_STATE: return dyverse_output_slope(f->model, index, f->dx, f->dsettings, out);
    case FMI_OUTPUT:
        index += dyverse_describe()->states;
        return dyverse_output_slope(f->model, index, f->dx, f->dsettings, out);
    case FMI_DERIVATIVE:
        if (rates == DYVERSE_OK) *out = f->room[index];
        return rates;
    default: return DYVERSE_REFUSED;
    }
}

/* All unknowns for which there is a formula; how many have none. */
static size_t fmi_formulas(fmi_instance *f, const unsigned int *unknown, size_t unknowns,
                           double *out) {
    dyverse_status rates = dyverse_slopes(f->model, f->dx, f->dsettings, f->room);
    size_t missing = 0;
    for (size_t i = 0; i < unknowns; i++)
        missing += fmi_exact(f, unknown[i], rates, out + i) != DYVERSE_OK;
    return missing;
}

fmi_status fmi_directional(fmi_instance *f, const unsigned int *unknown, size_t unknowns,
                           const unsigned int *known, size_t knowns, const double *seed,
                           double *out) {
    if (!fmi_may(f, FMI_BEGUN & ~FMI_OVER)) return FMI_ERROR;
    int direct = fmi_direct(f, known, knowns, seed);
    if (direct && !fmi_formulas(f, unknown, unknowns, out)) return FMI_OK;
    fmi_status status = fmi_differences(f, unknown, unknowns, known, knowns, seed, out);
    if (direct && status == FMI_OK) fmi_formulas(f, unknown, unknowns, out);
    return status;
}
