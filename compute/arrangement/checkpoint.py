"""Checkpoints: make the state of a dataflow durable, and find it again.

Steps: the batches in memory become files; all files, then their names, are synced; the new manifest is written beside
the old, synced, renamed over the old, and the rename synced; then files that no manifest names are removed. A crash
between any two steps leaves the old state or the new. One process at a time owns the directory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.batch_file import BatchDirectory, BatchFile
from compute.arrangement.batch_footer import CorruptFile
from compute.arrangement.disk import Disk, LocalDisk
from compute.arrangement.layout import Layout, identity_of
from compute.arrangement.manifest import (
    MANIFEST_NAME,
    ArrangementEntry,
    CorruptManifest,
    FileEntry,
    Manifest,
    decode_manifest,
    encode_manifest,
)
from model.time.clock import Randomness, SystemRandomness

_TEMPORARY = f"{MANIFEST_NAME}.temporary"
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class Capture:
    """The contents of a checkpoint to be: by name each arrangement, its sealed batches at the moment of capture, and
    the time from which they are exact."""

    fingerprint: str
    upper: int
    arrangements: Mapping[str, tuple[Arrangement, tuple[ArrangementBatch, ...], int]]


@dataclass(frozen=True, slots=True)
class FoundCheckpoint:
    """The last checkpoint, complete up to `upper`.

    `sinces`: the time from which each stored arrangement is exact.
    `arrangements`: all arrangements; optional arrangements that the checkpoint lacks are empty.
    """

    upper: int
    sinces: Mapping[str, int]
    arrangements: Mapping[str, Arrangement]


@dataclass(frozen=True, slots=True)
class CheckpointSize:
    """The bytes of all files that a checkpoint names, and of the files written for it."""

    bytes: int
    written_bytes: int


def capture(
    fingerprint: str, upper: int, sinces: Mapping[str, int], arrangements: Mapping[str, Arrangement]
) -> Capture:
    """Taken between ticks; it may be written by another thread, while ticks go on. Of an arrangement for which `sinces`
    says nothing only the last time is wanted."""
    captured = {
        name: (each, each.batches, min(sinces.get(name, upper - 1), upper - 1)) for name, each in arrangements.items()
    }
    return Capture(fingerprint, upper, captured)


class ArrangementStore:
    """A directory of checkpoints, made when missing; OSError when that fails."""

    def __init__(self, directory: Path, *, disk: Disk | None = None, randomness: Randomness | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._disk = disk or LocalDisk()
        self._directory = BatchDirectory(directory, self._disk, (randomness or SystemRandomness()).token())
        self._synced: set[str] = set()

    def arrangement(self, layout: Layout) -> Arrangement:
        """Returns an empty arrangement that puts large batches into this directory even before the first checkpoint."""
        return Arrangement(layout, self._directory)

    def take(self, arrangement: Arrangement) -> Arrangement:
        """Returns an arrangement with equal contents, stored in this directory from the next checkpoint on."""
        return arrangement.moved(self._directory)

    def checkpoint(
        self, fingerprint: str, upper: int, sinces: Mapping[str, int], arrangements: Mapping[str, Arrangement]
    ) -> None:
        """Durable on return. OSError when the disk is full or fails: then the last checkpoint stands."""
        self.write(capture(fingerprint, upper, sinces, arrangements))

    def write(self, captured: Capture) -> CheckpointSize:
        """Writes the captured state as a checkpoint; one call at a time."""
        written: list[str] = []
        try:
            filed = self._file_batches(captured, written)
            manifest = _manifest(captured, filed)
            self._write_manifest(manifest)
        except OSError:
            # No manifest names these, and on a full disk their room is needed.
            self._remove([*written, _TEMPORARY])
            raise
        self._install_manifest()
        for arrangement, batches, _ in captured.arrangements.values():
            arrangement.move_to_files(self._directory, {id(b): filed[id(b)] for b in batches if id(b) in filed})
        self._synced = _named(manifest)
        self._directory.remove_garbage(self._synced)
        files = [file for entry in manifest.arrangements.values() for file in entry.files]
        return CheckpointSize(
            sum(file.bytes for file in files), sum(file.bytes for file in files if file.name in written)
        )

    def layouts(self, fingerprint: str) -> Mapping[str, Layout] | None:
        """Returns the layouts of the last checkpoint by name; None for a checkpoint of another dataflow."""
        try:
            manifest = self._read(fingerprint, {}, ())
            return {name: entry.layout for name, entry in manifest.arrangements.items()}
        except (_Unusable, CorruptManifest):
            # Whoever opens it finds out why.
            return None

    def close(self) -> None:
        """Its arrangements are not to be changed any more: merges into files end here."""
        self._directory.close()

    def open(
        self, fingerprint: str, layouts: Mapping[str, Layout], optional: Collection[str] = ()
    ) -> FoundCheckpoint | None:
        """Returns the last checkpoint, if whole and of this dataflow. The checkpoint may lack `optional` arrangements,
        and may have further arrangements.

        Otherwise None, and the directory is emptied: the dataflow has to hydrate anew. OSError when emptying fails.
        """
        try:
            manifest = self._read(fingerprint, layouts, optional)
            arrangements = {
                name: Arrangement(
                    layout, self._directory, tuple(self._directory.open(layout, f) for f in _files(manifest, name))
                )
                for name, layout in layouts.items()
            }
        except _Unusable as reason:
            _log.info("hydrating anew", directory=str(self._directory.path), reason=str(reason))
            self._make_empty()
            return None
        except (CorruptFile, CorruptManifest) as reason:
            _log.warning("hydrating anew", directory=str(self._directory.path), reason=str(reason))
            self._make_empty()
            return None
        # Durable before what it does not name is removed: a crash may have come between its two steps.
        self._disk.sync_directory(self._directory.path)
        self._synced = _named(manifest)
        self._directory.remove_garbage(self._synced)
        sinces = {name: manifest.arrangements[name].since for name in layouts if name in manifest.arrangements}
        for name, since in sinces.items():
            arrangements[name].allow_compaction(since)
        return FoundCheckpoint(manifest.upper, sinces, arrangements)

    def _read(self, fingerprint: str, layouts: Mapping[str, Layout], optional: Collection[str]) -> Manifest:
        try:
            data = (self._directory.path / MANIFEST_NAME).read_bytes()
        except FileNotFoundError:
            raise _Unusable("there is no checkpoint") from None
        manifest = decode_manifest(data)
        if manifest.fingerprint != fingerprint:
            raise _Unusable("the checkpoint is of another dataflow")
        found = {name: (entry.schema, entry.sums) for name, entry in manifest.arrangements.items()}
        wanted = {name: layout for name, layout in layouts.items() if name in found or name not in optional}
        if any(found.get(name) != identity_of(layout) for name, layout in wanted.items()):
            raise _Unusable("the checkpoint has other arrangements")
        return manifest

    def _file_batches(self, captured: Capture, written: list[str]) -> dict[int, ArrangementBatch]:
        """Writes batches in memory to files, and syncs all captured files; returns the batch in a file by the identity
        of the batch in memory.

        Adds the names of new files to `written`.
        """
        filed: dict[int, ArrangementBatch] = {}
        for arrangement, batches, _ in captured.arrangements.values():
            for batch in batches:
                file = batch.file
                if file is None:
                    filed[id(batch)] = in_file = self._directory.write(arrangement.layout, batch.blocks)
                    file = in_file.file
                    assert file is not None
                    written.append(file.name)
                if file.name not in self._synced:
                    self._disk.sync(self._directory.path / file.name)
        self._disk.sync_directory(self._directory.path)
        return filed

    def _write_manifest(self, manifest: Manifest) -> None:
        self._remove([_TEMPORARY])
        temporary = self._directory.path / _TEMPORARY
        with self._disk.create(temporary) as file:
            file.write(encode_manifest(manifest))
        self._disk.sync(temporary)

    def _install_manifest(self) -> None:
        self._disk.rename(self._directory.path / _TEMPORARY, self._directory.path / MANIFEST_NAME)
        self._disk.sync_directory(self._directory.path)

    def _remove(self, names: Iterable[str]) -> None:
        """Removes files as far as possible: files left over are garbage."""
        for name in names:
            with contextlib.suppress(OSError):
                self._disk.remove(self._directory.path / name)

    def _make_empty(self) -> None:
        manifest = self._directory.path / MANIFEST_NAME
        if manifest.exists():
            self._disk.remove(manifest)
        self._directory.remove_garbage(())


class _Unusable(Exception):
    """Why there is nothing to go on from, though nothing is broken."""


def _manifest(captured: Capture, filed: Mapping[int, ArrangementBatch]) -> Manifest:
    entries = {
        name: _entry(arrangement.layout, since, [filed.get(id(batch), batch) for batch in batches])
        for name, (arrangement, batches, since) in captured.arrangements.items()
    }
    return Manifest(captured.fingerprint, captured.upper, entries)


def _entry(layout: Layout, since: int, batches: Iterable[ArrangementBatch]) -> ArrangementEntry:
    schema, sums = identity_of(layout)
    files = (batch.file for batch in batches)
    entries = tuple(FileEntry(f.name, f.rows, f.bytes, f.checksum, f.format) for f in files if f is not None)
    return ArrangementEntry(schema, sums, since, entries)


def _files(manifest: Manifest, name: str) -> list[BatchFile]:
    entry = manifest.arrangements.get(name)
    return [BatchFile(f.name, f.rows, f.bytes, f.checksum, f.format) for f in (() if entry is None else entry.files)]


def _named(manifest: Manifest) -> set[str]:
    return {file.name for entry in manifest.arrangements.values() for file in entry.files}
