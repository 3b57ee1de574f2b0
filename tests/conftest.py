"""Hypothesis draws the same examples every time on a CI machine; elsewhere it explores.

How long a test takes says more about the machine than about us: no example has a deadline.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ours", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ours")
