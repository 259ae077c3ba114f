"""The interface of a store of files of changes: a file is hidden until the recovery log names it, then visible for
ever, complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


class FileStore(Protocol):
    """A place where one session stores files. The notes on a staged file are JSON, which the recovery log keeps.

    Every method may raise one of `failures`, which `failed` turns into an error for users.
    """

    failures: tuple[type[Exception], ...]

    def open(self, name: str, version: int, staged: Sequence[Any], secrets: Mapping[str, str]) -> None:
        """Opens the place: creates what is missing, and removes staged files that are not among `staged`. Raises
        55000 where the place belongs to a sink of another name."""
        ...

    def begin(self, number: int) -> Path:
        """Returns the path to write the session's file number `number` to, before it is staged."""
        ...

    def stage(self, files: Sequence[tuple[Path, str]]) -> list[Any]:
        """Stores files durably, still hidden, to appear later under these names; returns the note on each for the
        log."""
        ...

    def apply(self, staged: Any) -> bool:
        """Gives a staged file its final name, unless it has it already. Tells whether the file was found, staged or
        under its name."""
        ...

    def applied(self) -> None:
        """Makes the files named by `apply` durable, once all of a transaction have their names."""
        ...

    def close(self) -> None:
        """Ends the session. Idempotent."""
        ...

    def failed(self, error: Exception) -> SqlError:
        """Describes an error of the store for users."""
        ...


def another_sinks_files(place: str) -> SqlError:
    """Returns the error for a place that has another sink's files: each sink would take the other's files for its
    own."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'"{place}" has files of another sink',
        hint="Choose another place, or remove what is in it.",
    )


def staged_and_gone() -> SqlError:
    """Returns the error for a staged file that somebody else has removed."""
    return SqlError(Sqlstate.IO_ERROR, "a file was staged for its readers, and is not there any more")
