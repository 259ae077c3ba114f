"""The errors of an export, arranged as one group: finds the live errors at a time, and counts the present ones."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.replica.contents.fallible import ERROR_COLUMN
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.time.timestamp import Timestamp

LAYOUT = Layout((), (pa.string(),))


class ErrorLog:
    """The errors of one export, in an arrangement with the layout LAYOUT.

    `live`: the number of errors at the end of the sealed contents, with multiplicities.
    `unsealed`: the number of provisional updates.
    """

    def __init__(self, arrangement: Arrangement, upper: Timestamp) -> None:
        self._arrangement = arrangement
        self._inserted = 0
        self.unsealed = 0
        self.live = sum(_added_up(chunk) for chunk in arrangement.rows(upper - 1)) if arrangement.size.rows else 0

    def insert(self, errors: pa.Table) -> None:
        """Adds errors (`err`, `time`, `diff`), provisionally."""
        zeros = pa.array([0] * errors.num_rows, pa.int64())
        columns = [zeros, errors.column(ERROR_COLUMN), errors.column(TIME_COLUMN), errors.column(DIFF_COLUMN)]
        self._arrangement.insert(pa.table(columns, schema=LAYOUT.schema))
        self._inserted += _added_up(errors)
        self.unsealed += errors.num_rows

    def seal(self) -> None:
        self._arrangement.seal()
        self.live += self._inserted
        self._inserted = self.unsealed = 0

    def discard(self) -> None:
        self._arrangement.discard()
        self._inserted = self.unsealed = 0

    def compact(self, since: Timestamp) -> None:
        """Times before `since` need not be told apart any more."""
        self._arrangement.allow_compaction(since)

    def least(self, as_of: Timestamp) -> str | None:
        """Returns the least error live at `as_of`, as text."""
        if self._arrangement.size.rows == 0:
            return None
        live = [
            pc.min(chunk.filter(pc.greater(chunk.column(DIFF_COLUMN), 0)).column("c0")).as_py()
            for chunk in self._arrangement.rows(as_of)
        ]
        return min((error for error in live if error is not None), default=None)


def _added_up(errors: pa.Table) -> int:
    return int(pc.sum(errors.column(DIFF_COLUMN)).as_py() or 0)
