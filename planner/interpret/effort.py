"""Bounds the effort of an evaluation from the plan alone: rows, bytes per value, and steps.

    rows(join) <= rows(left) * rows(right)        bytes(f(a, b)) <= 2 * (bytes(a) + bytes(b)) + a page

A plan that is small by these bounds is small for all values, so it may run where others wait. A plan that is not may be
small all the same: `SELECT * FROM generate_series(1, 1000000000) LIMIT 1` counts as large.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from model.types.datum import Datum
from model.types.scalar_type import TypeName
from planner.functions.growing import bytes_of, grows
from planner.functions.registry import FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.placeholder import Placeholder
from planner.ir.query import Query
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import (
    Call,
    Column,
    Exists,
    Literal,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    Scalar,
    SessionValue,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)
from planner.ir.visit import has_subquery, operands_of, scalars_of, walk_relation

_STEPS_MAX = 20_000
"""Some tens of milliseconds at most: a step is an expression's node for a row, or a hundred bytes of its value."""
_BYTES_MAX = 1 << 18
_SETTING = 1024
_SMALL = 64
_BYTES_A_STEP = 100
_MANY_ROWS = 200_000
"""Some seconds for the interpreter."""
_SERIES = "generate_series_"
_FIXED = frozenset(
    {
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.DATE,
        TypeName.TIME,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.INTERVAL,
        TypeName.UUID,
        TypeName.OID,
        TypeName.REGCLASS,
        TypeName.REGTYPE,
    }
)
"""Types whose values are small, whatever they are made of."""
_LISTED = ("unnest", "json", "string_to_table", "_pg_expandarray", "pg_options_to_table", "generate_subscripts")
"""The table functions that give at most a row for each byte of their arguments, by how their keys begin."""


