"""Documents that a transaction's changes are reduced into: the protocol's standard mode (source: seed 1).

    loaded (k, 4)    changes (k, 6) +1, (k, 7) -1    ─▶    stored (k, 3)        sums count every change, retractions too
    not loaded       changes (j, 2) +1               ─▶    stored (j, 2)        of other columns the last write wins

A key may have any number of rows in the collection, and its document stays when they are gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import DELETED, EXISTS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_from_arrow, rows_to_arrow
from model.physical.shown_numerics import shown_decimals, shown_name
from model.text.numerics import EXACT
from model.types.datum import Row
from model.types.decimals_columns import projected_with_decimals
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

_BITS = {TypeName.INT2: 16, TypeName.INT4: 32, TypeName.INT8: 64}


class Reduction:
    """Adds up the changes of one transaction: call `take` for all changes, `load` for the destination's documents,
    then read `documents`."""

    def __init__(self, sink: SinkDescription) -> None:
        assert sink.key is not None, "it has a key"
        self._desc = sink.documents
        self._shown = tuple(sink.shown)
        _, self._read = projected_with_decimals(sink.desc, sink.columns)
        self._key = sink.key
        self._sums = sink.sums
        self._changes: dict[Row, list[Any]] = {}
        self._loaded: dict[Row, Row] = {}
        self._asked = False

    def take(self, updates: pa.Table) -> None:
        """Takes updates as c0, …, time, diff, all of a key's in the same table."""
        order = [(TIME_COLUMN, "ascending"), (DIFF_COLUMN, "ascending")]
        updates = updates.take(pc.sort_indices(updates, sort_keys=order))
        diffs = updates.column(DIFF_COLUMN).to_pylist()
        for told, diff in zip(rows_from_arrow(updates, self._read), diffs, strict=True):
            row = told[: self._desc.arity]
            key = tuple(row[place] for place in self._key)
            if None in key:
                message = "null value in the key of a sink"
                raise SqlError(Sqlstate.NOT_NULL_VIOLATION, message, hint="Sink a view that leaves such rows out.")
            known = self._changes.get(key)
            if known is None:
                known = self._changes[key] = [*row]
                for place in self._sums:
                    known[place] = None
            elif diff > 0:
                for place, value in enumerate(row):
                    if place not in self._sums:
                        known[place] = value
            for place in self._sums:
                known[place] = _added(known[place], row[place], diff)

    def to_load(self, rows_max: int) -> Iterator[pa.Table]:
        """Yields the keys to load, in tables of a message's size: each key once, also when called again."""
        desc = RelationDesc(tuple(self._desc.columns[place] for place in self._key))
        keys = [] if self._asked else list(self._changes)
        self._asked = True
        for start in range(0, len(keys), rows_max):
            yield rows_to_arrow(keys[start : start + rows_max], desc)

    def load(self, documents: pa.Table) -> None:
        """Takes documents that the destination has. Raises 08P01 for one that was not asked for, or was loaded
        before."""
        for row in rows_from_arrow(documents, self._desc):
            key = tuple(row[place] for place in self._key)
            if key not in self._changes or key in self._loaded:
                why = "has come before" if key in self._loaded else "was not asked for"
                raise SqlError(Sqlstate.PROTOCOL_VIOLATION, f"the driver of a sink loaded a document that {why}")
            self._loaded[key] = row

    def documents(self, rows_max: int) -> Iterator[pa.Table]:
        """Yields the documents to store, with EXISTS and DELETED. Raises 22003 for a sum that does not fit into its
        column."""
        items = list(self._changes.items())
        for start in range(0, len(items), rows_max):
            chosen = items[start : start + rows_max]
            rows = [self._reduced(key, change) for key, change in chosen]
            table = rows_to_arrow(rows, self._desc)
            for place in self._shown:
                decimals = pa.array([shown_decimals(row[place]) for row in rows], pa.int32())
                table = table.append_column(shown_name(place), decimals)
            exists = pa.array([key in self._loaded for key, _ in chosen])
            deleted = pa.array([False] * len(chosen))
            yield table.append_column(EXISTS, exists).append_column(DELETED, deleted)

    def _reduced(self, key: Row, change: list[Any]) -> Row:
        row = [*change]
        loaded = self._loaded.get(key)
        for place in self._sums:
            if loaded is not None:
                row[place] = _added(row[place], loaded[place], 1)
            _require_range(row[place], self._desc.types[place])
        return tuple(row)


def _added(total: Any, value: Any, diff: int) -> Any:
    """Adds two values; a NULL adds nothing."""
    if value is None:
        return total
    if isinstance(value, Decimal):
        return EXACT.fma(value, Decimal(diff), Decimal(0) if total is None else total)
    return value * diff if total is None else total + value * diff


def _require_range(total: Any, type_: ScalarType) -> None:
    bits = _BITS.get(type_.name)
    if bits is not None and total is not None and not -(1 << (bits - 1)) <= total < 1 << (bits - 1):
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f"a sum of a sink is out of range: {total}")
