"""The target of INSERT, UPDATE and DELETE: a table, or the table beneath a view, seen as the view shows it.

CREATE VIEW v AS SELECT a AS x, b + 1 AS y FROM t WHERE a > 0
UPDATE v SET x = 2 WHERE y = 3        changes t: a = 2 where a > 0 and b + 1 = 3
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import ItemKind, ItemView
from planner.ir.columns import map_columns, shift_columns
from planner.ir.relation import Filter, Get, Relation, TargetGet, ViewGet
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Column, Scalar
from planner.ir.unit import UNIT
from planner.ir.visit import has_subquery
from planner.plans.constraints import RowGuard
from planner.query.from_clause import resolve_table
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.scope.scope import Field, NamespaceItem
from planner.scope.system_columns import SYSTEM_COLUMNS
from planner.scope.uses import Beneath
from planner.statements.changes.assignment import changeable_table
from planner.statements.changes.simple_view import NO_COLUMNS, SUBQUERY_CHECKED, SimpleView, simple_view

_TRIGGERS = {
    "insert into": ("inserting into", "INSERT"),
    "update": ("updating", "UPDATE"),
    "delete from": ("deleting from", "DELETE"),
}
"""The words of PostgreSQL's hint, by the words of its message."""


@dataclass(frozen=True, slots=True)
class TargetColumn:
    """A column of what a statement names, and its `number` there, from 1. `value`: over a row of the table. `position`:
    its place in the table; None for an expression of the view in `refused`, whose column is called as said there."""

    name: str
    number: int
    value: Scalar
    position: int | None
    refused: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class ViewLevel:
    """A view between the name and the table: its conditions over a row of the table, and its WITH CHECK OPTION."""

    view: str
    conditions: tuple[Scalar, ...]
    check_option: str | None


@dataclass(frozen=True, slots=True)
class ChangedTarget:
    """The relation that a statement names, and the table that it changes.

    `shown`: the table by the names that the statement uses
    `levels`: the views between the name and the table, outermost first
    `view`: the innermost of them, by whose owner's rights the table is used
    `beneath`: what the owners of the views need
    """

    named: ItemView
    table: ItemView
    shown: ItemView
    columns: tuple[TargetColumn, ...]
    levels: tuple[ViewLevel, ...] = ()
    view: GlobalId | None = None
    beneath: Beneath | None = None

    def column(self, analysis: Analysis, name: str, location: int, verb: str) -> TargetColumn:
        """Returns a column by its name. Raises SqlError 42703 where there is none, 0A000 for an expression of a
        view, and for a system column."""
        found = next((each for each in self.columns if each.name == name), None)
        if found is None and verb == "update" and name in SYSTEM_COLUMNS:
            message = f'cannot assign to system column "{name}"'
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)
        if found is None:
            message = f'column "{name}" of relation "{self.named.name.name}" does not exist'
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location)
        if found.position is None:
            raise refusal(analysis, found, verb)
        return found

    def position(self, analysis: Analysis, name: str, location: int, verb: str) -> int:
        """Returns a column's place in the table; errors as of `column`."""
        position = self.column(analysis, name, location, verb).position
        assert position is not None, "others are refused"
        return position

    def namespace(self, alias: str | None, start: int = 0) -> NamespaceItem:
        """Returns the columns, from `start` on in the row, under the name of the relation or its alias."""
        fields = tuple(Field(each.name, shift_columns(each.value, start)) for each in self.columns)
        return NamespaceItem(alias or self.named.name.name, fields, None if alias else self.named.name.schema)

    def rows(self, right: str, current: int | None = None) -> Relation:
        """Returns the rows of the table that the statement sees; `right` is what is done with them, `current` the local
        id of a cursor's row, where no other is changed."""
        table = self.table
        rows: Relation = Get(table.id, table.desc)
        if table.secured or current is not None:
            rows = TargetGet(table.id, table.desc, right, self.view, current)
        for level in reversed(self.levels):
            rows = Filter(rows, level.conditions) if level.conditions else rows
        return rows

    def checks(self, analysis: Analysis) -> tuple[RowGuard, ...]:
        """Returns the conditions of WITH CHECK OPTION on new rows, those of inner views first. Raises SqlError 0A000
        for subqueries in them."""
        checks: list[RowGuard] = []
        cascaded = False
        for level in self.levels:
            if cascaded or level.check_option is not None:
                cascaded = cascaded or level.check_option == "cascaded"
                if any(map(has_subquery, level.conditions)):
                    raise analysis.unsupported(SUBQUERY_CHECKED)
                checks[:0] = [RowGuard(None, each, level.view) for each in level.conditions]
        return tuple(checks)


