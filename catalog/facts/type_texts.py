"""Types of users in the texts that tables and domains keep: DEFAULTs and expressions of generated columns, which name
each with its schema.

    'a'::public.mood    after ALTER TYPE mood RENAME TO feeling:  'a'::public.feeling
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from catalog.nouns.items import Domain, Item, Table, Type
from catalog.nouns.names import quote_all
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId

_PART = r'(?:"(?:[^"]|"")+"|[^\W\d]\w*)'
_NAMED = re.compile(rf"""'(?:[^']|'')*'|(?<![\w."])(?:{_PART}\.)?({_PART})\.({_PART})(?![\w.(])""")
"""A constant, which names nothing, or a name with a schema."""
_Name = tuple[str, str]


def types_named(state: CatalogState, item: Item) -> Iterator[tuple[int, GlobalId]]:
    """Yields the columns of a table whose texts name types of users, with the types; for a domain, 0 with the types
    that its DEFAULT names."""
    known: dict[_Name, GlobalId] | None = None
    for column, text in enumerate(_texts(item)):
        if text is None or "." not in text:
            continue
        known = _types_near(state, item) if known is None else known
        named = (_name(match) for match in _NAMED.finditer(text))
        yield from ((column, known[each]) for each in dict.fromkeys(named) if each is not None and each in known)


def with_present_type_names(before: CatalogState, after: CatalogState) -> CatalogState:
    """Returns the state after a change, with types in the texts by their present names."""
    for item in list(after.items.values()):
        old = before.items.get(item.id)
        if old is None or not _texts(item):
            continue
        names = {
            _full(before, before.items[id]): _full(after, after.items[id])
            for _, id in types_named(before, old)
            if id in after.items
        }
        if all(one == other for one, other in names.items()):
            continue

        def renamed(match: re.Match[str], names: dict[_Name, _Name] = names) -> str:
            name = _name(match)
            return match[0] if name is None or name not in names else quote_all(*names[name])

        texts = tuple(None if text is None else _NAMED.sub(renamed, text) for text in _texts(item))
        after = edits.with_item(after, _with_texts(item, texts))
    return after


def _texts(item: Item) -> tuple[str | None, ...]:
    match item.definition:
        case Table(defaults=defaults):
            return defaults
        case Domain(rules=rules):
            return (rules.default,)
        case _:
            return ()


def _with_texts(item: Item, texts: tuple[str | None, ...]) -> Item:
    if isinstance(item.definition, Table):
        return replace(item, definition=replace(item.definition, defaults=texts))
    assert isinstance(item.definition, Domain), "nothing else has texts"
    return replace(item, definition=replace(item.definition, rules=replace(item.definition.rules, default=texts[0])))


def _name(match: re.Match[str]) -> _Name | None:
    """Returns the schema and the name; None for a constant."""

    def read(part: str) -> str:
        return part[1:-1].replace('""', '"') if part[0] == '"' else part.lower()

    return None if match[1] is None else (read(match[1]), read(match[2]))


def _types_near(state: CatalogState, user: Item) -> dict[_Name, GlobalId]:
    """Returns the types of an item's database, by their names with the schema."""
    database = state.schemas[user.schema].database
    schemas = [schema.oid for schema in state.schemas_in(database)]
    items = (item for oid in schemas for item in state.items_in(oid) if isinstance(item.definition, Type))
    return {_full(state, item): item.id for item in items}


def _full(state: CatalogState, item: Item) -> _Name:
    return state.schemas[item.schema].name, item.name
