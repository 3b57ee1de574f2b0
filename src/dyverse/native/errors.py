"""Why there is no native engine; the caller runs the reference engine instead, and says so."""

from __future__ import annotations

from dyverse.errors import SolverError


class NativeError(SolverError):
    """The native engine cannot be used here; the message is one line."""


class NoCompilerError(NativeError):
    """There is no C compiler."""

    def __init__(self, command: str) -> None:
        self.command = command
        super().__init__(f"no C compiler: {command!r} not found (set CC)")


class CompileError(NativeError):
    """The compiler refused, or there was no place for its result."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the native engine could not be compiled: {reason}")
