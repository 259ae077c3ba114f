"""Where a replica's states are kept: in directories of its disk, or in blob, where its disk is a cache."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from compute.arrangement.blob.states import BlobStates
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.copying import copy_state, state_in
from compute.arrangement.disk import LocalDisk
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.siblings import StatesPlace
from compute.replica.dataflows.shelf import Shelf, shelf_names

Moved = Callable[[str], None]
"""Is told, on the event loop, that another process owns the states now, and why that is known."""


class States(Protocol):
    """The kept states of dataflows. Each method may block, but for `moved`."""

    moved: Moved

    def store(self, shelf: Shelf) -> ArrangementStore:
        """Returns the store of the state on a shelf. Raises OSError."""
        ...

    def know_siblings(self, siblings: Mapping[str, StatesPlace]) -> None:
        """Notes where all replicas of the cluster keep states."""
        ...

    def copy(self, shelf: Shelf, fingerprint: str) -> str | None:
        """Puts a copy of a sibling's state of the dataflow `fingerprint` on a shelf; returns the sibling. None when no
        sibling has a state, or when this process has deleted the state, which is to be made anew. Raises OSError."""
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
        self._siblings: Mapping[str, Path] = {}
        self._anew: set[str] = set()

    def know_siblings(self, siblings: Mapping[str, StatesPlace]) -> None:
        directories = {name: Path(place.directory) for name, place in siblings.items() if place.directory}
        # One that the list does not name is on another host.
        own = any(each == self.root.absolute() for each in directories.values())
        self._siblings = {name: each for name, each in directories.items() if own and each != self.root.absolute()}

    def copy(self, shelf: Shelf, fingerprint: str) -> str | None:
        names = [each for each in (shelf.name, shelf.alone) if each is not None]
        if not self._anew.isdisjoint(names):
            return None
        found = [
            (sibling, state)
            for sibling, root in self._siblings.items()
            for name in names
            if (state := state_in(root / name, fingerprint)) is not None
        ]
        for sibling, state in sorted(found, key=lambda each: -each[1].upper):
            if copy_state(state, self.root / shelf.name, LocalDisk()) is not None:
                return sibling
        return None

    def store(self, shelf: Shelf) -> ArrangementStore:
        directory = self.root / shelf.name
        if shelf.alone is not None and not directory.exists() and (self.root / shelf.alone).exists():
            # Others may come to it from here on, and look for it by the name that is theirs, too.
            (self.root / shelf.alone).rename(directory)
        return local_store(directory)

    def delete(self, name: str) -> None:
        self._anew.add(name)
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
        self._siblings: Mapping[str, str] = {}
        self._anew: set[str] = set()

    def know_siblings(self, siblings: Mapping[str, StatesPlace]) -> None:
        names = {name: place.in_blob for name, place in siblings.items()}
        self._siblings = {in_blob: name for name, in_blob in names.items() if in_blob not in ("", self._blob.replica)}

    def copy(self, shelf: Shelf, fingerprint: str) -> str | None:
        if not self._siblings or shelf.name in self._anew:
            return None
        copied = self._blob.copy(shelf.name, fingerprint, list(self._siblings))
        return None if copied is None else self._siblings[copied]

    def store(self, shelf: Shelf) -> ArrangementStore:
        return self._blob.store(shelf.name)

    def delete(self, name: str) -> None:
        self._anew.add(name)
        self._blob.delete(name)

    def retain(self, descriptions: Iterable[DataflowDescription]) -> None:
        self._blob.retain(_names(descriptions))


def _names(descriptions: Iterable[DataflowDescription]) -> set[str]:
    return {name for description in descriptions for name in shelf_names(description)}