class _Large(Exception):
    """The bounds say no."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """No more than `rows`, whose columns take no more than `widths` bytes each."""

    rows: int
    widths: tuple[int, ...]


def is_small(query: Query) -> bool:
    """Tells whether the interpreter needs only some milliseconds for a query without parameters, and its result is
    small."""
    account = _Account()
    try:
        bounds = account.relation(query.relation, 1)
        finishing = query.finishing
        account.scalars([key.expression for key in finishing.order], bounds, bounds.rows)
        account.scalars([scalar for scalar in (finishing.limit, finishing.offset) if scalar is not None], bounds, 1)
    except _Large:
        return False
    return True


def is_small_scalar(scalar: Scalar) -> bool:
    """Tells as `is_small` does about an expression that reads no columns."""
    try:
        _Account().scalars([scalar], _Bounds(1, ()), 1)
    except _Large:
        return False
    return True


def is_small_over(relation: Relation, local: LocalGet, rows: int, around: int, width: int) -> bool:
    """Tells as `is_small` does about a relation over so many rows of a local, within a row of so many columns, whose
    values have at most `width` bytes."""
    account = _Account(outer=[(width,) * around])
    account.locals[local.local_id] = _Bounds(rows, (width,) * local.desc.arity)
    try:
        account.relation(relation, 1)
    except _Large:
        return False
    return True


def gathers_many(relation: Relation) -> bool:
    """Tells whether groups are made of so many rows, of a series between literals, that Spark should compute them,
    and can: they need no session, no clock, and no row around."""
    while isinstance(relation, Map | Project | Filter):
        relation = relation.input
    return isinstance(relation, Reduce) and _rows_made(relation.input) >= _MANY_ROWS and _asks_nobody(relation)


def _rows_made(relation: Relation) -> int:
    """Returns the number of rows that some part of the relation is sure to make."""
    match relation:
        case FlatMap():
            return max(_series_rows(relation) or 0, _rows_made(relation.input))
        case Map() | Project() | Filter() | Reduce() | Window():
            return _rows_made(relation.input)
        case Join(on=()) if relation.kind is JoinKind.INNER:
            return max(_rows_made(relation.left), 1) * max(_rows_made(relation.right), 1)
        case Join():
            return max(_rows_made(relation.left), _rows_made(relation.right))
        case _:
            return 0


def _asks_nobody(relation: Relation) -> bool:
    for node in walk_relation(relation):
        if isinstance(node, Get | Recursive | LetRecursive) or (isinstance(node, Join) and node.lateral):
            return False
        if isinstance(node, FlatMap) and TABLE_FUNCTIONS[node.function].needs_system:
            return False
        pending = list(scalars_of(node))
        while pending:
            scalar = pending.pop()
            if isinstance(scalar, SessionValue) or has_subquery(scalar):
                return False
            if isinstance(scalar, Call):
                function = FUNCTIONS[scalar.function]
                if function.needs_system or function.volatility is Volatility.VOLATILE:
                    return False
            pending.extend(operands_of(scalar))
    return True


@dataclass(slots=True)
class _Account:
    """The effort counted so far. `locals` has the bounds of bound relations, `outer` the widths of the rows around."""

    steps: int = 0
    locals: dict[int, _Bounds] = field(default_factory=dict)
    outer: list[tuple[int, ...]] = field(default_factory=list)

    def _charge(self, steps: int) -> None:
        self.steps += steps
        if self.steps > _STEPS_MAX:
            raise _Large

    def relation(self, relation: Relation, times: int) -> _Bounds:
        """Returns the bounds of a relation that is evaluated so many times."""
        bounds = self._bounds(relation, times)
        if max(bounds.widths, default=0) > _BYTES_MAX:
            raise _Large
        self._charge(bounds.rows * times * (1 + sum(bounds.widths) // _BYTES_A_STEP // 8))
        return bounds

    def _bounds(self, relation: Relation, times: int) -> _Bounds:
        match relation:
            case Constant(rows):
                return self._constant(relation, rows)
            case Get() | Recursive() | LetRecursive():
                raise _Large
            case LocalGet(local_id):
                return self.locals[local_id]
            case Let():
                self.locals[relation.local_id] = self.relation(relation.value, times)
                return self.relation(relation.body, times)
            case Project():
                below = self.relation(relation.input, times)
                return _Bounds(below.rows, tuple([below.widths[index] for index in relation.columns]))
            case Map():
                below = self.relation(relation.input, times)
                added = self.scalars(relation.scalars, below, below.rows * times)
                return _Bounds(below.rows, below.widths + added)
            case FlatMap():
                return self._flat_map(relation, times)
            case Filter():
                below = self.relation(relation.input, times)
                self.scalars(relation.predicates, below, below.rows * times)
                return below
            case Join():
                return self._join(relation, times)
            case Reduce():
                return self._reduce(relation, times)
            case TopK() | Window():
                return self._ordered(relation, times)
            case Negate() | Threshold():
                return self.relation(relation.input, times)
            case Union():
                parts = [self.relation(each, times) for each in relation.inputs]
                widths = zip(*(part.widths for part in parts), strict=True)
                return _Bounds(sum(part.rows for part in parts), tuple(map(max, widths)))
            case _:
                assert_never(relation)

    def _constant(self, relation: Constant, rows: tuple[tuple[tuple[Datum, ...], int], ...]) -> _Bounds:
        self._charge(len(rows))
        widths = [0] * relation.desc.arity
        for row, _ in rows:
            for index, value in enumerate(row):
                widths[index] = max(widths[index], bytes_of(value))
        return _Bounds(sum(count for _, count in rows), tuple(widths))

    def _flat_map(self, relation: FlatMap, times: int) -> _Bounds:
        below = self.relation(relation.input, times)
        widths = self.scalars(relation.arguments, below, below.rows * times)
        given = sum(widths)
        made = _series_rows(relation)
        if made is None and relation.function.startswith(_LISTED):
            made = given
        if made is None:
            raise _Large
        added = relation.desc.arity + (1 if relation.ordinality else 0)
        return _Bounds(below.rows * made, below.widths + (2 * given + _SMALL,) * added)

    def _join(self, relation: Join, times: int) -> _Bounds:
        left = self.relation(relation.left, times)
        if relation.lateral:
            self.outer.insert(0, left.widths)
            right = self.relation(relation.right, times * max(left.rows, 1))
            self.outer.pop(0)
        else:
            right = self.relation(relation.right, times)
        both = _Bounds(left.rows * max(right.rows, 1) + right.rows, left.widths + right.widths)
        self.scalars(relation.on, both, both.rows * times)
        return left if relation.kind in (JoinKind.SEMI, JoinKind.ANTI) else both

    def _reduce(self, relation: Reduce, times: int) -> _Bounds:
        below = self.relation(relation.input, times)
        count = below.rows * times
        keys = self.scalars(relation.key, below, count)
        widths = []
        for aggregate in relation.aggregates:
            more = () if aggregate.condition is None else (aggregate.condition,)
            ordered = [key.expression for key in aggregate.order]
            given = self.scalars((*aggregate.arguments, *more, *ordered), below, count)
            widths.append(2 * below.rows * sum(given) + _SMALL)
        return _Bounds(below.rows if keys else 1, keys + tuple(widths))

    def _ordered(self, relation: TopK | Window, times: int) -> _Bounds:
        below = self.relation(relation.input, times)
        count = below.rows * times
        self.scalars([key.expression for key in relation.order], below, count)
        if isinstance(relation, TopK):
            self.scalars([scalar for scalar in (relation.limit, relation.offset) if scalar is not None], below, 1)
            return below
        widths = []
        for call in relation.calls:
            given = self.scalars(call.scalars, below, count)
            # A frame may be the whole group, for every row of it.
            self._charge(below.rows * count)
            widths.append(2 * below.rows * sum(given) + _SMALL)
        return _Bounds(below.rows, below.widths + tuple(widths))

    def scalars(self, scalars: Iterable[Scalar], below: _Bounds, times: int) -> tuple[int, ...]:
        """Returns the bytes of each expression's value, and counts its evaluations over such rows."""
        widths = tuple([self._scalar(scalar, below.widths, times) for scalar in scalars])
        self._charge(times * (sum(widths) // _BYTES_A_STEP // 8))
        return widths

    def _scalar(self, scalar: Scalar, widths: tuple[int, ...], times: int) -> int:
        self._charge(max(times, 1))
        match scalar:
            case Column(index):
                return widths[index]
            case OuterColumn(depth, index):
                return self.outer[depth - 1][index]
            case Literal(value):
                return bytes_of(value)
            case SessionValue():
                return _SETTING
            case Parameter():
                raise AssertionError("parameters are bound before an evaluation is judged")
            case Placeholder():
                raise AssertionError(f"{scalar} in a finished plan")
            case Exists() | SubqueryValue() | SubqueryArray() | SubqueryCompare():
                return self._subquery(scalar, widths, times)
            case Call() if grows(FUNCTIONS[scalar.function]):
                raise _Large
            case QuantifiedArray() if grows(FUNCTIONS[scalar.comparison]):
                raise _Large
            case _:
                given = sum([self._scalar(operand, widths, times) for operand in operands_of(scalar)])
                made = _SMALL if scalar_type(scalar).name in _FIXED else 2 * given + _SMALL
                if made > _BYTES_MAX:
                    raise _Large
                return made

    def _subquery(
        self, scalar: Exists | SubqueryValue | SubqueryArray | SubqueryCompare, widths: tuple[int, ...], times: int
    ) -> int:
        self.outer.insert(0, widths)
        inner = self.relation(scalar.relation, max(times, 1))
        if isinstance(scalar, SubqueryCompare):
            self._scalar(scalar.condition, inner.widths, times * inner.rows)
        self.outer.pop(0)
        return inner.rows * sum(inner.widths) + _SMALL


def _series_rows(relation: FlatMap) -> int | None:
    """Returns the number of numbers in a series between literals."""
    if not relation.function.startswith(_SERIES):
        return None
    values = [argument.value for argument in relation.arguments if isinstance(argument, Literal)]
    if len(values) < len(relation.arguments) or not all(isinstance(value, int) for value in values):
        return 0 if None in values else None
    start, stop, step = (*values, 1)[:3]
    assert isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)
    return max((stop - start) // step + 1, 0) if step else 0
