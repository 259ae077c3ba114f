"""Shows errors of sources, sinks and views in system relations to roles that may read the rows.

An error quotes values: `invalid input syntax for type integer: "secret"`.
"""

from __future__ import annotations

import json

from catalog.builtin.shown_to import reader_of
from catalog.declared.snapshot import SystemSnapshot, TaskCondition
from catalog.facts.roles.predefined import READ_ALL_STATS
from model.ids.global_id import GlobalId

_HIDDEN = "<insufficient privilege>"


def error_and_details(snapshot: SystemSnapshot, condition: TaskCondition, *, of: GlobalId) -> tuple[str | None, ...]:
    """Returns the error of a condition, and the hint as jsonb; `of` is the relation whose rows the error quotes."""
    error = shown_error(snapshot, condition.error, of=of)
    if condition.hint is None or error != condition.error:
        return error, None
    return error, json.dumps({"hint": condition.hint}, ensure_ascii=False)


def shown_error(snapshot: SystemSnapshot, error: str | None, *, of: GlobalId) -> str | None:
    """Returns an error about the rows of a relation for owners, roles with SELECT on the relation, and monitors; for
    other roles the words of PostgreSQL for a missing privilege."""
    return error if error is None or _may_read(snapshot, of) else _HIDDEN


def _may_read(snapshot: SystemSnapshot, id_: GlobalId) -> bool:
    reader, item = reader_of(snapshot), snapshot.state.items.get(id_)
    return item is not None and (reader.may_see_rows(item) or reader.has_privileges_of(READ_ALL_STATS))
