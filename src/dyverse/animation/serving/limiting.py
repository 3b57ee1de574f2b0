"""What a process that runs somebody's model may use: memory, and processor time."""

from __future__ import annotations

import signal
import sys
from pathlib import Path


def deaf() -> None:
    """Ctrl-C is for the server, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def limit_memory(size: int) -> None:
    """Let the process have at most ``size`` bytes more; where that cannot be said, no limit."""
    if sys.platform == "linux":
        import resource

        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
        used = int(pages) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + size, used + size))


def limit_work(seconds: float) -> None:
    """Let the process work for so long (s of processor time), then end it."""
    if sys.platform != "win32":
        import resource

        most = int(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
