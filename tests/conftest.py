"""Hypothesis draws the same examples every time on a CI machine; elsewhere it explores.

How long a test takes says more about the machine than about us: no example has a deadline.
Threads of BLAS wait for each other where workers share processors, and our matrices are small.
A shell lets what it starts in the background ignore Ctrl-C; tests send it, and count on it.
"""

from __future__ import annotations

import os
import signal

from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

settings.register_profile("ours", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ours")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
