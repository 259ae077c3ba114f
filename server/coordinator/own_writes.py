"""What a transaction has written itself, in what it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from model.datum import Datum, Row
from model.errors import NotSupported
from model.order import key_function
from model.relation_desc import RelationDesc
from model.scalar_type import TEXT, TypeName
from model.update import signed_rows
from planner.functions.casts.table import find_cast
from planner.ir.relation import Constant, Get, Map, Negate, Project, Relation, Threshold, Union
from planner.ir.scalar import Call, Column, Literal, Scalar, SessionName, SessionValue, scalar_type
from storage.persist.state import Part

_OWN_ROWS_MAX = 200_000
_FLOATS = frozenset((TypeName.FLOAT4, TypeName.FLOAT8))
_Rows = tuple[tuple[Row, int], ...]


def with_own_rows(
    base: Get | Constant, updates: Sequence[pa.Table | Part], session: Mapping[SessionName, Datum]
) -> Relation:
    """A collection's contents with the updates. Rows that are equal but written differently are different rows."""
    desc = base.desc
    added, removed = _net(updates, desc)
    asserted = Union((base, Constant(added, desc)))
    if not removed:
        return asserted
    texts = tuple(text for at in range(desc.arity) if (text := _text(desc, at, session)) is not None)
    gone: Relation = Constant(removed, desc)
    if not texts:
        return Threshold(Union((asserted, Negate(gone))))
    names = tuple(f"text{number}" for number in range(len(texts)))
    left = Threshold(Union((Map(asserted, texts, names), Negate(Map(gone, texts, names)))))
    return Project(left, tuple(range(desc.arity)))


def rows_after(rows: Sequence[Row], updates: Sequence[pa.Table], desc: RelationDesc) -> list[Row]:
    """The rows as updates leave them, which retract none that is not there."""
    if not updates:
        return list(rows)
    return [row for row, count in _accumulated(updates, desc, rows) for _ in range(count)]


def _written_differently(desc: RelationDesc) -> bool:
    """Whether rows may be equal though they are written differently."""
    return any(key_function(type_) is not None or type_.name in _FLOATS for type_ in desc.types)


def _text(desc: RelationDesc, at: int, session: Mapping[SessionName, Datum]) -> Scalar | None:
    """How a column's values are written, where equal ones may be written differently."""
    type_ = desc.types[at]
    if key_function(type_) is None and type_.name not in _FLOATS:
        return None
    cast = find_cast(type_, TEXT)
    if cast is None:
        return None
    values = (Literal(session[name], scalar_type(SessionValue(name))) for name in cast.function.session)
    return Call(cast.function.key, (Column(at, type_), *values), TEXT)


def _net(updates: Sequence[pa.Table | Part], desc: RelationDesc) -> tuple[_Rows, _Rows]:
    """The rows that buffered updates add, and those that they remove, net of each other."""
    tables = [update for update in updates if isinstance(update, pa.Table)]
    if len(tables) < len(updates) or sum(table.num_rows for table in tables) > _OWN_ROWS_MAX:
        raise NotSupported(
            "reading a table after a bulk load into it in the same transaction",
            hint="COMMIT the load first, then read.",
        )
    net = _accumulated(tables, desc)
    added = tuple((row, count) for row, count in net if count > 0)
    removed = tuple((row, -count) for row, count in net if count < 0)
    return added, removed


def _accumulated(tables: Sequence[pa.Table], desc: RelationDesc, rows: Sequence[Row] = ()) -> Iterable[tuple[Row, int]]:
    """The rows and those of the updates, each once, with how often it is there."""
    special = _written_differently(desc)
    net: dict[object, tuple[Row, int]] = {}
    for updates in ([(row, 1) for row in rows], *(signed_rows(table, desc) for table in tables)):
        for row, diff in updates:
            written: object = repr(row) if special else row
            known = net.get(written)
            net[written] = row, diff if known is None else known[1] + diff
    return net.values()
