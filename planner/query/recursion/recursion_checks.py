"""Checks the place where a recursive query names itself: once, in its second term, where more rows of it only add
rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis

_OUTER = {
    tree.JOIN_LEFT: frozenset(("rarg",)),
    tree.JOIN_RIGHT: frozenset(("larg",)),
    tree.JOIN_FULL: frozenset(("larg", "rarg")),
}


def mentions(message: Any, name: str) -> bool:
    """Tells whether a tree contains this table name."""
    return next(_references(message, name, None), None) is not None


def check_recursion(analysis: Analysis, table: Any) -> None:
    """Raises 42P19 when a query of WITH names itself where PostgreSQL does not allow it."""
    name, select = table.ctename, table.ctequery.select_stmt
    if select.op != tree.SETOP_UNION:
        message = f'recursive query "{name}" does not have the form non-recursive-term UNION [ALL] recursive-term'
        raise analysis.error(Sqlstate.INVALID_RECURSION, message, table.location)
    for place, _ in _references(select.larg, name, None):
        raise _refused(analysis, name, "within its non-recursive term", place)
    seen = False
    for place, where in _references(select.rarg, name, None):
        if where is not None:
            raise _refused(analysis, name, f"within {where}", place)
        if seen:
            raise _refused(analysis, name, "more than once", place)
        seen = True


def _refused(analysis: Analysis, name: str, where: str, place: int) -> Exception:
    message = f'recursive reference to query "{name}" must not appear {where}'
    return analysis.error(Sqlstate.INVALID_RECURSION, message, place)


def _references(message: Any, name: str, where: str | None) -> Iterator[tuple[int, str | None]]:
    """Yields each reference to the table in a syntax tree, with the surrounding construct that forbids recursion, if
    any.
    """
    kind = message.DESCRIPTOR.name
    if kind == "RangeVar":
        if message.relname == name and not message.schemaname:
            yield message.location, where
        return
    fields = message.ListFields()
    for field, value in fields:
        if field.name == "with_clause":
            yield from _references_in_with(value, name, where)
            if any(part.common_table_expr.ctename == name for part in value.ctes):
                # What else the statement names so is that table.
                return
    for field, value in fields:
        if field.type != field.TYPE_MESSAGE or field.name == "with_clause":
            continue
        inside = where or _inside(message, kind, field.name)
        for part in value if field.is_repeated else (value,):
            yield from _references(part, name, inside)


def _references_in_with(clause: Any, name: str, where: str | None) -> Iterator[tuple[int, str | None]]:
    """Yields references in WITH, up to and with the entry of the same name, which hides the table from later entries;
    RECURSIVE hides the table from all entries.
    """
    tables = [part.common_table_expr for part in clause.ctes]
    if clause.recursive and any(table.ctename == name for table in tables):
        return
    for table in tables:
        yield from _references(table, name, where)
        if table.ctename == name:
            return


def _inside(message: Any, kind: str, part: str) -> str | None:
    match kind:
        case "SubLink":
            return "a subquery"
        case "JoinExpr" if part in _OUTER.get(message.jointype, ()):
            return "an outer join"
        case "SelectStmt" if message.op == tree.SETOP_INTERSECT and message.all and part in ("larg", "rarg"):
            return "INTERSECT"
        case "SelectStmt" if message.op == tree.SETOP_EXCEPT and (part == "rarg" or (message.all and part == "larg")):
            return "EXCEPT"
        case _:
            return None
