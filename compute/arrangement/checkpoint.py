"""Checkpoints: make the state of a dataflow durable, and find it again.

Steps: the batches in memory become files; all files are made durable; the new manifest takes the place of the old by
compare-and-set; then files that no manifest names are removed. A crash between any two steps leaves the old state or
the new. Of two processes that go on from one manifest the second to replace it fails, with ManifestMoved, and what it
wrote is removed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile, CorruptFile
from compute.arrangement.batch_file import BatchDirectory
from compute.arrangement.disk import Disk, LocalDisk
from compute.arrangement.layout import Layout, identity_of
from compute.arrangement.manifest import (
    ArrangementEntry,
    CorruptManifest,
    FileEntry,
    Manifest,
    decode_manifest,
    encode_manifest,
)
from compute.arrangement.manifest_file import ManifestFile
from compute.arrangement.stores import BatchStore, ManifestStore, ManifestUnclear, open_batch, write_batch
from model.time.clock import Randomness, SystemRandomness

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
    """Captures the state between ticks; another thread may write the capture, while ticks go on. Of an arrangement for
    which `sinces` says nothing only the last time is wanted."""
    captured = {
        name: (each, each.batches, min(sinces.get(name, upper - 1), upper - 1)) for name, each in arrangements.items()
    }
    return Capture(fingerprint, upper, captured)


class ArrangementStore:
    """The checkpoints of one dataflow: files of batches, and the manifest that names them. `place` tells logs where
    that is."""

    def __init__(self, batches: BatchStore, manifests: ManifestStore, place: str) -> None:
        self._batches = batches
        self._manifests = manifests
        self._place = place

    def arrangement(self, layout: Layout, *, bounded: bool = False) -> Arrangement:
        """Returns an empty arrangement that puts large batches into this store even before the first checkpoint;
        `bounded` as an Arrangement is."""
        return Arrangement(layout, self._batches, bounded=bounded)

    def take(self, arrangement: Arrangement) -> Arrangement:
        """Returns an arrangement with equal contents, stored here from the next checkpoint on."""
        return arrangement.moved(self._batches)

    def checkpoint(
        self, fingerprint: str, upper: int, sinces: Mapping[str, int], arrangements: Mapping[str, Arrangement]
    ) -> None:
        """Writes a checkpoint, durable on return. Raises OSError when the store is full or fails, or when another
        process has gone on from the last checkpoint: then the last checkpoint stands."""
        self.write(capture(fingerprint, upper, sinces, arrangements))

    def write(self, captured: Capture) -> CheckpointSize:
        """Writes the captured state as a checkpoint; one call at a time."""
        written: list[str] = []
        try:
            filed = self._file_batches(captured, written)
            manifest = _manifest(captured, filed)
            self._manifests.replace(encode_manifest(manifest))
        except ManifestUnclear:
            raise
        except OSError:
            # No manifest names these, and on a full disk their room is needed.
            self._batches.remove(written)
            raise
        for arrangement, batches, _ in captured.arrangements.values():
            arrangement.move_to_files(self._batches, {id(b): filed[id(b)] for b in batches if id(b) in filed})
        self._batches.remove_garbage(_named(manifest))
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
        """Closes the state: its arrangements are not to be changed any more, and merges into files end here."""
        self._batches.close()

    def open(
        self, fingerprint: str, layouts: Mapping[str, Layout], optional: Collection[str] = ()
    ) -> FoundCheckpoint | None:
        """Returns the last checkpoint, if whole and of this dataflow. The checkpoint may lack `optional` arrangements,
        and may have further arrangements.

        Otherwise None, and the store is emptied: the dataflow has to hydrate anew. Raises OSError when emptying fails.
        """
        try:
            manifest = self._read(fingerprint, layouts, optional)
            arrangements = {
                name: Arrangement(
                    layout,
                    self._batches,
                    tuple(open_batch(self._batches, layout, files) for files in _files(manifest, name)),
                )
                for name, layout in layouts.items()
            }
        except _Unusable as reason:
            _log.info("hydrating anew", place=self._place, reason=str(reason))
            self._make_empty()
            return None
        except (CorruptFile, CorruptManifest) as reason:
            _log.warning("hydrating anew", place=self._place, reason=str(reason))
            self._make_empty()
            return None
        self._batches.remove_garbage(_named(manifest))
        sinces = {name: manifest.arrangements[name].since for name in layouts if name in manifest.arrangements}
        for name, since in sinces.items():
            arrangements[name].allow_compaction(since)
        return FoundCheckpoint(manifest.upper, sinces, arrangements)

    def _read(self, fingerprint: str, layouts: Mapping[str, Layout], optional: Collection[str]) -> Manifest:
        data = self._manifests.read()
        if data is None:
            raise _Unusable("there is no checkpoint")
        manifest = decode_manifest(data)
        if manifest.fingerprint != fingerprint:
            raise _Unusable("the checkpoint is of another dataflow")
        found = {name: (entry.schema, entry.sums) for name, entry in manifest.arrangements.items()}
        wanted = {name: layout for name, layout in layouts.items() if name in found or name not in optional}
        if any(found.get(name) != identity_of(layout) for name, layout in wanted.items()):
            raise _Unusable("the checkpoint has other arrangements")
        return manifest

    def _file_batches(self, captured: Capture, written: list[str]) -> dict[int, ArrangementBatch]:
        """Writes batches in memory to files, and makes all captured files durable; returns the batch in a file by the
        identity of the batch in memory.

        Adds the names of new files to `written`.
        """
        filed: dict[int, ArrangementBatch] = {}
        files: list[BatchFile] = []
        for arrangement, batches, _ in captured.arrangements.values():
            for batch in batches:
                in_files = batch
                if not batch.files:
                    filed[id(batch)] = in_files = write_batch(self._batches, arrangement.layout, batch.blocks)
                    written += (file.name for file in in_files.files)
                files += in_files.files
        self._batches.make_durable(files)
        return filed

    def _make_empty(self) -> None:
        self._manifests.clear()
        self._batches.remove_garbage(())


def local_store(directory: Path, *, disk: Disk | None = None, randomness: Randomness | None = None) -> ArrangementStore:
    """Returns a store in a directory of its own, which is made when missing. Raises OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    disk = disk or LocalDisk()
    batches = BatchDirectory(directory, disk, (randomness or SystemRandomness()).token())
    return ArrangementStore(batches, ManifestFile(directory, disk), str(directory))


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
    placed = ((file, number > 0) for batch in batches for number, file in enumerate(batch.files))
    entries = tuple(FileEntry(f.name, f.rows, f.bytes, f.checksum, f.format, goes_on) for f, goes_on in placed)
    return ArrangementEntry(schema, sums, since, entries)


def _files(manifest: Manifest, name: str) -> list[list[BatchFile]]:
    """Returns the files of each batch."""
    batches: list[list[BatchFile]] = []
    entry = manifest.arrangements.get(name)
    for each in () if entry is None else entry.files:
        file = BatchFile(each.name, each.rows, each.bytes, each.checksum, each.format)
        if each.goes_on and batches:
            batches[-1].append(file)
        else:
            batches.append([file])
    return batches


def _named(manifest: Manifest) -> set[str]:
    return {file.name for entry in manifest.arrangements.values() for file in entry.files}
