"""SEARCH and CYCLE of WITH RECURSIVE: columns that each row passes on to those made of it.

    SEARCH DEPTH FIRST BY a SET s       s: ARRAY[ROW(a)], and then s || ROW(a)
    SEARCH BREADTH FIRST BY a SET s     s: ROW(0, a), and then ROW(depth + 1, a)
    CYCLE a SET m USING p               p: ARRAY[ROW(a)], and then p || ROW(a); m: false, and then ROW(a) = ANY (p);
                                        of a row with m nothing more is made

In the recursive term the columns are found by name, and no part of `*`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8, ScalarType, TypeName, array_of
from planner.expressions.calls import call_operator
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Map, Project, Relation
from planner.ir.scalar import (
    ArrayOf,
    Call,
    Case,
    Column,
    Literal,
    QuantifiedArray,
    Quantifier,
    RowOf,
    Scalar,
    scalar_type,
)
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, strings
from planner.scope.scope import Scope
from planner.types.coercion import to_common_type

_DEPTH = "*DEPTH*"
"""A column that nobody names: how many steps there are to a row."""


@dataclass(frozen=True, slots=True)
class _Passed:
    """A column that SEARCH or CYCLE adds to a recursive query.

    first   the column's value in a row of the base, over the base's columns
    then    the column's value in a row that a step adds, over the step's columns, then the columns of the row before
    """

    name: str
    first: Scalar
    then: Scalar


@dataclass(frozen=True, slots=True)
class Tracking:
    """The additions to a recursive query of `width` columns; those of `going_on` are conditions of the steps."""

    width: int
    passed: tuple[_Passed, ...]
    going_on: tuple[Scalar, ...]

    @property
    def columns(self) -> tuple[ColumnDesc, ...]:
        return tuple(ColumnDesc(each.name, scalar_type(each.first)) for each in self.passed)

    def base(self, relation: Relation) -> Relation:
        return Map(relation, tuple(each.first for each in self.passed), tuple(each.name for each in self.passed))

    def step(self, relation: Relation) -> Relation:
        """Adds the tracking columns to a step's rows. `relation` has the query's columns, followed by the tracking
        columns of the row from which each row was made.
        """
        added = len(self.passed)
        if self.going_on:
            relation = Filter(relation, self.going_on)
        mapped = Map(relation, tuple(each.then for each in self.passed), tuple(each.name for each in self.passed))
        return Project(mapped, (*range(self.width), *range(self.width + added, self.width + 2 * added)))

    def shown(self, relation: Relation) -> Relation:
        """Returns the recursion's rows as other queries see them."""
        columns = relation_desc_of(relation).columns
        kept = tuple(at for at, column in enumerate(columns) if column.name != _DEPTH)
        return relation if len(kept) == len(columns) else Project(relation, kept)


def tracking_of(
    analysis: Analysis, table: Any, columns: Sequence[ColumnDesc], environment: QueryEnvironment
) -> Tracking | None:
    """Returns the additions that a common table asks for, if any; raises 42601 and 42701 for names that don't fit."""
    if not table.HasField("search_clause") and not table.HasField("cycle_clause"):
        return None
    passed: list[_Passed] = []
    going_on: tuple[Scalar, ...] = ()
    names = [column.name for column in columns]
    own = tuple(Column(at, column.type) for at, column in enumerate(columns))

    def last(at: int, type_: ScalarType) -> Column:
        return Column(len(own) + at, type_)

    if table.HasField("search_clause"):
        clause = table.search_clause
        by = _chosen(analysis, "search", clause.search_col_list, names, clause.location)
        _check_new(analysis, "search sequence", clause.search_seq_column, names, clause.location)
        fields = tuple(own[at] for at in by)
        if clause.search_breadth_first:
            # The depth stands behind all others, by itself: expressions can't take it out of a row.
            added = 1 + (2 if table.HasField("cycle_clause") else 0)
            deeper = Call("add_int8_int8", (last(added, INT8), Literal(1, INT8)), INT8)
            passed.append(_Passed(clause.search_seq_column, _row((Literal(0, INT8), *fields)), _row((deeper, *fields))))
        else:
            passed.append(_path(clause.search_seq_column, fields, last(0, array_of(scalar_type(_row(fields))))))
    if table.HasField("cycle_clause"):
        clause = table.cycle_clause
        by = _chosen(analysis, "cycle", clause.cycle_col_list, names, clause.location)
        _check_cycle_names(analysis, table, names)
        row = _row(tuple(own[at] for at in by))
        (value, default), type_ = _marks(analysis, clause, environment)
        mark, path = last(len(passed), type_), last(len(passed) + 1, array_of(row.type))
        seen = QuantifiedArray(Quantifier.ANY, "not_distinct_record_record", row, path)
        passed.append(_Passed(clause.cycle_mark_column, default, Case(((seen, value),), default, type_)))
        passed.append(_path(clause.cycle_path_column, row.fields, path))
        going_on = (call_operator(analysis, "<>", [mark, value], clause.location, [clause.location] * 2),)
    if table.HasField("search_clause") and table.search_clause.search_breadth_first:
        passed.append(_Passed(_DEPTH, Literal(0, INT8), deeper))
    return Tracking(len(own), tuple(passed), going_on)


