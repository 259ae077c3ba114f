"""Rows that several ask for, gathered as far as any of them has asked, and found by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from model.types.datum import Row
from planner.interpret.execution import Gathered, Interpretation, Scopes
from planner.interpret.reach import remembered
from planner.ir.relation import Relation


def gathering(relation: Relation, execution: Interpretation) -> Callable[[Scopes], Gathered]:
    """Returns the relation's flow, begun once as long as what it depends on stays the same."""
    flow = execution.compile_flow(relation, execution)
    return remembered(relation, lambda scopes: Gathered(flow(scopes)), execution)


class GatheredIndex:
    """Rows by a key that is told for each, read no further than to the one that is asked for. None is no key:
    `unknown` says whether a row without one has been read."""

    __slots__ = ("_coming", "_found", "_key", "unknown")

    def __init__(self, rows: Iterable[Row], key: Callable[[Row], Any]) -> None:
        self._coming = iter(rows)
        self._key = key
        self._found: dict[Any, list[Row]] = {}
        self.unknown = False

    def matching(self, key: Any) -> Iterator[Row]:
        """Yields the rows with a key, in order."""
        if key is None:
            return
        position = 0
        while True:
            found = self._found.get(key, ())
            if position < len(found):
                yield found[position]
                position += 1
                continue
            row = next(self._coming, None)
            if row is None:
                return
            own = self._key(row)
            if own is None:
                self.unknown = True
            else:
                self._found.setdefault(own, []).append(row)
