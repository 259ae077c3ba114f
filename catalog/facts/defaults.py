"""DEFAULTs as the catalog stores them: relations, and types in constants, are named by their oids, so that renames
don't matter.

kept:  nextval('20005'::regclass)        shown:  nextval('s.t_a_seq'::regclass)
"""

from __future__ import annotations

import re

from catalog.facts.visibility import item_visible
from catalog.nouns.items import Item, Table
from catalog.nouns.names import quote, quote_all
from catalog.state.catalog_state import CatalogState
from planner.functions.text.quoting import quote_literal

_NUMBERED = re.compile(r"'(\d+)'::(regclass|regtype)")


def is_generated(item: Item, position: int) -> bool:
    """Tells whether what stands as the DEFAULT of an item's column is the expression of a generated column."""
    return isinstance(item.definition, Table) and any(each.column == position for each in item.definition.generated)


def next_value_of(oid: int) -> str:
    """Returns the DEFAULT that takes the next value of a sequence."""
    return f"nextval('{oid}'::regclass)"


def relations_named(default: str) -> tuple[int, ...]:
    """Returns the oids of the relations and types that a DEFAULT names by their oids."""
    return tuple(int(match[1]) for match in _NUMBERED.finditer(default))


def shown_default(state: CatalogState, default: str, search_path: tuple[str, ...]) -> str:
    """Returns the DEFAULT as users see it, with the present names of what has oids in it."""

    def named(match: re.Match[str]) -> str:
        item = state.item_by_oid(int(match[1]))
        if item is None:
            return match[0]
        visible = item_visible(state, item, search_path)
        name = quote(item.name) if visible else quote_all(state.schemas[item.schema].name, item.name)
        return f"{quote_literal(name)}::{match[2]}"

    return _NUMBERED.sub(named, default)
