"""The hybrid automaton H = (S, E, X, Dom, F, Init, G, R): its interface, states and runs."""
