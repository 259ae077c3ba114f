"""Changes comments. A comment is kept by the oid of an object: it survives renames, and is dropped with the object."""

from __future__ import annotations

from dataclasses import replace

from catalog.changes.change import SetComment
from catalog.facts.comments import policy_oids
from catalog.facts.constraints import constraint_oids
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def commented(state: CatalogState, change: SetComment) -> CatalogState:
    """Returns the state with the comment; an empty text removes it. Raises 42704 when the object was dropped
    meanwhile."""
    parts = constraint_oids(state) | policy_oids(state)
    if not _present(state, change.oid, change.column) and change.oid not in parts:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what is commented on has been dropped")
    return edits.with_comment(state, change.oid, change.column, change.text or None)


def with_present_comments(state: CatalogState) -> CatalogState:
    """Removes the comments on objects that are gone."""
    missing = [key for key in state.comments if not _present(state, *key)]
    parts = constraint_oids(state) | policy_oids(state) if missing else frozenset()
    gone = {(oid, column) for oid, column in missing if column or oid not in parts}
    kept = {key: text for key, text in state.comments.items() if key not in gone}
    return replace(state, comments=kept) if gone else state


def _present(state: CatalogState, oid: int, column: int) -> bool:
    if oid in state.schemas or oid in state.clusters:
        return True
    item = state.item_by_oid(oid)
    if item is None or column == 0:
        return item is not None
    stored = item.layout.stored
    return column <= len(stored) and stored[column - 1] is not None
