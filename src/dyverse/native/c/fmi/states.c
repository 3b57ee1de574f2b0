/* Runs as states of an instance. */

typedef struct {
    fmi_life life;
    size_t size; /* of what follows */
} fmi_saved;

fmi_status fmi_save(fmi_instance *f, void **state) {
    if (!fmi_may(f, FMI_ANY) || !state) return FMI_ERROR;
    fmi_saved own = {f->life, dyverse_saved_size(f->model)}, *saved = *state;
    if (!saved) saved = malloc(sizeof own + own.size);
    if (!saved) return fmi_complain(f, FMI_FATAL, "no memory");
    memcpy(saved, &own, sizeof own);
    *state = saved;
    return fmi_told(f, dyverse_save(f->model, saved + 1, own.size), FMI_ERROR);
}

fmi_status fmi_restore(fmi_instance *f, const void *state) {
    const fmi_saved *saved = state;
    if (!fmi_may(f, FMI_ANY) || !saved) return FMI_ERROR;
    dyverse_status status = dyverse_restore(f->model, saved + 1, saved->size);
    if (status == DYVERSE_OK) f->life = saved->life;
    return fmi_told(f, status, FMI_ERROR);
}

fmi_status fmi_free(fmi_instance *f, void **state) {
    if (!fmi_may(f, FMI_ANY)) return FMI_ERROR;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return FMI_OK;
}

fmi_status fmi_serialized_size(fmi_instance *f, const void *state, size_t *size) {
    const fmi_saved *saved = state;
    if (!fmi_may(f, FMI_ANY) || !saved || !size) return FMI_ERROR;
    *size = sizeof *saved + saved->size;
    return FMI_OK;
}

fmi_status fmi_serialize(fmi_instance *f, const void *state, char *bytes, size_t size) {
    const fmi_saved *saved = state;
    if (!fmi_may(f, FMI_ANY) || !saved || size < sizeof *saved + saved->size) return FMI_ERROR;
    memcpy(bytes, saved, sizeof *saved + saved->size);
    return FMI_OK;
}

fmi_status fmi_deserialize(fmi_instance *f, const char *bytes, size_t size, void **state) {
    fmi_saved head;
    if (!fmi_may(f, FMI_ANY) || !state) return FMI_ERROR;
    if (size != sizeof head + dyverse_saved_size(f->model))
        return fmi_complain(f, FMI_ERROR, "not a state of this model");
    memcpy(&head, bytes, sizeof head);
    int mode = (int)head.life.mode;
    if (head.size != size - sizeof head || mode < FMI_MADE || mode > FMI_OVER || (mode & (mode - 1)))
        return fmi_complain(f, FMI_ERROR, "not a state of this model");
    void *saved = malloc(size);
    if (!saved) return fmi_complain(f, FMI_FATAL, "no memory");
    memcpy(saved, bytes, size);
    *state = saved;
    return FMI_OK;
}
