"""Gives the process room for expressions as deep as PostgreSQL allows: some 4,800 nested operators.

Functions that walk expressions are recursive, and some pass through C, which uses the thread's stack. So Python's limit
of frames and the size of stacks must fit together: a thread with a small stack would crash the process.
"""

from __future__ import annotations

import resource
import sys
import threading

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_FRAMES_MAX = 30_000
_STACK_BYTES = 64 << 20
"""Of address space; a frame that goes through C takes a kilobyte."""


def allow_deep_recursion() -> None:
    """Raises the limits for the whole process; call it before threads start. The main thread's stack grows up to the
    system's limit; where that is too low, Python's limit of frames stays unchanged."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < _STACK_BYTES:
        if hard != resource.RLIM_INFINITY and hard < _STACK_BYTES:
            return
        resource.setrlimit(resource.RLIMIT_STACK, (_STACK_BYTES, hard))
    threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_FRAMES_MAX)


def too_deep() -> SqlError:
    """Returns the error 54001, for an expression that is too deep."""
    return SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
