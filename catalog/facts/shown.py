"""Prints texts of objects for readers of the catalog; a text that fails spoils only its own cell.

A reader of pg_class does not name the object whose text fails, and could do nothing about it.

    shown(create_sql, state, item)      the statement, or "(cannot be shown: KeyError)"
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ParamSpec

import structlog

from planner.ir.steps import StepsSpent

P = ParamSpec("P")

_LOG = structlog.get_logger()
_LOGGED_MAX = 1_000


@dataclass(frozen=True, slots=True)
class UnshownText:
    """A text that could not be made: the function that failed, and the defect with its trace."""

    maker: str
    defect: str


_logged: set[UnshownText] = set()
_noted: ContextVar[list[UnshownText] | None] = ContextVar("noted", default=None)


def shown(make: Callable[P, str], *arguments: P.args, **named: P.kwargs) -> str:
    """Returns the result of `make`, or a text with the kind of the defect (not its message, which may contain a
    value)."""
    try:
        return make(*arguments, **named)
    except (MemoryError, StepsSpent):
        raise
    except Exception as defect:  # noqa: BLE001 - a defect in one object's text must not close the catalog to everyone
        note_unshown(f"{make.__module__}.{make.__qualname__}", defect)
        return f"(cannot be shown: {type(defect).__name__})"


def note_unshown(maker: str, defect: Exception) -> None:
    """Logs a defect, or collects it where `noting` is active."""
    unshown, noted = UnshownText(maker, "".join(traceback.format_exception(defect))), _noted.get()
    if noted is None:
        log_unshown(unshown)
    elif unshown not in noted and len(noted) < _LOGGED_MAX:
        noted.append(unshown)


def log_unshown(unshown: UnshownText) -> None:
    """Logs a defect once: a catalog is read again and again."""
    if unshown not in _logged and len(_logged) < _LOGGED_MAX:
        _logged.add(unshown)
        _LOG.error("a text of the catalog cannot be made", maker=unshown.maker, exception=unshown.defect)


@contextmanager
def noting() -> Iterator[list[UnshownText]]:
    """Collects the texts that fail meanwhile, each once, instead of logging them."""
    noted: list[UnshownText] = []
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)
