"""Notes of dataflows that Spark's planner did not come to an end with, beside their states."""

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


class PlanningNote:
    """Counts the JVMs ended because of endless planning, of this dataflow among others, over earlier processes.
    Notes of other code count for nothing: new code may plan the dataflow."""

    def __init__(self, root: Path, description: DataflowDescription) -> None:
        # Beside the directories, in which what no manifest names is removed.
        self._path = root / f"{computed_name(description)}.stuck"
        self._times: int | None = None

    @property
    def times(self) -> int:
        """Raises OSError."""
        if self._times is None:
            self._times = 0
            with contextlib.suppress(FileNotFoundError, ValueError):
                of, times = self._path.read_text().split()
                self._times = int(times) if of == code_digest() else 0
        return self._times

    def once_more(self) -> None:
        """Counts one more time. Raises OSError."""
        self._times = self.times + 1
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(f"{code_digest()} {self._times}")

    def forget(self) -> None:
        """Forgets the count after successful planning. Raises OSError."""
        if self.times:
            self._times = 0
            self._path.unlink(missing_ok=True)
