"""Single rows before and after a transaction's statements: kept for tables under an open cursor's scan.

    UPDATE t SET a = 2 WHERE a = 1      (1, 'x') -> (2, 'x')
    DELETE FROM t WHERE a = 5           (5, 'y') -> None

WHERE CURRENT OF goes on with the newest version of the cursor's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.types.datum import Row

MOVES_MAX = 100_000
"""The most rows of a statement among which WHERE CURRENT OF looks for the cursor's row."""


@dataclass(frozen=True, slots=True)
class Mover:
    """The place of a changed row in a cursor: the cursor, by identity, and a position."""

    cursor: object
    position: int


@dataclass(frozen=True, slots=True)
class RowMoves:
    """Rows before and after one statement, None for the end of a row. `pairs` is None for changes that were not kept
    row by row; `by`: the place of a statement WHERE CURRENT OF."""

    pairs: tuple[tuple[Row, Row | None], ...] | None
    by: Mover | None = None


class MoveLog:
    """Gathers the moves of one statement: old rows, and right after these the new rows, in the same order."""

    def __init__(self) -> None:
        self.by: Mover | None = None
        self._pairs: list[tuple[Row, Row | None]] | None = []
        self._gone: list[Row] = []

    def retract(self, rows: Sequence[Row]) -> None:
        """Notes old rows."""
        self._settle()
        self._gone = list(rows)

    def replace(self, rows: Sequence[Row]) -> None:
        """Notes new rows, in the place of the old rows noted last; without old rows, the new rows are inserted."""
        if self._pairs is not None and self._gone:
            assert len(rows) == len(self._gone), "each row has one in its place"
            self._pairs.extend(zip(self._gone, rows, strict=True))
            self._gone = []
            self._settle()

    def forget(self) -> None:
        """Gives up, because pairs of old and new rows are unknown."""
        self._pairs, self._gone = None, []

    def finish(self) -> RowMoves:
        """Returns all moves."""
        self._settle()
        return RowMoves(None if self._pairs is None else tuple(self._pairs), self.by)

    def _settle(self) -> None:
        if self._pairs is not None:
            self._pairs.extend((row, None) for row in self._gone)
            if len(self._pairs) > MOVES_MAX:
                self._pairs = None
        self._gone = []