def _row(fields: tuple[Scalar, ...]) -> RowOf:
    types = tuple((f"f{at}", scalar_type(field)) for at, field in enumerate(fields, start=1))
    return RowOf(fields, ScalarType(TypeName.RECORD, fields=types))


def _path(name: str, fields: tuple[Scalar, ...], last: Column) -> _Passed:
    row = _row(fields)
    longer = Call("concat_anycompatiblearray_anycompatible", (last, row), last.type)
    return _Passed(name, ArrayOf((row,), last.type), longer)


def _marks(analysis: Analysis, clause: Any, environment: QueryEnvironment) -> tuple[tuple[Scalar, ...], ScalarType]:
    """Returns the value that marks rows of a cycle, and the value of all others."""
    expressions = Expressions(analysis, Scope(()), environment, ClausePlace.SELECT)
    nodes = (clause.cycle_mark_value, clause.cycle_mark_default)
    return to_common_type(analysis, list(map(expressions.plan, nodes)), "CYCLE", list(map(location_of, nodes)))


def _chosen(analysis: Analysis, what: str, listed: Any, names: Sequence[str], location: int) -> list[int]:
    found: list[int] = []
    for name in strings(listed):
        if name not in names:
            message = f'{what} column "{name}" not in WITH query column list'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
        if names.index(name) in found:
            message = f'{what} column "{name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, location)
        found.append(names.index(name))
    return found


def _check_new(analysis: Analysis, what: str, name: str, names: Sequence[str], location: int) -> None:
    if name in names:
        message = f'{what} column name "{name}" already used in WITH query column list'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def _check_cycle_names(analysis: Analysis, table: Any, names: Sequence[str]) -> None:
    clause = table.cycle_clause
    mark, path = clause.cycle_mark_column, clause.cycle_path_column
    _check_new(analysis, "cycle mark", mark, names, clause.location)
    _check_new(analysis, "cycle path", path, names, clause.location)
    sequence = table.search_clause.search_seq_column if table.HasField("search_clause") else None
    for same, one, other in (
        (mark == path, "cycle mark", "cycle path"),
        (sequence == mark, "search sequence", "cycle mark"),
        (sequence == path, "search sequence", "cycle path"),
    ):
        if same:
            message = f"{one} column name and {other} column name are the same"
            location = clause.location if one == "cycle mark" else table.search_clause.location
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def step_with(analysis: Analysis, table: Any, columns: Sequence[ColumnDesc]) -> Any:
    """Returns the recursive term's SelectStmt, which selects the columns of the row that it recurs on as well."""
    select = table.ctequery.select_stmt
    for side, part, state in (
        ("left", select.larg, Sqlstate.FEATURE_NOT_SUPPORTED),
        ("right", select.rarg, Sqlstate.SYNTAX_ERROR),
    ):
        if part.op != tree.SETOP_NONE:
            raise analysis.error(state, f"with a SEARCH or CYCLE clause, the {side} side of the UNION must be a SELECT")
    alias = _alias_of(select.rarg.from_clause, table.ctename)
    if alias is None:
        message = (
            f'with a SEARCH or CYCLE clause, the recursive reference to WITH query "{table.ctename}" must be at the '
            "top level of its right-hand SELECT"
        )
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    step = tree.SelectStmt()
    step.CopyFrom(select.rarg)
    for column in columns:
        target = step.target_list.add().res_target
        target.location = target.val.column_ref.location = -1
        for part in (alias, column.name):
            target.val.column_ref.fields.add().string.sval = part
    return step


def _alias_of(nodes: Any, name: str) -> str | None:
    """Returns the alias of a table in FROM, joins included."""
    for node in nodes:
        match node.WhichOneof("node"):
            case "range_var" if node.range_var.relname == name and not node.range_var.schemaname:
                return str(node.range_var.alias.aliasname if node.range_var.HasField("alias") else name)
            case "join_expr":
                found = _alias_of((node.join_expr.larg, node.join_expr.rarg), name)
                if found is not None:
                    return found
            case _:
                pass
    return None
