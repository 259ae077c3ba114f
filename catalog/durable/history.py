"""The states of the catalog over time, accumulated from its shard's updates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from catalog.durable.rows import CatalogRow, load
from catalog.state.catalog_state import CatalogState
from model.time.timestamp import Timestamp
from model.updates.update import Update

_STATES_MAX = 16


class CatalogHistory:
    """Keeps the updates after `since` one by one, and the earlier ones accumulated; builds states on demand, and
    keeps a few."""

    def __init__(self, updates: Iterable[Update], since: Timestamp) -> None:
        """`updates` at or before `since` accumulate to the first state."""
        self._since = since
        self._base: Counter[CatalogRow] = Counter()
        self._times: list[Timestamp] = []
        self._deltas: list[list[tuple[CatalogRow, int]]] = []
        self._states: dict[Timestamp, CatalogState] = {}
        for time, group in groupby(sorted(updates, key=lambda u: u.time), key=lambda u: u.time):
            self._append(time, [(_row(update), update.diff) for update in group])

    @property
    def since(self) -> Timestamp:
        return self._since

    def append(
        self, time: Timestamp, delta: Iterable[tuple[CatalogRow, int]], before: CatalogState | None = None
    ) -> None:
        """Adds the updates that a group commit at `time` appended (as `durable.diff` returns them); times must grow.
        `before` is the state until `time`, for transactions that began a moment ago."""
        assert time > self._since and (not self._times or time > self._times[-1]), "a catalog's times grow"
        if before is not None:
            self._keep(self._times[-1] if self._times else self._since, before)
        self._append(time, list(delta))

    def at(self, time: Timestamp) -> CatalogState:
        """Returns the state at `time`, which must not be before `since`."""
        assert time >= self._since, f"the catalog at {time} is gone: since is {self._since}"
        index = bisect_right(self._times, time)
        effective = self._times[index - 1] if index else self._since
        state = self._states.get(effective)
        if state is None:
            state = load(self.rows_at(time))
            self._keep(effective, state)
        return state

    def _keep(self, time: Timestamp, state: CatalogState) -> None:
        self._states.pop(time, None)
        if len(self._states) >= _STATES_MAX:
            del self._states[next(iter(self._states))]
        self._states[time] = state

    def changes_from(self, lower: Timestamp) -> list[Timestamp]:
        """Returns the times at or after `lower`, and past the since, at which something changed."""
        return self._times[bisect_left(self._times, lower) :]

    def rows_at(self, time: Timestamp) -> list[CatalogRow]:
        """Returns the shard's rows at `time`, in the form of the version that wrote them."""
        rows = Counter(self._base)
        for delta in self._deltas[: bisect_right(self._times, time)]:
            _accumulate(rows, delta)
        return _set_of(rows)

    def advance(self, since: Timestamp) -> None:
        """Forgets the times before `since`."""
        if since <= self._since:
            return
        index = bisect_right(self._times, since)
        for delta in self._deltas[:index]:
            _accumulate(self._base, delta)
        last = self._times[index - 1] if index else None
        kept = None if last is None else self._states.get(last)
        base_state = kept or (self._states.get(self._since) if last is None else None)
        self._states = {time: state for time, state in self._states.items() if time > since}
        if base_state is not None:
            self._states[since] = base_state
        del self._times[:index], self._deltas[:index]
        self._since = since

    def _append(self, time: Timestamp, delta: list[tuple[CatalogRow, int]]) -> None:
        if time <= self._since:
            _accumulate(self._base, delta)
        else:
            self._times.append(time)
            self._deltas.append(delta)


def _row(update: Update) -> CatalogRow:
    kind, key, value = update.row
    assert isinstance(kind, str) and isinstance(key, str) and isinstance(value, str)
    return kind, key, value


def _accumulate(rows: Counter[CatalogRow], delta: Iterable[tuple[CatalogRow, int]]) -> None:
    for row, diff in delta:
        rows[row] += diff
        if not rows[row]:
            del rows[row]


def _set_of(rows: Counter[CatalogRow]) -> list[CatalogRow]:
    for row, count in rows.items():
        assert count == 1, f"catalog row {row[:2]} has multiplicity {count}"
    return list(rows)
