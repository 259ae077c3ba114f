"""A graph of what must come before what, for several reasons, and the cycles in it.

Each strongly connected part of it holds a cycle, which nothing can be an order of; one is shown for each part, of the
strictest kind that there is: the fewer reasons a cycle needs, the worse it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from graphlib import TopologicalSorter
from itertools import pairwise


class Reason(StrEnum):
    """Why one is before another: it wrote what the other wrote over, or read; it read what the other wrote over; it had
    ended before the other began."""

    WW = "ww"
    WR = "wr"
    RW = "rw"
    REALTIME = "rt"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of cycle: its edges are for these reasons, or at most one of them, if `single`, is RW beside these."""

    name: str
    reasons: frozenset[Reason]
    single: bool = False


def _kinds() -> Iterator[Kind]:
    for suffix, more in (("", frozenset[Reason]()), (" in real time", frozenset({Reason.REALTIME}))):
        yield Kind(f"G0{suffix}", more | {Reason.WW})
        yield Kind(f"G1c{suffix}", more | {Reason.WW, Reason.WR})
        yield Kind(f"G-single{suffix}", more | {Reason.WW, Reason.WR}, single=True)
        yield Kind(f"G2{suffix}", more | {Reason.WW, Reason.WR, Reason.RW})


KINDS = tuple(_kinds())
"""From the strictest on (Adya's names, for what databases must not allow)."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Its nodes, each before the next and the last before the first, and why each is before the next."""

    kind: Kind
    nodes: tuple[int, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The nodes at these places of an order."""

    order: Mapping[int, int]
    first: int
    last: int

    def __contains__(self, node: object) -> bool:
        return isinstance(node, int) and self.first <= self.order.get(node, -1) <= self.last


class Graph:
    """Nodes are numbers; two may be joined for several reasons."""

    def __init__(self) -> None:
        self._edges: dict[int, dict[int, set[Reason]]] = {}

    def add(self, before: int, after: int, reason: Reason) -> None:
        if before != after:
            self._edges.setdefault(before, {}).setdefault(after, set()).add(reason)
            self._edges.setdefault(after, {})

    def cycles(self) -> Iterator[Cycle]:
        """One for each part that no order explains."""
        for part in self._parts(self._edges, frozenset(Reason)):
            yield next(found for kind in KINDS if (found := self._cycle(part, kind)) is not None)

    def _cycle(self, part: Set[int], kind: Kind) -> Cycle | None:
        if not kind.single:
            for smaller in self._parts(part, kind.reasons):
                return self._closed(kind, self._path(min(smaller), min(smaller), smaller, kind.reasons))
            return None
        # Stricter kinds have been looked for: without RW there is an order, and a way back leads forward in it.
        order = self._order(part, kind.reasons)
        for reader in order:
            for writer in self._next(reader, part, {Reason.RW}):
                if order[writer] < order[reader]:
                    stretch = _Stretch(order, order[writer], order[reader])
                    path = self._path(writer, reader, stretch, kind.reasons)
                    if path is not None:
                        return self._closed(kind, [*path, writer])
        return None

    def _order(self, part: Set[int], reasons: Set[Reason]) -> dict[int, int]:
        sorter = TopologicalSorter[int](dict.fromkeys(part, ()))
        for node in part:
            for after in self._next(node, part, reasons):
                sorter.add(after, node)
        return {node: place for place, node in enumerate(sorter.static_order())}

    def _closed(self, kind: Kind, path: list[int] | None) -> Cycle:
        """The cycle along a path whose last node is its first. Of several reasons the strictest is told."""
        assert path is not None, "in a strongly connected part there is a way back"
        told = [
            next((reason for reason in Reason if reason in kind.reasons & self._edges[before][after]), Reason.RW)
            for before, after in pairwise(path)
        ]
        return Cycle(kind, tuple(path[:-1]), tuple(told))

    def _next(self, node: int, within: Container[int], reasons: Set[Reason]) -> Iterator[int]:
        for after, why in self._edges[node].items():
            if after in within and not why.isdisjoint(reasons):
                yield after

    def _path(self, first: int, last: int, within: Container[int], reasons: Set[Reason]) -> list[int] | None:
        """A shortest one of at least one edge."""
        came_from: dict[int, int] = {}
        queue = deque([first])
        while queue:
            node = queue.popleft()
            for after in self._next(node, within, reasons):
                if after not in came_from:
                    came_from[after] = node
                    queue.append(after)
            if last in came_from:
                path = [last]
                while len(path) == 1 or path[-1] != first:
                    path.append(came_from[path[-1]])
                return path[::-1]
        return None

    def _parts(self, nodes: Iterable[int], reasons: Set[Reason]) -> Iterator[set[int]]:
        """The strongly connected parts of more than one node (Tarjan's algorithm, without recursion)."""
        within = set(nodes)
        found: dict[int, int] = {}
        least: dict[int, int] = {}
        stack: dict[int, None] = {}
        for root in within:
            if root in found:
                continue
            found[root] = least[root] = len(found)
            stack[root] = None
            work = [(root, self._next(root, within, reasons))]
            while work:
                node, following = work[-1]
                after = next(following, None)
                if after is None:
                    work.pop()
                    if work:
                        least[work[-1][0]] = min(least[work[-1][0]], least[node])
                    if least[node] == found[node]:
                        part = set()
                        while node not in part:
                            part.add(stack.popitem()[0])
                        if len(part) > 1:
                            yield part
                elif after not in found:
                    found[after] = least[after] = len(found)
                    stack[after] = None
                    work.append((after, self._next(after, within, reasons)))
                elif after in stack:
                    least[node] = min(least[node], found[after])
