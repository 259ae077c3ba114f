"""What goes with a drop, and how PostgreSQL words it.

Dependents are found as PostgreSQL finds them: depth first, the youngest first, reported in reverse, so that
errors and notices list objects in its order. An index goes with what it is on, without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from catalog.items import Index, Item, Schema
from catalog.names import quote, quote_all
from catalog.state import CatalogState
from catalog.visibility import item_visible
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate

_LINES_MAX = 100

Droppable = Item | Schema


@dataclass(frozen=True, slots=True)
class Dropped:
    """`because` is the object that it depends on; None for what the statement itself names."""

    object: Droppable
    because: Droppable | None

    @property
    def unasked(self) -> bool:
        """Whether it goes although the statement doesn't name it, and not just as a part of something else."""
        part = isinstance(self.object, Item) and isinstance(self.object.definition, Index)
        return self.because is not None and not part


def describe(state: CatalogState, object: Droppable, search_path: tuple[str, ...]) -> str:
    """`view v`, `table s.t`, `schema s`."""
    if isinstance(object, Schema):
        return f"schema {quote(object.name)}"
    if item_visible(state, object, search_path):
        return f"{object.kind.value} {quote(object.name)}"
    return f"{object.kind.value} {quote_all(state.schemas[object.schema].name, object.name)}"


def dropped_with(state: CatalogState, targets: Sequence[Droppable]) -> tuple[Dropped, ...]:
    """The targets and all that depends on them, in PostgreSQL's order of report."""
    dependents = _dependents(state)
    originals = {target.oid for target in targets}
    found: dict[int, Dropped] = {}
    visited: set[int] = set()

    def visit(object: Droppable, because: Droppable | None) -> None:
        if object.oid in visited:
            return
        visited.add(object.oid)
        for dependent in dependents(object):
            visit(dependent, object)
        found[object.oid] = Dropped(object, None if object.oid in originals else because)

    for target in targets:
        visit(target, None)
    return tuple(reversed(found.values()))


def require_no_others(state: CatalogState, dropped: Iterable[Dropped], search_path: tuple[str, ...]) -> None:
    """2BP01 when anything would go that the statement doesn't name."""
    dropped = tuple(dropped)
    others = [d for d in dropped if d.unasked]
    if not others:
        return
    targets = [d for d in dropped if d.because is None]
    lines = []
    for each in others:
        assert each.because is not None
        lines.append(
            f"{describe(state, each.object, search_path)} depends on {describe(state, each.because, search_path)}"
        )
    if len(targets) == 1:
        message = f"cannot drop {describe(state, targets[0].object, search_path)} because other objects depend on it"
    else:
        message = "cannot drop desired object(s) because other objects depend on them"
    raise SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        message,
        detail=_joined(lines),
        hint="Use DROP ... CASCADE to drop the dependent objects too.",
    )


def cascade_notice(
    state: CatalogState, dropped: Iterable[Dropped], search_path: tuple[str, ...]
) -> tuple[str, str | None] | None:
    """The notice of a cascading drop: (message, detail), or None when nothing else goes."""
    lines = [f"drop cascades to {describe(state, each.object, search_path)}" for each in dropped if each.unasked]
    if not lines:
        return None
    if len(lines) == 1:
        return lines[0], None
    return f"drop cascades to {len(lines)} other objects", _joined(lines)


def _joined(lines: list[str]) -> str:
    shown = lines[:_LINES_MAX]
    rest = len(lines) - len(shown)
    if rest:
        shown.append(f"and {rest} other {'object' if rest == 1 else 'objects'} (see server log for list)")
    return "\n".join(shown)


def _dependents(state: CatalogState) -> Callable[[Droppable], list[Droppable]]:
    """Direct dependents, youngest first; one pass over the items serves the whole search."""
    by_item: dict[GlobalId, list[Droppable]] = {}
    by_schema: dict[int, list[Droppable]] = {}
    for item in sorted(state.items.values(), key=lambda item: -item.oid):
        by_schema.setdefault(item.schema, []).append(item)
        for id in item.depends_on:
            by_item.setdefault(id, []).append(item)

    def dependents(object: Droppable) -> list[Droppable]:
        if isinstance(object, Schema):
            return by_schema.get(object.oid, [])
        return by_item.get(object.id, [])

    return dependents
