"""Where a replica's states are kept: in directories of its disk, or in blob, where its disk is a cache."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from compute.arrangement.blob.states import BlobStates
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.shelf import Shelf, shelf_names

Moved = Callable[[str], None]
"""Is told, on the event loop, that another process owns the states now, and why that is known."""


class States(Protocol):
    """Each may block, but for `moved`."""

    moved: Moved

    def store(self, shelf: Shelf) -> ArrangementStore:
        """Returns the store of the state on a shelf. Raises OSError."""
        ...

    def delete(self, name: str) -> None:
        """Deletes the state at `name` as far as possible; remains are deleted at the next `retain`."""
        ...

    def retain(self, descriptions: Iterable[DataflowDescription]) -> None:
        """Deletes the states of all other dataflows."""
        ...


def _nobody(reason: str) -> None:
    """Tells nobody."""


class LocalStates:
    """A directory below `root` for each state, beside notes of planning. Their process holds a lock on it, so no other
    owns them meanwhile."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.moved: Moved = _nobody

    def store(self, shelf: Shelf) -> ArrangementStore:
        directory = self.root / shelf.name
        if shelf.alone is not None and not directory.exists() and (self.root / shelf.alone).exists():
            # Others may come to it from here on, and look for it by the name that is theirs, too.
            (self.root / shelf.alone).rename(directory)
        return local_store(directory)

    def delete(self, name: str) -> None:
        shutil.rmtree(self.root / name, ignore_errors=True)

    def retain(self, descriptions: Iterable[DataflowDescription]) -> None:
        wanted = _names(descriptions)
        for path in self.root.iterdir() if self.root.exists() else ():
            if path.stem in wanted:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


class StatesInBlob:
    """States of a replica in blob. A state computed alone begins anew when others come to it."""

    def __init__(self, blob: BlobStates, moved: Moved) -> None:
        self.moved = moved
        self._blob = blob

    def store(self, shelf: Shelf) -> ArrangementStore:
        return self._blob.store(shelf.name)

    def delete(self, name: str) -> None:
        self._blob.delete(name)

    def retain(self, descriptions: Iterable[DataflowDescription]) -> None:
        self._blob.retain(_names(descriptions))


def _names(descriptions: Iterable[DataflowDescription]) -> set[str]:
    return {name for description in descriptions for name in shelf_names(description)}
