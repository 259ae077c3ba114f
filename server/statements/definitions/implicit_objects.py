"""Sequences of serial columns and indexes of constraints, made without a name in the statement.

PostgreSQL tells of such objects at DEBUG1, and drivers try notices with these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.changes.change import Change, CreateItem
from catalog.nouns.items import Index, SequenceDefinition
from catalog.nouns.notices import Notice
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import KeyKind

_WORDS = {KeyKind.PRIMARY: "PRIMARY KEY", KeyKind.UNIQUE: "UNIQUE", KeyKind.EXCLUSION: "EXCLUDE"}


def implicit_objects(tag: str, changes: Iterable[Change], after: CatalogState) -> Iterator[Notice]:
    """Yields a notice for each implicit object, in PostgreSQL's words. `tag`: the statement's."""
    for change in changes:
        if isinstance(change, CreateItem):
            message = _message(tag, change, after)
            if message is not None:
                yield Notice(Sqlstate.SUCCESSFUL_COMPLETION, message, severity=Severity.DEBUG)


def _message(tag: str, created: CreateItem, after: CatalogState) -> str | None:
    match created.definition:
        case SequenceDefinition(owned_by=owner) if owner is not None:
            table = after.items[owner.table]
            column = f"{table.name}.{table.desc.columns[owner.column].name}"
            return f'{tag} will create implicit sequence "{created.name}" for serial column "{column}"'
        case Index(on=on, rule=rule) if rule is not None and rule.kind in _WORDS:
            joined = "/ ADD" if tag == "ALTER TABLE" else "/"
            table = after.items[on.id]
            words = _WORDS[rule.kind]
            return f'{tag} {joined} {words} will create implicit index "{created.name}" for table "{table.name}"'
        case _:
            return None
