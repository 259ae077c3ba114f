"""Which keys a statement asserts and retracts, and whether the table may have them. Pure.

A table has each key at most once before a statement, so of a key that the statement retracts it has none left, and that
key may be asserted once. Of the others only the table can tell: they are `wanted`. So an UPDATE that leaves its keys as
they are asks for nothing, and one that moves them, as k = k + 1 does, is judged by what there is when it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence

from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.scalar_type import ScalarType


class KeyForm:
    """How a row's key is made, and when two are equal: `make` gives its parts, of these types."""

    def __init__(self, make: Callable[[Row], Row], types: Sequence[ScalarType], nulls_distinct: bool) -> None:
        self._make = make
        self._identity = identity_key(types)
        self._nulls_distinct = nulls_distinct

    def key(self, row: Row) -> Row | None:
        """None when it can have no equal."""
        key = self._make(row)
        return None if self._nulls_distinct and None in key else key

    def identity(self, key: Row) -> Hashable:
        """Equal for equal keys."""
        identity: Hashable = self._identity(key)
        return identity


class KeyChanges:
    """Of one key of a table."""

    def __init__(self, form: KeyForm) -> None:
        self._form = form
        self._rows = 0
        self._first: dict[Hashable, tuple[int, Row]] = {}
        self._again: dict[Hashable, list[int]] = {}
        self._retracted: set[Hashable] = set()

    def add(self, rows: Iterable[Row]) -> None:
        """Rows that the statement asserts."""
        for row in rows:
            self._rows += 1
            key = self._form.key(row)
            if key is None:
                continue
            identity = self._form.identity(key)
            if identity in self._first:
                self._again.setdefault(identity, []).append(self._rows)
            else:
                self._first[identity] = self._rows, key

    def remove(self, rows: Iterable[Row]) -> None:
        """Rows that the statement retracts; the table has them."""
        for row in rows:
            key = self._form.key(row)
            if key is not None:
                self._retracted.add(self._form.identity(key))

    def wanted(self) -> dict[Hashable, Row]:
        """The keys, by identity, of which the table's rows as they were before the statement are to be known."""
        return {identity: key for identity, (_, key) in self._first.items() if identity not in self._retracted}

    def violation(self, present: Container[Hashable]) -> tuple[int, Row] | None:
        """The number, among the rows asserted, of the first that can't be, and its key; `present` are the identities of
        `wanted` keys that the table has."""
        found: list[tuple[int, Row]] = []
        for identity, (number, key) in self._first.items():
            if identity not in self._retracted and identity in present:
                found.append((number, key))
                break
        doubled = ((numbers[0], self._first[identity][1]) for identity, numbers in self._again.items())
        found.extend([min(doubled, key=_number)] if self._again else [])
        return min(found, key=_number, default=None)


def _number(violation: tuple[int, Row]) -> int:
    return violation[0]
