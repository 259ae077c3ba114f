"""Changes that are too many for memory: written to files that nobody else sees, and mapped into memory.

The files have no names, so that nothing is left of them when the process ends, however it does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import IO

import pyarrow as pa


class SpilledTables:
    """Of one transaction, or of many. `close` what isn't taken."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[IO[bytes], pa.ipc.RecordBatchFileWriter]] = {}
        self.emptied: set[str] = set()

    def add(self, name: str, changes: pa.Table) -> None:
        """They come behind what is there of the table."""
        if name not in self._files:
            file = tempfile.TemporaryFile(prefix="headwater-")  # noqa: SIM115  (`taken` or `close` ends it)
            self._files[name] = (file, pa.ipc.new_file(file, changes.schema))
        self._files[name][1].write_table(changes)

    def forget(self, name: str) -> None:
        """What is there of the table no longer counts."""
        if name in self._files:
            file, writer = self._files.pop(name)
            writer.close()
            file.close()

    def empty(self, name: str) -> None:
        """The table was emptied: nothing of it counts, and nothing that was before."""
        self.forget(name)
        self.emptied.add(name)

    def follow(self, later: SpilledTables) -> None:
        """What is there comes behind; it is taken."""
        for name in later.emptied:
            self.empty(name)
        for name, changes in later.taken().items():
            self.add(name, changes)

    def taken(self) -> Mapping[str, pa.Table]:
        """All of it, as tables that lie in the files."""
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
