"""Functions that wait: only the statement waits, and no thread or process.

Functions are evaluated in places where a wait would stop others, so no function waits by itself: the evaluator of the
query supplies the wait. An evaluator that supplies none raises 0A000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import NotSupported
from planner.functions.system.lock_lookup import AdvisoryLock


@dataclass(frozen=True, slots=True)
class Waits:
    """The ways in which an evaluation waits.

    `sleep`: returns when so many seconds have passed.
    `lock`: returns when the session holds the lock; SqlError 40P01, 55P03. None where no session is known.
    `large_object`: returns what a function of large objects does, called by its name. None without a session, too.
    """

    sleep: Callable[[float], None]
    lock: Callable[[AdvisoryLock], None] | None = None
    large_object: Callable[[str, tuple[Any, ...]], Any] | None = None


_WAITS: ContextVar[Waits | None] = ContextVar("how an evaluation waits", default=None)


@contextmanager
def waiting_by(waits: Waits) -> Iterator[None]:
    """Makes evaluations within this block wait by `waits`."""
    token = _WAITS.set(waits)
    try:
        yield
    finally:
        _WAITS.reset(token)


def sleep(seconds: float) -> None:
    """Waits until so many seconds have passed; raises 0A000 where nothing can wait."""
    waits = _WAITS.get()
    if waits is None:
        raise NotSupported("pg_sleep here")
    if seconds > 0:
        waits.sleep(seconds)


def lock_waiting(lock: AdvisoryLock) -> None:
    """Waits until the session holds the lock; raises 0A000 where nothing can wait for it."""
    waits = _WAITS.get()
    if waits is None or waits.lock is None:
        raise NotSupported("pg_advisory_lock here")
    waits.lock(lock)


def call_large_object(function: str, arguments: tuple[Any, ...]) -> Any:
    """Returns what a function of large objects returns; raises 0A000 where nothing can wait for it."""
    waits = _WAITS.get()
    if waits is None or waits.large_object is None:
        raise NotSupported(f"{function} here")
    return waits.large_object(function, arguments)
