"""The native engine: a C runtime, model code generated with CasADi, compiled on first use."""
