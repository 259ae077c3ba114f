"""Kinds of stores of state, so that one law runs on all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.disk import LocalDisk
from compute.arrangement.manifest_file import ManifestFile
from compute.arrangement.stores import ManifestStore

StoreMaker = Callable[[], ArrangementStore]
"""Makes another process's store of the same state."""
ManifestMaker = Callable[[], ManifestStore]


def manifest_file(directory: Path) -> ManifestMaker:
    return lambda: ManifestFile(directory, LocalDisk())


def local(directory: Path) -> StoreMaker:
    return lambda: local_store(directory)
