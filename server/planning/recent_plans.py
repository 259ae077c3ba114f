"""The most recently used plans, bounded by number and by the length of their texts.

A plan takes some tens of bytes for each character of its text. Many texts come only once, like INSERTs with their rows,
and would each leave megabytes behind if only their number counted.

A plan names the committed catalog in which it holds. Of catalogs, too, only the last is kept: every change makes a new
one, with new mappings of all items, and plans outlive it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from catalog.state.catalog_state import CatalogState

P = TypeVar("P")

COUNT_MAX = 2_048
LENGTH_MAX = 4 << 20
_NO_LENGTH = 0


class RecentPlans(Generic[P]):
    """Plans, usable from several threads: long texts are planned beside the event loop. The newest plan always
    stays. `based` returns a plan with its catalog replaced, or removed."""

    def __init__(
        self,
        based: Callable[[P, CatalogState | None], P],
        count_max: int = COUNT_MAX,
        length_max: int = LENGTH_MAX,
    ) -> None:
        self._based = based
        self._count_max = count_max
        self._length_max = length_max
        self._length = 0
        self._plans: OrderedDict[Hashable, tuple[P, int, CatalogState | None]] = OrderedDict()
        self._last: CatalogState | None = None
        self._with_last: list[Hashable] = []
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._plans)

    def get(self, key: Hashable, state: CatalogState) -> P | None:
        """Returns the plan, as it holds in the catalog."""
        with self._lock:
            found = self._plans.get(key)
            if found is None:
                return None
            plan, length, base = found
            if len(self._plans) > self._count_max // 2 or self._length > self._length_max // 2:
                self._plans.move_to_end(key)
            if base is not state:
                self._begin(state)
                plan = self._based(plan, state)
                self._plans[key] = plan, length, state
                self._with_last.append(key)
            return plan

    def put(self, key: Hashable, plan: P, length: int, state: CatalogState) -> None:
        """Keeps a plan that holds in the catalog, with the length of its text."""
        with self._lock:
            self._begin(state)
            self._length += length - self._plans.pop(key, (None, _NO_LENGTH, None))[1]
            self._plans[key] = plan, length, state
            self._with_last.append(key)
            while len(self._plans) > 1 and (len(self._plans) > self._count_max or self._length > self._length_max):
                self._length -= self._plans.popitem(last=False)[1][1]
            if len(self._with_last) > 2 * self._count_max:
                # Those that have gone meanwhile.
                self._with_last = list(self._plans)

    def _begin(self, state: CatalogState) -> None:
        """Lets go of the catalog before."""
        if self._last is state:
            return
        for key in self._with_last:
            found = self._plans.get(key)
            if found is not None and found[2] is not None:
                self._plans[key] = self._based(found[0], None), found[1], None
        self._last, self._with_last = state, []
