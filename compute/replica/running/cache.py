"""The most recently used values, up to a number and a weight."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class RecentlyUsed(Generic[V]):
    """Safe to use from several threads. The newest value stays, however heavy."""

    def __init__(self, count_max: int, weight_max: int = 0) -> None:
        self._count_max = count_max
        self._weight_max = weight_max
        self._weight = 0
        self._values: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def take(self, key: Hashable) -> V | None:
        """Removes and returns the value: for values that only one user may hold at a time."""
        with self._lock:
            return self._pop(key)

    def put(self, key: Hashable, value: V, weight: int = 0) -> None:
        with self._lock:
            self._pop(key)
            self._values[key] = value, weight
            self._weight += weight
            while len(self._values) > 1 and (len(self._values) > self._count_max or self._weight > self._weight_max):
                self._pop(next(iter(self._values)))

    def _pop(self, key: Hashable) -> V | None:
        found = self._values.pop(key, None)
        if found is None:
            return None
        self._weight -= found[1]
        return found[0]
