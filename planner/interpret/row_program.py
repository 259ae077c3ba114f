"""Queries over a few rows at hand, compiled once and run again with other rows and parameters.

Binding a plan, judging its effort and compiling take some hundred times as long as evaluating the plan over one row. A
statement that finds rows by an index mostly runs a chain of conditions and expressions over the rows. The chain is
compiled with parameters and session values left open, as columns of an outer row:

    UPDATE t SET n = n + $1 WHERE k = $2        columns of t, n + outer.0        where k = outer.1

A program's effort is judged for the most rows and the largest values that the program accepts. More rows or larger
values are evaluated like any query; so are expressions that ask the catalog, are random or may sleep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from model.types.datum import Datum, Row
from planner.functions.growing import bytes_of
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.interpret.context import EvaluationContext
from planner.interpret.effort import is_small_over
from planner.interpret.execution import Interpretation, RowFlow
from planner.interpret.flows import compile_flow, interpretation
from planner.ir.query import Query
from planner.ir.relation import Constant, Filter, Get, LocalGet, Map, Project, Relation
from planner.ir.scalar import (
    Call,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    Scalar,
    SessionName,
    SessionValue,
    scalar_type,
)
from planner.ir.visit import has_subquery, operands_of, rewrite_relation, scalars_of, with_inputs

_ROWS_MAX = 16
_BYTES_MAX = 1_024
_ROWS = 0
"""The local that stands for the rows at hand."""


@dataclass(slots=True)
class RowProgram:
    """The compiled form of one query whose relation reads one collection or some constant rows. Compiled at the first
    run, if possible.
    """

    query: Query
    _compiled: CompiledRows | None = field(default=None, init=False)
    _refused: bool = field(default=False, init=False)

    def compiled(self) -> CompiledRows | None:
        """Returns the query compiled for evaluation row by row; None for a query that must be evaluated in the general
        way."""
        if self._compiled is None and not self._refused:
            self._compiled = _compiled(self.query)
            self._refused = self._compiled is None
        return self._compiled


@dataclass(frozen=True, slots=True)
class CompiledRows:
    """A query compiled for evaluation row by row. `session` are the values of the session that the query reads."""

    session: tuple[SessionName, ...]
    _parameters: int
    _columns: tuple[int, ...]
    _flow: RowFlow
    _execution: Interpretation

    def takes(self, rows: Sequence[Row], parameters: Sequence[Datum]) -> bool:
        """Tells if the rows are few and small enough for the program to run on the event loop."""
        if len(rows) > _ROWS_MAX:
            return False
        return all(bytes_of(value) <= _BYTES_MAX for row in (*rows, parameters) for value in row)

    def run(self, rows: Sequence[Row], parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> list[Row]:
        """Returns the query's rows; raises SqlError as its expressions raise."""
        around = (*parameters[: self._parameters], *(session[name] for name in self.session))
        self._execution.locals[_ROWS] = list(rows)
        columns = self._columns
        return [tuple([row[at] for at in columns]) for row in self._flow((around,))]


def constant_rows_below(relation: Relation) -> tuple[Row, ...] | None:
    """Returns the few rows that a chain of conditions and expressions is over, where they are constant: one row of no
    columns, mostly, as in SELECT $1 + 1 and INSERT … VALUES ($1, now())."""
    while isinstance(relation, Project | Map | Filter):
        relation = relation.input
    if not isinstance(relation, Constant) or sum(count for _, count in relation.rows) > _ROWS_MAX:
        return None
    return tuple(row for row, count in relation.rows for _ in range(count))


def _compiled(query: Query) -> CompiledRows | None:
    finishing = query.finishing
    if finishing.order or finishing.limit is not None or finishing.offset is not None:
        return None
    scalars: list[Scalar] = []
    chain = _over_local(query.relation, scalars)
    if chain is None or not all(map(_repeatable, scalars)):
        return None
    asked = [each for scalar in scalars for each in _asked(scalar)]
    parameters = max((each.number for each in asked if isinstance(each, Parameter)), default=0)
    names = tuple(dict.fromkeys(each.name for each in asked if isinstance(each, SessionValue)))
    places = {name: parameters + at for at, name in enumerate(names)}

    def around(node: Scalar, level: int) -> Scalar | None:
        match node:
            case Parameter(number, type_):
                return OuterColumn(level + 1, number - 1, type_)
            case SessionValue(name):
                return OuterColumn(level + 1, places[name], scalar_type(node))
            case _:
                return None

    relation, local = rewrite_relation(chain[0], around, 0), chain[1]
    if not is_small_over(relation, local, _ROWS_MAX, parameters + len(names), _BYTES_MAX):
        return None
    execution = interpretation(EvaluationContext())
    return CompiledRows(names, parameters, finishing.project, compile_flow(relation, execution), execution)


def _over_local(relation: Relation, scalars: list[Scalar]) -> tuple[Relation, LocalGet] | None:
    """Returns the chain over a local in the place of the collection, and the local; the chain's expressions are added
    to `scalars`. None for more than a chain."""
    match relation:
        case Get(desc=desc) | Constant(desc=desc):
            local = LocalGet(_ROWS, desc)
            return local, local
        case Project(input=inner) | Map(input=inner) | Filter(input=inner):
            scalars.extend(scalars_of(relation))
            below = _over_local(inner, scalars)
            return None if below is None else (with_inputs(relation, (below[0],)), below[1])
        case _:
            return None


def _repeatable(scalar: Scalar) -> bool:
    """Tells whether an expression needs only its row, parameters and the session's values."""
    if has_subquery(scalar):
        return False
    if isinstance(scalar, Call | QuantifiedArray):
        function = FUNCTIONS[scalar.function if isinstance(scalar, Call) else scalar.comparison]
        if function.needs_system or function.volatility is Volatility.VOLATILE:
            return False
    return all(map(_repeatable, operands_of(scalar)))


def _asked(scalar: Scalar) -> list[Parameter | SessionValue]:
    """Returns the parameters and session values in an expression."""
    if isinstance(scalar, Parameter | SessionValue):
        return [scalar]
    return [each for operand in operands_of(scalar) for each in _asked(operand)]
