"""The C code of one model, generated with CasADi: what the runtime calls back."""
