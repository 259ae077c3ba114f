"""Keeps the tables of the initial copy in files that survive the process: after a kill only the incomplete tables are
copied again.

    begin(start) ──▶ keep(table, point, files) …  ──▶ taken and bound ──▶ remove
          ▲                    │ kill -9
          └──── the slot is another one, or was moved ◀── resumed? ──▶ the rest, with points of their own

A manifest lists the files that count: of which tables, and at which point of the WAL each was copied. It is replaced
atomically after the files are on disk; files that it does not list are garbage. If the slot no longer stands at `start`
the copy is useless, since changes are lost.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from connectors.sources.description import PostgresTables
from connectors.sources.spilled import SpilledTables
from model.external.publications import PublishedTable

_MANIFEST, _NEW = "manifest.json", "manifest.new"


class _KeptTable(msgspec.Struct, frozen=True):
    """A table that is kept. `table` is a fingerprint of upstream's table; the files contain all changes that commit
    before `point`."""

    table: str
    point: int
    files: tuple[str, ...]


class _Manifest(msgspec.Struct, frozen=True):
    """The tables that have been copied to files. `start` is where the slot stands, from which on the stream goes on."""

    system: str
    start: int
    tables: dict[str, _KeptTable]


class Copies:
    """The copies for one slot. Only one thread changes the copies at a time; a file belongs to the writer until
    `keep`."""

    def __init__(self, root: Path, place: PostgresTables) -> None:
        self._directory = root / place.slot
        self._system = f"{place.system.identifier}/{place.system.timeline}"
        self._manifest = _Manifest(self._system, 0, {})
        self._numbers = 0

    def resume(self, start: int, tables: Iterable[PublishedTable]) -> bool:
        """Tells whether there is a usable copy, begun where the slot stands; tables that have changed since are
        dropped from it."""
        try:
            found = msgspec.json.decode((self._directory / _MANIFEST).read_bytes(), type=_Manifest)
        except (FileNotFoundError, msgspec.DecodeError):
            return False
        if (found.system, found.start) != (self._system, start):
            return False
        known = {table.full_name: fingerprint(table) for table in tables}
        kept = {name: each for name, each in found.tables.items() if known.get(name) == each.table}
        self._manifest = _Manifest(self._system, start, kept)
        named = {file for each in kept.values() for file in each.files} | {_MANIFEST}
        for path in self._directory.iterdir():
            if path.name not in named:
                path.unlink()
        self._numbers = max((int(name.partition(".")[0]) for name in named - {_MANIFEST}), default=-1) + 1
        return True

    def begin(self, start: int) -> None:
        """Drops everything kept; the stream will continue from `start`."""
        shutil.rmtree(self._directory, ignore_errors=True)
        self._directory.mkdir(parents=True)
        self._numbers = 0
        self._write(_Manifest(self._system, start, {}))

    @property
    def start(self) -> int:
        return self._manifest.start

    @property
    def points(self) -> Mapping[str, int]:
        """Returns the points of the tables kept."""
        return {name: each.point for name, each in self._manifest.tables.items()}

    def new_file(self) -> Path:
        self._numbers += 1
        return self._directory / f"{self._numbers - 1}.arrow"

    def keep(self, table: PublishedTable, point: int, files: Sequence[Path]) -> None:
        """Keeps a complete table in these files, which are on disk."""
        kept = _KeptTable(fingerprint(table), point, tuple(path.name for path in files))
        self._write(_Manifest(self._system, self.start, {**self._manifest.tables, table.full_name: kept}))

    def rows(self, name: str) -> list[pa.Table]:
        """Returns the rows of a table, which lie in the files, as changes."""
        kept = self._manifest.tables.get(name)
        files = () if kept is None else kept.files
        return [pa.ipc.open_file(pa.memory_map(str(self._directory / file))).read_all() for file in files]

    def remove(self) -> None:
        """Removes the copies, when all is bound; files mapped into memory stay readable."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def _write(self, manifest: _Manifest) -> None:
        new = self._directory / _NEW
        with new.open("wb") as file:
            file.write(msgspec.json.encode(manifest))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._directory / _MANIFEST)
        self._manifest = manifest


class CopiedRows(SpilledTables):
    """The copied rows, followed by the stream's changes of their tables, until all tables are at the same point."""

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies
        self._names = set(copies.points)

    def forget(self, name: str) -> None:
        super().forget(name)
        self._names.discard(name)

    def taken(self) -> Mapping[str, pa.Table]:
        tables = {name: self._copies.rows(name) for name in self._names}
        for name, streamed in super().taken().items():
            tables.setdefault(name, []).append(streamed)
        return {name: pa.concat_tables(each) for name, each in tables.items() if each}


def fingerprint(table: PublishedTable) -> str:
    """Returns a text that differs for tables that are copied differently."""
    return hashlib.sha256(repr(table).encode()).hexdigest()


def retain_copies(root: Path, slots: Iterable[str]) -> None:
    """Removes the copies of slots other than these (and than slots whose names begin with theirs)."""
    wanted = tuple(slots)
    for path in root.iterdir() if root.exists() else ():
        if not path.name.startswith(wanted) and (path / _MANIFEST).exists():
            shutil.rmtree(path, ignore_errors=True)
