"""Columns that tell with how many decimals each value of another column is shown.

A numeric column without a modifier holds all values as DECIMAL(38,18), so `1.50` and `1.5` lie alike. Beside each such
column a table or a view stores a second one, hidden from users:

    CREATE TABLE t (price numeric, name text)     price   name    ........decimals.2.0........
    INSERT INTO t VALUES (1.50, 'a')              1.5     a       2

The name's first number is the distance to the numeric, so the pair is found again in a row that begins with other
columns, as in a row of two tables side by side. The second is the numeric's position in the table, and keeps names
unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from model.types.column_layout import ColumnLayout, is_dropped_name
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, has_own_decimals

_BEFORE, _AFTER = "........decimals.", "........"
_NAME = re.compile(re.escape(_BEFORE) + r"([1-9][0-9]{0,4})\.[0-9]+" + re.escape(_AFTER), re.ASCII)


def is_reserved_name(name: str) -> bool:
    """Tells whether a column's name could be taken for that of a column of decimals."""
    return name.startswith(_BEFORE)


def with_decimals_columns(desc: RelationDesc) -> RelationDesc:
    """Returns the stored columns of a new table: its own, then one of decimals for each numeric without modifier."""
    told = [at for at, type_ in enumerate(desc.types) if has_own_decimals(type_)]
    added = (_decimals_column(at, desc.arity + number) for number, at in enumerate(told))
    return RelationDesc((*desc.columns, *added))


def _decimals_column(of: int, place: int) -> ColumnDesc:
    """Returns the column at `place` that tells the decimals of the column at `of`."""
    return ColumnDesc(f"{_BEFORE}{place - of}.{of}{_AFTER}", INT4)


def with_replaced_columns(stored: RelationDesc, desc: RelationDesc) -> RelationDesc:
    """Returns the stored columns of a view whose columns become those of `desc`, the first of which it has already:
    each keeps its position, and new ones come behind."""
    layout = visible_layout(stored)
    visible = range(stored.arity) if layout is None else layout.visible
    if len(visible) > desc.arity:
        return with_decimals_columns(desc)
    columns = list(stored.columns)
    for at, column in zip(visible, desc.columns):
        columns[at] = column
    added = range(len(columns), len(columns) + desc.arity - len(visible))
    columns += desc.columns[len(visible) :]
    told = {at for at, _ in decimals_columns(columns)}
    for at in (*visible, *added):
        if has_own_decimals(columns[at].type) and at not in told:
            columns.append(_decimals_column(at, len(columns)))
    return RelationDesc(tuple(columns))


def visible_layout(desc: RelationDesc) -> ColumnLayout | None:
    """Returns which of a view's stored columns users see; None where they see all."""
    hidden = {place for _, place in decimals_columns(desc.columns)}
    return ColumnLayout(tuple(at for at in range(desc.arity) if at not in hidden)) if hidden else None


def with_added_column(desc: RelationDesc, column: ColumnDesc) -> RelationDesc:
    """Returns the stored columns of a table to which a column is added."""
    if not has_own_decimals(column.type) or is_dropped_name(column.name):
        return RelationDesc((*desc.columns, column))
    return RelationDesc((*desc.columns, column, _decimals_column(desc.arity, desc.arity + 1)))


def projected_with_decimals(desc: RelationDesc, columns: tuple[int, ...]) -> tuple[tuple[int, ...], RelationDesc]:
    """Returns the positions of some columns and of those that tell their decimals, and the row that these make."""
    told = dict(told_decimals(desc.columns))
    asked = [*columns, *(told[at] for at in columns if at in told)]
    found = [desc.columns[at] for at in columns]
    for place, at in enumerate(columns):
        if at in told:
            found.append(_decimals_column(place, len(found)))
    return tuple(asked), RelationDesc(tuple(found))


def told_decimals(columns: Iterable[ColumnDesc]) -> tuple[tuple[int, int], ...]:
    """Returns the position of each column whose values' decimals are stored, and that of the column that tells them."""
    known = tuple(columns)
    return tuple(
        (at, place)
        for at, place in decimals_columns(known)
        if has_own_decimals(known[at].type) and not is_dropped_name(known[at].name)
    )


def decimals_columns(columns: Iterable[ColumnDesc]) -> tuple[tuple[int, int], ...]:
    """Returns the positions of all columns of decimals, each behind that of the column that it was made for."""
    found = []
    for place, column in enumerate(columns):
        named = _NAME.fullmatch(column.name) if column.name.startswith(_BEFORE) and column.type == INT4 else None
        at = -1 if named is None else place - int(named[1])
        if at >= 0:
            found.append((at, place))
    return tuple(found)
