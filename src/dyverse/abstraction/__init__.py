"""Long-term behaviour: evidence, words, ω-automata, surveys and maps of it.

`language` and `omega` know words only, `behaviours` says what languages behaviours have, `portrait`
and `evidence` look at runs, and `survey` brings all of it together; `timing` stands for itself.
"""
