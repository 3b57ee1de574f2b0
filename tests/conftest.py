"""On a CI machine Hypothesis draws the same examples every time; elsewhere it explores."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
