"""The keys that a statement asserts and retracts, and violations among them. Pure.

Before a statement, a table has each key at most once; after a retraction of the key it has none, and one assertion is
allowed. Other asserted keys depend on the table's rows: they are `wanted`. An UPDATE that leaves its keys unchanged
therefore asks for nothing, and an UPDATE that moves them, like k = k + 1, is judged by its final result.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence

from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.scalar_type import ScalarType


class KeyForm:
    """The form of a key: `make` returns a row's key parts, of the given types, and `identity` compares keys. With
    `condition` only the rows for which this is true have a key."""

    def __init__(
        self,
        make: Callable[[Row], Row],
        types: Sequence[ScalarType],
        nulls_distinct: bool,
        condition: Callable[[Row], object] | None = None,
    ) -> None:
        self._make = make
        self._condition = condition
        self._identity = identity_key(types)
        self._nulls_distinct = nulls_distinct

    def key(self, row: Row) -> Row | None:
        """Returns the key of a row; None for a key that equals no other."""
        if self._condition is not None and self._condition(row) is not True:
            return None
        key = self._make(row)
        return None if self._nulls_distinct and None in key else key

    def identity(self, key: Row) -> Hashable:
        """Returns what is equal for equal keys."""
        identity: Hashable = self._identity(key)
        return identity


class KeyChanges:
    """The changes of one key of a table."""

    def __init__(self, form: KeyForm) -> None:
        self._form = form
        self._rows = 0
        self._first: dict[Hashable, tuple[int, Row]] = {}
        self._again: dict[Hashable, list[int]] = {}
        self._retracted: set[Hashable] = set()

    def add(self, rows: Iterable[Row]) -> None:
        """Takes asserted rows."""
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
        """Takes retracted rows, which the table has."""
        for row in rows:
            key = self._form.key(row)
            if key is not None:
                self._retracted.add(self._form.identity(key))

    def wanted(self) -> dict[Hashable, Row]:
        """Returns the keys, by identity, to be looked up among the table's rows before the statement."""
        return {identity: key for identity, (_, key) in self._first.items() if identity not in self._retracted}

    def doubled(self, present: Container[Hashable]) -> dict[Hashable, Row]:
        """Returns the keys, by identity, that more than one row has after the statement, if no key had more before.
        `present` as of `violation`."""
        return {
            identity: key
            for identity, (_, key) in self._first.items()
            if identity in self._again or (identity not in self._retracted and identity in present)
        }

    def violation(self, present: Container[Hashable]) -> tuple[int, Row] | None:
        """Returns the number of the first asserted row that violates the key, and its key. `present` are the
        identities of `wanted` keys in the table."""
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
