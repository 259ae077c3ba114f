"""Keeps changes that are too many for memory in files of this process, mapped into memory for reading.

The files have no names, so nothing is left of them when the process ends, even by a kill.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import IO

import pyarrow as pa


class SpilledTables:
    """Changes of one transaction or of several, by table. Call `taken`, or `close`."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[IO[bytes], pa.ipc.RecordBatchFileWriter]] = {}
        self.emptied: set[str] = set()

    def add(self, name: str, changes: pa.Table) -> None:
        """Appends changes of a table."""
        if name not in self._files:
            file = tempfile.TemporaryFile(prefix="headwater-")  # noqa: SIM115  (`taken` or `close` ends it)
            self._files[name] = (file, pa.ipc.new_file(file, changes.schema))
        self._files[name][1].write_table(changes)

    def forget(self, name: str) -> None:
        """Drops the changes of a table."""
        if name in self._files:
            file, writer = self._files.pop(name)
            writer.close()
            file.close()

    def empty(self, name: str) -> None:
        """Notes that a table was truncated, and drops its changes."""
        self.forget(name)
        self.emptied.add(name)

    def follow(self, later: SpilledTables) -> None:
        """Appends the changes of another one, which is emptied."""
        for name in later.emptied:
            self.empty(name)
        for name, changes in later.taken().items():
            self.add(name, changes)

    def taken(self) -> Mapping[str, pa.Table]:
        """Returns all changes, as tables mapped from the files, and drops them here."""
        tables = {}
        for name, (file, writer) in self._files.items():
            writer.close()
            file.flush()
            with file:
                tables[name] = pa.ipc.open_file(pa.memory_map(f"/proc/self/fd/{file.fileno()}")).read_all()
        self._files = {}
        return tables

    def close(self) -> None:
        for name in list(self._files):
            self.forget(name)
