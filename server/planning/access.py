"""Finds the index that answers a query, and its keys. Pure; decided when the query is planned.

An index answers a query that asks only for rows of one object with indexes, each row independently:

    lookup    conditions make every part of an index's key, or the first parts, equal to something without columns, one
              of several values, or NULL
    scan      no conditions; the columns, an order by columns and a limit are all
    nearest   a limit, and an order that begins with a distance of a column of vectors from a vector: of all rows, or of
              those that a lookup finds

Further demands of a lookup's query (other conditions, expressions) are evaluated by the interpreter on the rows found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.nouns.items import Index, Item, Table, View
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.decimals_columns import projected_with_decimals
from model.types.relation_desc import RelationDesc
from planner.functions.comparison import equates_by_class
from planner.functions.registry import FUNCTIONS
from planner.functions.types.distances import distance_name
from planner.interpret.parameters import in_default_style
from planner.interpret.reach import certain_itself, infallible
from planner.interpret.row_program import RowProgram
from planner.ir.aggregate import SortKey
from planner.ir.columns import map_columns, own_columns
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Filter, Finishing, Get, Map, Project, Relation
from planner.ir.scalar import (
    Call,
    Column,
    Or,
    OuterColumn,
    QuantifiedArray,
    Quantifier,
    Scalar,
    SessionName,
)
from planner.ir.visit import operands_of, subqueries_of
from server.planning.definitions import Definitions

_SETTINGS = frozenset(
    (
        *(SessionName.TIME_ZONE, SessionName.DATE_STYLE, SessionName.OUTPUT_STYLE),
        *(SessionName.TEXT_SEARCH, SessionName.SIMILARITY),
    )
)


@dataclass(frozen=True, slots=True)
class Equal:
    value: Scalar


@dataclass(frozen=True, slots=True)
class AmongArray:
    """`key = ANY (array)`."""

    array: Scalar


@dataclass(frozen=True, slots=True)
class IsNull:
    pass


KeyPart = tuple[Equal | AmongArray | IsNull, ...]
"""What a part of the key may be: any of these."""

SaidColumn = tuple[int, KeyPart]
"""A column, and what it may be."""


@dataclass(frozen=True, slots=True)
class UsedIndex:
    """The index `item` in place of the object it is `on`.

    `columns`: the columns of a table with which the index's key begins.
    `settings`: whether the object, or its use, depends on the session's time zone or styles; the index holds it with
        default settings.
    """

    item: GlobalId
    collection: GlobalId
    on: GlobalId
    desc: RelationDesc
    columns: tuple[int, ...]
    settings: bool


@dataclass(frozen=True, slots=True)
class LinearRows:
    """A chain of linear nodes over one object: its columns and conditions as expressions over the object's columns."""

    get: Get
    columns: tuple[Scalar, ...]
    conditions: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class NearestAsked:
    """The order by the distance of a column of vectors from `to`, which sees no columns. `distance` is the name of a
    function of distances; `key` is the order as the query has it, over the object's columns."""

    column: int
    distance: str
    to: Scalar
    key: SortKey


