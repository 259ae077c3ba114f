"""Footprints: the tables and rows that a transaction has read, to be compared with the rows that commits write.

    a read by key   a table, some columns, and values: the reader has learned all rows with one of the values there,
                    including that no such row exists, and nothing about other rows
    a read of more  the whole table

A write meets a read by key when a retracted or asserted row has one of the values in the columns. An UPDATE that moves
a row from k = 1 to k = 2 therefore meets readers of both keys. Values are compared as indexes compare: -0 is 0, NaN is
NaN, and '1 day' is '24:00:00'.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, memory_of, rows_from_arrow
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType
from model.updates.update import FEW_ROWS, known_rows_of
from storage.persist.state import Part

ROWS_MAX = 1_000
"""A write of more rows counts as one of the whole table."""
FORMS_MAX = 8
"""So many combinations of a table's columns are kept in mind."""
KEYS_MAX = 1_000
"""Reads of more keys in the same columns count as one of the whole table."""
_COLUMN_BYTES, _ROW_BYTES, _FORMS_OF_FEW = 1_400, 500, 3
"""What Arrow takes for a column beside its values, what a row takes that is found by its key, and how often the values
of rows that are few are there; as measured."""
Identities = frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class KeyColumns:
    """Columns of a table, in some order, by whose values rows were asked for."""

    table: GlobalId
    columns: tuple[int, ...]
    types: tuple[ScalarType, ...]

    def __hash__(self) -> int:
        # Each read looks for its own: the types, which take long to hash, follow from the rest.
        return hash((self.table, self.columns))


ReadKeys = Mapping[KeyColumns, Identities]
"""The values that were asked for, each as `identity_key` has it."""


class WrittenRows:
    """The rows of one table that a commit retracts or asserts. With `whole`, the write counts as a change of any
    row."""

    def __init__(self, updates: Iterable[pa.Table | Part], *, whole: bool = False) -> None:
        tables = list(updates)
        self._tables = [each for each in tables if isinstance(each, pa.Table)]
        self._arities = set(map(_arity, self._tables))
        self.rows = sum(each.num_rows for each in self._tables)
        self.whole = whole or len(self._tables) < len(tables) or self.rows > ROWS_MAX
        if self.whole:
            self._tables, self.rows, self._arities = [], 0, set()
        self._found: dict[KeyColumns, Identities] = {}

    @property
    def size(self) -> int:
        """Returns the size in bytes, about, with what is found out of the rows: Arrow takes more for each column of a
        small table than the values do, and rows that are few are kept once more as Python's."""
        return sum(map(_size, self._tables))

    def meets(self, key: KeyColumns, identities: Identities) -> bool:
        """Returns whether a row has, or may have, one of the values in the columns."""
        found = self.identities(key)
        return found is None or not found.isdisjoint(identities)

    def having(self, key: KeyColumns, identities: Identities, arity: int) -> list[pa.Table] | None:
        """Returns the updates of rows with one of the values in the columns.

        None when the values are unknown, or the rows have another number of columns than `arity`.
        """
        if self.whole or self._arities - {arity}:
            return None
        every = self.identities(key)
        if every is not None and every <= identities:
            # Mostly a statement changes rows with one key.
            return self._tables
        found: list[pa.Table] = []
        for each in self._tables:
            mask = [identity in identities for identity in _of(key, each)]
            found.append(each if all(mask) else each.filter(pa.array(mask, pa.bool_())))
        return found

    def rows_to_look_at(self, key: KeyColumns) -> int:
        """Returns how many rows `identities` has to look at for the key: zero when the key's values are known
        already."""
        return 0 if key in self._found else self.rows

    def identities(self, key: KeyColumns) -> Identities | None:
        """Returns the values that the rows have in the key's columns; None when they are unknown."""
        if self.whole or min(self._arities, default=math.inf) <= max(key.columns, default=-1):
            return None
        if key not in self._found:
            if len(self._found) == FORMS_MAX:
                self._found.clear()
            self._found[key] = frozenset(identity for each in self._tables for identity in _of(key, each))
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Footprint:
    """The collections that a transaction has read: whole tables, and rows of tables by key."""

    tables: frozenset[GlobalId] = frozenset()
    keys: ReadKeys = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tables or self.keys)

    @property
    def all_tables(self) -> frozenset[GlobalId]:
        """Returns the tables read, whole or by key."""
        return self.tables | {key.table for key in self.keys}

    def meets(self, written: Mapping[GlobalId, WrittenRows]) -> bool:
        """Returns whether the writes change, or may change, a row of the footprint."""
        if not self.tables.isdisjoint(written):
            return True
        return any(key.table in written and written[key.table].meets(key, found) for key, found in self.keys.items())


def shared_tables(one: Footprint, other: Footprint) -> set[GlobalId]:
    """Returns the tables on which two footprints conflict, if both transactions change only rows they have read.

    Two footprints conflict on a table when either has the whole table, when both have a row in common, or when their
    rows are named by different columns and so can't be compared.
    """

    def keys_of(footprint: Footprint, table: GlobalId) -> ReadKeys:
        return {key: found for key, found in footprint.keys.items() if key.table == table}

    def apart(table: GlobalId) -> bool:
        if table in one.tables or table in other.tables:
            return False
        mine, theirs = keys_of(one, table), keys_of(other, table)
        return mine.keys() == theirs.keys() and all(found.isdisjoint(theirs[key]) for key, found in mine.items())

    return {table for table in one.all_tables & other.all_tables if not apart(table)}


def joined(keys: ReadKeys, more: ReadKeys) -> tuple[dict[KeyColumns, Identities], set[GlobalId]]:
    """Returns the union of two sets of keys, and the tables with too many keys, which count as read whole."""
    found, whole = dict(keys), set[GlobalId]()
    for key, identities in more.items():
        known = found.get(key, frozenset())
        if len(known) + len(identities) > KEYS_MAX:
            whole.add(key.table)
        else:
            found[key] = known | identities
    return found, whole


def written_rows(tables: Mapping[GlobalId, Sequence[pa.Table | Part]]) -> dict[GlobalId, WrittenRows]:
    """Returns the rows written to each table."""
    return {id_: WrittenRows(updates) for id_, updates in tables.items()}


def _of(key: KeyColumns, table: pa.Table) -> list[Hashable]:
    """Returns the identity of each row's values in the key's columns."""
    known, identity = known_rows_of(table), identity_key(key.types)
    if known is not None:
        return [identity(tuple([row[at] for at in key.columns])) for row, _ in known]
    desc = RelationDesc(tuple(ColumnDesc(f"c{at}", type_) for at, type_ in enumerate(key.types)))
    return list(map(identity, rows_from_arrow(table.select(list(key.columns)), desc)))


def _size(table: pa.Table) -> int:
    rows: int = table.num_rows
    values = memory_of(table) * (_FORMS_OF_FEW if rows <= FEW_ROWS else 1)
    return int(table.num_columns * _COLUMN_BYTES + rows * _ROW_BYTES + values)


def _arity(table: pa.Table) -> int:
    return sum(name not in (TIME_COLUMN, DIFF_COLUMN) for name in table.column_names)
