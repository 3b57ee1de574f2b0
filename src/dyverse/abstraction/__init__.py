"""Behaviour as formal languages: expressions, automata, labelled transition systems, splitting."""