@dataclass(frozen=True, slots=True)
class IndexAccess:
    """Access to rows by an index: rows with the keys, or all; with `nearest`, only those that the query's order puts
    before its limit. Values of keys see no columns.

    `whole_keys`: whether keys have all parts of the index's key, not only the first.
    `direct`: the finishing over the object's columns, if the query asks no more; else `query` reads the rows found as a
        Get, and `program` evaluates it for few rows.
    `found`: the columns at `asked`, which are asked of the index: `direct`'s, then those that tell their decimals; or
        all.
    `rows`: the query over the object; `said`: the known values of the object's columns.
    """

    index: UsedIndex
    keys: tuple[KeyPart, ...] | None
    whole_keys: bool
    direct: Finishing | None
    asked: tuple[int, ...]
    found: RelationDesc
    query: Query
    rows: LinearRows
    said: tuple[SaidColumn, ...]
    program: RowProgram
    nearest: NearestAsked | None

    def whole_rows(self) -> IndexAccess:
        """Returns the access that asks for all columns, and evaluates the query over them."""
        desc = self.index.desc
        return replace(self, direct=None, asked=tuple(range(desc.arity)), found=desc)

    def wanted(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Returns the rows that the index answered without the columns that only tell decimals."""
        count = len(self.asked if self.direct is None else self.direct.project)
        return rows if count == len(self.asked) else [row[:count] for row in rows]


def index_access(
    query: Query, state: CatalogState, definitions: Definitions, cluster: int | None
) -> IndexAccess | None:
    """Returns the access for a query as planned, with views still folded, by indexes of a cluster; None when no index
    helps."""
    rows = linear_rows(query.relation)
    if rows is None or rows.get.id not in state.items:
        return None
    on = state.items[rows.get.id]
    indexes = indexes_in(state, on.id, cluster)
    nearest = _nearest(query, rows)
    best: tuple[Item, bool, _Matched] | None = None
    for item, index in indexes:
        parts = definitions.index_key(state, index)
        matched = _matched(parts, rows.conditions)
        whole = len(matched.keys) == len(parts)
        if matched.keys and (best is None or (whole, len(matched.keys)) > (best[1], len(best[2].keys))):
            best = item, whole, matched
    if best is not None:
        item, whole, matched = best
        direct = _direct(query, rows) if matched.used.issuperset(rows.conditions) else None
        used = used_index(item, state, definitions)
        if matched.settings:
            used = replace(used, settings=True)
        return _access(used, matched.keys, whole, direct, query, rows, nearest)
    if indexes and nearest is not None:
        return _access(used_index(indexes[0][0], state, definitions), None, True, None, query, rows, nearest)
    if indexes and not rows.conditions:
        direct = _direct(query, rows)
        if direct is not None:
            return _access(used_index(indexes[0][0], state, definitions), None, True, direct, query, rows)
    return None


def indexes_in(state: CatalogState, on: GlobalId, cluster: int | None) -> list[tuple[Item, Index]]:
    """Returns the indexes on a relation that the cluster with an oid keeps, by age. None: there is no such cluster."""
    indexes = [(item, item.definition) for item in state.indexes_on(on) if isinstance(item.definition, Index)]
    return [(item, index) for item, index in indexes if index.cluster == cluster]


def used_index(item: Item, state: CatalogState, definitions: Definitions) -> UsedIndex:
    """Returns the index `item` as queries use it."""
    assert isinstance(item.definition, Index)
    on = state.items[item.definition.on.id]
    settings = False
    if isinstance(on.definition, View):
        settings = bool(reads_of(definitions.maintained_relation(state, on.id)).session_values & _SETTINGS)
    key = definitions.index_key(state, item.definition) if isinstance(on.definition, Table) else ()
    columns: list[int] = []
    for part in key:
        if not isinstance(part, Column):
            break
        columns.append(part.index)
    return UsedIndex(item.id, item.definition.collection, on.id, on.desc, tuple(columns), settings)


def _access(
    index: UsedIndex,
    keys: tuple[KeyPart, ...] | None,
    whole: bool,
    direct: Finishing | None,
    query: Query,
    rows: LinearRows,
    nearest: NearestAsked | None = None,
) -> IndexAccess:
    whole_rows = tuple(range(index.desc.arity))
    asked, found = (whole_rows, index.desc) if direct is None else projected_with_decimals(index.desc, direct.project)
    said, program = said_columns(rows), RowProgram(query)
    return IndexAccess(index, keys, whole, direct, asked, found, query, rows, said, program, nearest)


def linear_rows(relation: Relation) -> LinearRows | None:
    """Takes a query apart that is only a chain of a Get, filters, projections and maps; returns None for any other
    query."""
    if any(True for _ in subqueries_of(relation)):
        return None
    match relation:
        case Get(desc=desc):
            return LinearRows(relation, tuple(Column(at, type_) for at, type_ in enumerate(desc.types)), ())
        case Project(input=inner, columns=columns):
            rows = linear_rows(inner)
            return (
                None
                if rows is None
                else LinearRows(rows.get, tuple(rows.columns[at] for at in columns), rows.conditions)
            )
        case Map(input=inner, scalars=scalars):
            rows = linear_rows(inner)
            if rows is None:
                return None
            return LinearRows(rows.get, (*rows.columns, *(_over(rows, each) for each in scalars)), rows.conditions)
        case Filter(input=inner, predicates=predicates):
            rows = linear_rows(inner)
            if rows is None:
                return None
            return LinearRows(rows.get, rows.columns, (*rows.conditions, *(_over(rows, each) for each in predicates)))
        case _:
            return None


def _over(rows: LinearRows, scalar: Scalar) -> Scalar:
    """Returns the expression over the object's columns."""
    return map_columns(scalar, lambda column: rows.columns[column.index])


@dataclass(frozen=True, slots=True)
class _Matched:
    """The possible values of each part of a key, up to the first unlimited part, and the conditions that limit them.
    `settings`: only a session with default settings means the same by them."""

    keys: tuple[KeyPart, ...]
    used: frozenset[Scalar]
    settings: bool


def _matched(parts: Iterable[Scalar], conditions: tuple[Scalar, ...]) -> _Matched:
    keys: list[KeyPart] = []
    used: set[Scalar] = set()
    settings = False
    for part in parts:
        for condition in conditions:
            by_default = in_default_style(condition)
            key = key_part(part, by_default)
            if key is not None:
                keys.append(key)
                used.add(condition)
                settings = settings or by_default != condition
                break
        else:
            break
    return _Matched(tuple(keys), frozenset(used), settings)


def said_columns(rows: LinearRows) -> tuple[SaidColumn, ...]:
    """Returns each single column's values, as limited by conditions."""
    said: list[SaidColumn] = []
    for condition in rows.conditions:
        columns = own_columns(condition)
        if len(columns) == 1:
            (at,) = columns
            part = key_part(Column(at, rows.get.desc.types[at]), condition)
            said += [] if part is None else [(at, part)]
    return tuple(said)


def asked_columns(relation: Relation) -> tuple[GlobalId, tuple[str, ...]] | None:
    """Returns the relation that a query reads by given values of columns, and the names of these, sorted: what an index
    that begins with one of them would answer. None for another query."""
    rows = linear_rows(relation)
    said = () if rows is None else said_columns(rows)
    if rows is None or not said:
        return None
    return rows.get.id, tuple(sorted({rows.get.desc.names[at] for at, _ in said}))


def key_part(part: Scalar, condition: Scalar) -> KeyPart | None:
    """Returns the values of `part` that `condition` allows."""
    match condition:
        case Call(function=key, arguments=(value,)) if FUNCTIONS[key].name == "is_null" and value == part:
            return (IsNull(),)
        case Call(function=key, arguments=(left, right)) if equates(key):
            if left == part and _fixed(right):
                return (Equal(right),)
            return (Equal(left),) if right == part and _fixed(left) else None
        case QuantifiedArray(quantifier=Quantifier.ANY, comparison=key, left=left, array=array):
            return (AmongArray(array),) if equates(key) and left == part and _fixed(array) else None
        case Or(operands=operands):
            keys = [key_part(part, operand) for operand in operands]
            return tuple(value for key in keys if key is not None for value in key) if all(keys) else None
        case _:
            return None


def equates(key: str) -> bool:
    """Returns whether a function is SQL's `=`, by which values are found in an index."""
    return equates_by_class(key) and FUNCTIONS[key].form == "operator"


def _fixed(scalar: Scalar) -> bool:
    """Returns whether the expression is the same for all rows."""
    return not own_columns(scalar) and not _outer(scalar)


def _outer(scalar: Scalar) -> bool:
    return isinstance(scalar, OuterColumn) or any(map(_outer, operands_of(scalar)))


def _nearest(query: Query, rows: LinearRows) -> NearestAsked | None:
    """Returns the order by a distance of a query with a limit; None for another query, and where a row that is not
    nearest may fail a condition."""
    finishing = query.finishing
    if not finishing.order or finishing.limit is None:
        return None
    first = finishing.order[0]
    asked = distance_asked(_over(rows, first.expression))
    if asked is None:
        return None
    column, distance, to = asked

    def certain(condition: Scalar) -> bool:
        # Vectors of other dimensions fail in the order, too.
        own = distance_asked(condition)
        if own is not None and own[0] == column:
            return infallible(own[2])
        return certain_itself(condition) and all(map(certain, operands_of(condition)))

    if not all(map(certain, rows.conditions)):
        return None
    return NearestAsked(column, distance, to, replace(first, expression=_over(rows, first.expression)))


def distance_asked(scalar: Scalar) -> tuple[int, str, Scalar] | None:
    """Returns the column, the function's name and the vector of a distance of a column from what sees no columns."""
    if not isinstance(scalar, Call) or (name := distance_name(scalar.function)) is None:
        return None
    match scalar.arguments:
        case (Column(index=column), to) if _fixed(to):
            return column, name, to
        case (to, Column(index=column)) if _fixed(to):
            return column, name, to
        case _:
            return None


def _direct(query: Query, rows: LinearRows) -> Finishing | None:
    """Returns the query's finishing over the object's columns, when it asks for nothing but columns."""
    finishing = query.finishing
    order = []
    for key in finishing.order:
        expression = _over(rows, key.expression)
        if not isinstance(expression, Column):
            return None
        order.append(type(key)(expression, key.descending, key.nulls_first))
    project = []
    for at in finishing.project:
        column = rows.columns[at]
        if not isinstance(column, Column):
            return None
        project.append(column.index)
    return Finishing(tuple(order), finishing.limit, finishing.offset, tuple(project))
