"""Writes an index as SQL, as PostgreSQL prints it."""

from __future__ import annotations

from catalog.nouns.items import Index, Item
from catalog.nouns.names import quote, quote_all
from catalog.state.catalog_state import CatalogState
from planner.syntax.renamed_text import with_new_columns


def index_sql(state: CatalogState, item: Item, index: Index, on: str | None = None, place: str = "") -> str:
    """Returns the text that pg_get_indexdef prints; `on` is the printed name of the relation where that is not the
    full one, `place` a clause behind the index's name."""
    pretty = on is not None
    if on is None:
        name = state.full_name(state.items[index.on.id])
        on = quote_all(name.schema, name.name)
    keys = ", ".join(
        index_key_sql(state, index, number, pretty) + key.order.words for number, key in enumerate(index.keys)
    )
    unique = "UNIQUE " if index.rule is not None and index.rule.unique else ""
    method = "btree" if index.rule is None else index.rule.method
    columns = range(len(index.keys), len(index.keys) + len(index.included))
    included = ", ".join(index_key_sql(state, index, number, pretty) for number in columns)
    keys = f"{keys}) INCLUDE ({included}" if included else keys
    nulls = "" if index.rule is None or index.rule.nulls_distinct else " NULLS NOT DISTINCT"
    where = "" if index.condition is None else f" WHERE {index_condition_sql(state, index)}"
    return f"CREATE {unique}INDEX {quote(item.name)}{place} ON {on} USING {method} ({keys}){nulls}{where}"


def index_condition_sql(state: CatalogState, index: Index) -> str:
    """Returns a partial index's condition in the names that columns have now."""
    assert index.condition is not None, "the index is partial"
    return _renamed(state, index, index.condition)


def index_key_sql(state: CatalogState, index: Index, number: int, pretty: bool) -> str:
    """Returns the key's expression at position `number`, from 0, in the names that columns have now.

    PostgreSQL puts operators into two pairs of parentheses, but for people into one."""
    names = state.items[index.on.id].desc.names
    key = (*index.keys, *index.included)[number]
    if key.column is not None:
        return quote(names[key.column])
    sql = _renamed(state, index, key.sql)
    return f"({sql})" if sql.startswith("(") and not pretty else sql


def _renamed(state: CatalogState, index: Index, sql: str) -> str:
    names = state.items[index.on.id].desc.names
    renamed = {old: new for old, new in zip(index.on.columns, names, strict=False) if old != new}
    return with_new_columns(sql, renamed) if renamed else sql
