"""Users' functions in the texts that tables keep: DEFAULTs, CHECKs and expressions of generated columns, which name
each with its schema.

    public.is_fine(a)

Overloads have one name, so a text counts as naming all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from catalog.nouns.items import FunctionDefinition, Item, Table
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from planner.catalog_view import TableCheck

_PART = r'(?:"(?:[^"]|"")+"|[^\W\d]\w*)'
_CALLED = re.compile(rf"""'(?:[^']|'')*'|(?<![\w."])(?:{_PART}\.)?({_PART})\.({_PART})\(""")
"""A constant, which names nothing, or the name of a function with the schema, and what opens the arguments."""


@dataclass(frozen=True, slots=True)
class CallInText:
    """The text that names a function: a column's, by position, or a CHECK's."""

    function: GlobalId
    place: int | TableCheck


def functions_named(state: CatalogState, table: Item) -> Iterator[CallInText]:
    """Yields the users' functions that the texts of a table name."""
    if not isinstance(table.definition, Table):
        return
    defaults = enumerate(table.definition.defaults)
    texts: list[tuple[int | TableCheck, str]] = [(at, text) for at, text in defaults if text is not None]
    texts += [(check, check.sql) for check in table.definition.checks]
    for place, text in texts:
        for schema, name in dict.fromkeys(_names(text)):
            for item in state.functions_named(name):
                if state.schemas[item.schema].name == schema and _alike(state, item, table):
                    yield CallInText(item.id, place)


def tables_calling(state: CatalogState, function: Item) -> Iterator[Item]:
    """Yields the tables whose texts name a function."""
    assert isinstance(function.definition, FunctionDefinition)
    for item in state.items.values():
        if any(each.function == function.id for each in functions_named(state, item)):
            yield item


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Yields the schemas and names of what a text calls with a schema."""

    def read(part: str) -> str:
        return part[1:-1].replace('""', '"') if part[0] == '"' else part.lower()

    for match in _CALLED.finditer(text):
        if match[1] is not None:
            yield read(match[1]), read(match[2])


def _alike(state: CatalogState, item: Item, other: Item) -> bool:
    """Tells whether two items are of one database."""
    return state.schemas[item.schema].database == state.schemas[other.schema].database
