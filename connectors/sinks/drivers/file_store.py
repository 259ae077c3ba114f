"""Where files of changes are kept: hidden until the recovery log names them, then there for ever, whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


class FileStore(Protocol):
    """A place of files, of one session. What it remembers of a staged file is JSON, which the recovery log has.

    Each method may raise one of `failures`, of which `failed` tells a user.
    """

    failures: tuple[type[Exception], ...]

    def open(self, name: str, version: int, staged: Sequence[Any], secrets: Mapping[str, str]) -> None:
        """Makes what is missing, and removes what is staged and not among `staged`. 55000: the place is another sink's
        than `name`'s."""
        ...

    def begin(self, number: int) -> Path:
        """Where the session's file of a number is written, before it is staged."""
        ...

    def stage(self, files: Sequence[tuple[Path, str]]) -> list[Any]:
        """Keeps files durably, hidden, which are to have these names: what is to be remembered of each."""
        ...

    def apply(self, staged: Any) -> bool:
        """Gives a staged file its name, if it hasn't that already. Whether it was staged, or is there."""
        ...

    def applied(self) -> None:
        """All that is to be applied was: makes that durable."""
        ...

    def close(self) -> None:
        """Ends the session. Idempotent."""
        ...

    def failed(self, error: Exception) -> SqlError:
        """What has happened, and where."""
        ...


def another_sinks_files(place: str) -> SqlError:
    """Two sinks would take each other's files for their own."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'"{place}" has files of another sink',
        hint="Choose another place, or remove what is in it.",
    )


def staged_and_gone() -> SqlError:
    """Somebody else has removed it."""
    return SqlError(Sqlstate.IO_ERROR, "a file was staged for its readers, and is not there any more")
