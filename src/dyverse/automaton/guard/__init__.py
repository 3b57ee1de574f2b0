"""How formulas are read along a flow: truth, robustness, arrival, waiting."""
