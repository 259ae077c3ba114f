"""Checks that each row of a table is updated or deleted by one part of a statement alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.relation_desc import RelationDesc

_ROWS_MAX = 1_000_000


class TouchedRows:
    """The rows touched so far. Parts read the table as of before all of them, so equal rows are the same for each
    part."""

    def __init__(self, desc: RelationDesc) -> None:
        self._identity = identity_key(desc.types)
        self._earlier: set[Any] = set()
        self._own: set[Any] = set()

    def begin_part(self) -> None:
        self._earlier |= self._own
        self._own = set()

    def add(self, rows: Iterable[Row]) -> None:
        """Adds the rows that a part changes. Raises 0A000 for a row of another part, where PostgreSQL would let chance
        decide."""
        for key in map(self._identity, rows):
            if key in self._earlier:
                hint = "Write two statements in one transaction."
                raise NotSupported("updating or deleting a row twice in a statement", hint=hint)
            self._own.add(key)
        if len(self._own) + len(self._earlier) > _ROWS_MAX:
            message = f"a statement can change at most {_ROWS_MAX} rows of a table in several parts"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
