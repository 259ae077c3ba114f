"""An index's rows as an input of a plan on Spark: made when a plan asks, and again when the index has changed since.

They are taken out of the arrangement as of the plan's time, as literal rows when they are few, else as a file.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import weakref
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from compute.maintain.change import Change, gathered_change
from compute.protocol.dataflow import IndexImport
from compute.replica.contents.shard_contents import expand
from compute.replica.dataflows.exports.index_sink import IndexSink
from compute.replica.peeks.index_peeks import complete_index, rows_by_key
from compute.replica.running.cache import RecentlyUsed
from compute.replica.tasks.dataflows import Dataflows
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from model.time.timestamp import Timestamp

_KEPT_MAX = 8
_KEYS = itertools.count()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArrangedRows:
    """The rows of an index as a plan's Get of `id` reads them. `key` identifies exactly these rows. Their file lives
    as long as the object."""

    id: GlobalId
    rows: Change
    bytes: int
    key: Hashable


class ArrangedInputs:
    """Keeps the most recently read index contents. `directory` takes files, readable by Spark's executors."""

    def __init__(self, dataflows: Dataflows, directory: Path) -> None:
        self._dataflows = dataflows
        self._directory = directory
        self._kept: RecentlyUsed[ArrangedRows] = RecentlyUsed(_KEPT_MAX)

    async def rows(self, item: IndexImport, as_of: Timestamp) -> ArrangedRows:
        """Returns the index's rows at `as_of`, once the index is complete there. SqlError: the least live error, or
        PeekIndex's."""
        index = await complete_index(item.index, as_of, self._dataflows)
        version = item.id, index.version(as_of)
        known = self._kept.get(version)
        if known is None:
            known = await self._dataflows.places.runner.run(lambda: self._taken(item, index, as_of))
            self._kept.put(version, known)
        return known

    def _taken(self, item: IndexImport, index: IndexSink, as_of: Timestamp) -> ArrangedRows:
        directory = tempfile.mkdtemp(dir=self._directory, prefix="arranged-")
        try:
            chunks = map(expand, rows_by_key(index, as_of))
            rows = gathered_change(chunks, arrow_schema(item.desc), Path(directory))
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        files = sum(path.stat().st_size for path in Path(directory).iterdir())
        size = files if rows.table is None else rows.table.nbytes
        taken = ArrangedRows(item.id, rows, size, ("arranged", next(_KEYS)))
        weakref.finalize(taken, shutil.rmtree, directory, ignore_errors=True)
        return taken
