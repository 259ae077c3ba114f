"""Notes about dataflows beside their states, for later processes: how often the JVM was ended because Spark's planner
did not come to an end with a dataflow among others, and how often in succession tasks have failed at its ticks."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

import compute
import model
import planner.functions
import planner.interpret
import planner.ir
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.shelf import computed_name

_ROOMS = (compute, planner.functions, planner.interpret, planner.ir, model)


@functools.cache
def code_digest() -> str:
    """Returns a digest of the code that plans dataflows."""
    folders = (Path(folder) for room in _ROOMS for folder in room.__path__)
    return sources_digest((folder, source) for folder in folders for source in sorted(folder.rglob("*.py")))


def sources_digest(sources: Iterable[tuple[Path, Path]]) -> str:
    """Returns another digest whenever a source has another place below its folder, or another content. Raises
    OSError."""
    digest = hashlib.sha256()
    for folder, source in sources:
        content = source.read_bytes()
        digest.update(f"{source.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.hexdigest()


class DataflowNote:
    """A number about a dataflow, of one `kind`. Notes of other code count for nothing: with new code the dataflow may
    fare better."""

    def __init__(self, root: Path, description: DataflowDescription, kind: str) -> None:
        # Beside the directories, in which what no manifest names is removed.
        self._path = root / f"{computed_name(description)}.{kind}"
        self._number: int | None = None

    def read(self) -> int:
        """Returns the number, 0 without a note. Raises OSError."""
        if self._number is None:
            self._number = 0
            with contextlib.suppress(FileNotFoundError, ValueError):
                of, number = self._path.read_text().split()
                self._number = int(number) if of == code_digest() else 0
        return self._number

    def put(self, number: int) -> None:
        """Writes the number. Raises OSError."""
        if number == self.read():
            return
        if number:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(f"{code_digest()} {number}")
        else:
            self._path.unlink(missing_ok=True)
        self._number = number

    def once_more(self) -> None:
        """Adds one to the number. Raises OSError."""
        self.put(self.read() + 1)
