/* What is said of a call that did not do what it was asked for. */

static dyverse_status dm_refuse(dyverse_model *m, const char *why, const char *what) {
    snprintf(m->message, sizeof m->message, "%s%s%s", what, *what ? ": " : "", why);
    return DYVERSE_REFUSED;
}

const char *dyverse_message(const dyverse_model *m) {
    return m->message;
}

static const char *dm_reason(dv_code code) {
    switch (code) {
    case DV_PAUSED: return "too many steps of the integrator in one call: it is too stiff";
    case DV_MAX_EVENTS: return "too many events in one step: perhaps they accumulate";
    case DV_NOT_CONVERGED: return "a computation node did not converge";
    case DV_INCONSISTENT: return "the laws of contact have no solution here";
    case DV_LIVELOCK: return "jumps without end in one instant";
    case DV_DEADLOCK: return "no edge is enabled, but time ends";
    case DV_SOLVER: return "integration stopped: step too small, or a rate is not finite";
    case DV_UNDEFINED: return "a watched signal is not a number";
    case DV_TOO_MANY: return "there is no memory for so many contacts closed at once";
    case DV_STUCK: return "a contact joins bodies that cannot move apart";
    case DV_TIMELOCK: return "an invariant or an urgent place ends, and no edge is enabled";
    case DV_FAULT: return "an assignment that its variable cannot take";
    case DV_CHATTERING: return "a function of the rates changes sides without end, or has none";
    case DV_CRAWLING: return "thousands of steps of the integrator in which hardly any time passes";
    case DV_NO_MEMORY: return "no memory";
    default: return "the engine stopped";
    }
}

/* What a code of the engine means to the caller; a run that has ended stays so. */
static dyverse_status dm_told(dyverse_model *m, dv_code code) {
    if (code == DV_OK || code == DV_HORIZON) return DYVERSE_OK;
    if (code == DV_EVENT) return DYVERSE_EVENT;
    m->ended = 1;
    snprintf(m->message, sizeof m->message, "at t = %.9g s: %s", m->engine->now.time, dm_reason(code));
    return code == DV_NO_MEMORY ? DYVERSE_FAILED : DYVERSE_ENDED;
}

/* Whether the settings can be: see dyverse.native.code.checks. */
static int dm_is_sound(const dyverse_model *m) {
    double check[DM_CHECKS + 1];
    for (int i = 0; i < dm_number_count; i++)
        if (isnan(m->numbers[i])) return 0;
    dm_check(m->setting, check);
    for (int i = 0; i < DM_CHECKS; i++)
        if (!(i < dm_positive ? check[i] > 0.0 : check[i] >= 0.0)) return 0;
    return 1;
}