def refusal(analysis: Analysis, column: TargetColumn, verb: str) -> SqlError:
    """Returns the error for a value given to an expression of a view."""
    view, name = column.refused
    detail = "View columns that are not columns of their base relation are not updatable."
    message = f'cannot {verb} column "{name}" of view "{view}"'
    return analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)


def table_target(table: ItemView) -> ChangedTarget:
    """Returns a table as a target."""
    columns = tuple(
        TargetColumn(column.name, table.column_number(at), Column(at, column.type), at)
        for at, column in ((at, table.desc.columns[at]) for at in table.visible)
    )
    return ChangedTarget(table, table, table, columns)


def changed_target(analysis: Analysis, node: Any, verb: str) -> ChangedTarget:
    """Returns the target that a RangeVar names. Raises SqlError 55000 for views that can't be written to, 42501 for the
    system's relations."""
    return _target(analysis, resolve_table(analysis, range_parts(node), node.location), verb)


def _target(analysis: Analysis, item: ItemView, verb: str) -> ChangedTarget:
    if item.kind is not ItemKind.VIEW:
        return table_target(changeable_table(analysis, item, verb))
    catalog = analysis.context.catalog
    text = catalog.view_text(item.id)
    assert text is not None, "a view has a text"
    simple, analysis.local_ids = simple_view(text, analysis.local_ids)
    if isinstance(simple, SimpleView) and not simple.has_updatable and verb != "delete from":
        simple = NO_COLUMNS
    if isinstance(simple, str):
        raise _not_updatable(analysis, item, verb, simple)
    on = catalog.item(simple.on.id)
    assert on is not None, "what a view stands on stays"
    analysis.depends_on.add(on.id)
    below = _target(analysis, on, verb)
    under = {column.number: column for column in below.columns}

    def over_table(scalar: Scalar) -> Scalar:
        seen = _read_beneath(scalar, item.id)
        if not below.levels:
            return seen
        return map_columns(seen, lambda column: under[on.column_number(column.index)].value)

    columns, numbers = list[TargetColumn](), dict[int, int]()
    # The query of a view may have more columns than the view: what was added beneath since is no part of it.
    for at, (column, value) in enumerate(zip(item.visible_desc.columns, simple.columns, strict=False)):
        position = simple.position(at)
        if position is None:
            columns.append(TargetColumn(column.name, at + 1, over_table(value), None, (item.name.name, column.name)))
            continue
        named = under[on.column_number(position)]
        numbers[at + 1] = named.number
        columns.append(replace(named, name=column.name, number=at + 1))
    level = ViewLevel(item.name.name, tuple(map(over_table, simple.conditions)), text.check_option)
    names = {each.position: each.name for each in reversed(columns)}
    desc = RelationDesc(
        tuple(replace(each, name=names.get(at, each.name)) for at, each in enumerate(below.table.desc.columns))
    )
    return ChangedTarget(
        item,
        below.table,
        replace(below.table, name=item.name, desc=desc),
        tuple(columns),
        (level, *below.levels),
        below.view or item.id,
        Beneath(on.id, numbers, below.beneath),
    )


def _not_updatable(analysis: Analysis, view: ItemView, verb: str, reason: str) -> SqlError:
    doing, command = _TRIGGERS[verb]
    rule = f"an unconditional ON {command} DO INSTEAD rule"
    hint = f"To enable {doing} the view, provide an INSTEAD OF {command} trigger or {rule}."
    message = f'cannot {verb} view "{view.name.name}"'
    return analysis.error(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=reason, hint=hint)


def _read_beneath(scalar: Scalar, view: GlobalId) -> Scalar:
    """Returns an expression of a view whose subqueries read as the view reads."""
    if not has_subquery(scalar):
        return scalar
    read = rewrite_gets(Filter(UNIT, (scalar,)), lambda get: ViewGet(get.id, get.desc, view))
    assert isinstance(read, Filter), "Gets alone are replaced"
    return read.predicates[0]
