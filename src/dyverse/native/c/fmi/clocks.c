/* Clocks of FMI 3.0: there are none. */

FMI3_FUNCTION(fmi3Status, fmi3GetClock,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, fmi3Clock value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetClock,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count,
               const fmi3Clock value[])) {
    (void)vr;
    (void)value;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3GetIntervalDecimal,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, fmi3Float64 interval[],
               fmi3IntervalQualifier qualifier[])) {
    (void)vr;
    (void)interval;
    (void)qualifier;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3GetIntervalFraction,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, fmi3UInt64 counter[],
               fmi3UInt64 resolution[], fmi3IntervalQualifier qualifier[])) {
    (void)vr;
    (void)counter;
    (void)resolution;
    (void)qualifier;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3GetShiftDecimal,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, fmi3Float64 shift[])) {
    (void)vr;
    (void)shift;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3GetShiftFraction,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count, fmi3UInt64 counter[],
               fmi3UInt64 resolution[])) {
    (void)vr;
    (void)counter;
    (void)resolution;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetIntervalDecimal,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count,
               const fmi3Float64 interval[])) {
    (void)vr;
    (void)interval;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetIntervalFraction,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count,
               const fmi3UInt64 counter[], const fmi3UInt64 resolution[])) {
    (void)vr;
    (void)counter;
    (void)resolution;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetShiftDecimal,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count,
               const fmi3Float64 shift[])) {
    (void)vr;
    (void)shift;
    return f_none(c, count);
}

FMI3_FUNCTION(fmi3Status, fmi3SetShiftFraction,
              (fmi3Instance c, const fmi3ValueReference vr[], size_t count,
               const fmi3UInt64 counter[], const fmi3UInt64 resolution[])) {
    (void)vr;
    (void)counter;
    (void)resolution;
    return f_none(c, count);
}
