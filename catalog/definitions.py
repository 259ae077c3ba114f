"""The SQL of a definition, as it would have to be written now."""

from __future__ import annotations

import re
from typing import assert_never

from catalog.items import Item, Reference, Table, View
from catalog.names import quote, quote_all
from catalog.state import CatalogState
from model.scalar_type import type_text
from planner.sql.renamed_text import NewName, with_new_names

_AS = re.compile(r"\bAS\b", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def view_query(state: CatalogState, view: View) -> str:
    """A view's query, ending in a semicolon: as it was written, but for what has other names now."""
    renamed = {}
    for reference in view.references:
        new = _new_name(state, reference)
        if new is not None:
            renamed[reference.name.schema, reference.name.name] = new
    query = _query(with_new_names(view.create_sql, renamed) if renamed else view.create_sql)
    if view.query_columns != view.desc.names:
        query = f"SELECT * FROM ({query}) AS {quote(view.written.name)} ({', '.join(map(quote, view.desc.names))})"
    return f" {query};"


def create_sql(state: CatalogState, item: Item) -> str:
    """The statement that would make the item as it is now, but for its rows, owner and ids."""
    name = state.full_name(item)
    match item.definition:
        case Table():
            return _create_table(quote_all(name.schema, name.name), item.definition)
        case View():
            return f"CREATE VIEW {quote_all(name.schema, name.name)} AS{view_query(state, item.definition)}"
        case _:
            assert_never(item.definition)


def _create_table(name: str, table: Table) -> str:
    columns = []
    for column, default in zip(table.desc.columns, table.defaults, strict=True):
        said = f"{quote(column.name)} {type_text(column.type)}"
        said += "" if default is None else f" DEFAULT {default}"
        columns.append(said if column.nullable else f"{said} NOT NULL")
    sql = f"CREATE TABLE {name} ({', '.join(columns)})"
    if table.retain_history_ms is None:
        return f"{sql};"
    return f"{sql} WITH (RETAIN HISTORY FOR '{table.retain_history_ms} milliseconds');"


def _new_name(state: CatalogState, reference: Reference) -> NewName | None:
    """None when it is still called as it is written."""
    item = state.items.get(reference.id)
    if item is None:
        return None
    name = state.full_name(item)
    columns = None if item.desc.names[: len(reference.columns)] == reference.columns else reference.columns
    if columns is None and (name.schema, name.name) == (reference.name.schema, reference.name.name):
        return None
    return NewName(name.schema, name.name, columns)


def _query(create_sql: str) -> str:
    """Only a name and column names stand before AS, so the first AS outside of quotes begins the query."""
    blanked = _QUOTED.sub(lambda match: "x" * len(match[0]), create_sql)
    match = _AS.search(blanked)
    assert match is not None, "CREATE VIEW has AS"
    return create_sql[match.end() :].strip().rstrip(";").rstrip()
