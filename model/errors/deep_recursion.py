"""Room for what is written as deep as PostgreSQL allows: some 4,800 operators in each other.

What walks expressions recurses into them, and some of it goes through C, which needs the thread's stack. So the limit
of Python's frames and the stacks belong together: a thread that had a small one would end the process.
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
    """For the whole process, before it starts threads. The main thread's stack grows up to what is allowed when it
    grows; where so much is not allowed, the limit of frames stays as it was."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < _STACK_BYTES:
        if hard != resource.RLIM_INFINITY and hard < _STACK_BYTES:
            return
        resource.setrlimit(resource.RLIMIT_STACK, (_STACK_BYTES, hard))
    threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_FRAMES_MAX)


def too_deep() -> SqlError:
    """54001, of what was written deeper than that."""
    return SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
