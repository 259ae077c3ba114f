"""Whether a history of transactions that append to lists and read them whole is strictly serializable.

After Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations" (2020). Each value is
appended once, so that a list tells who wrote it, in which order. From that follows what must be before what:

    ww    a transaction appended the value that another appended the next one to
    wr    a transaction appended the last value of what another read
    rw    a transaction read a list to which another appended the next value
    rt    a transaction was answered before another was asked

A strictly serializable history has no cycle of these, and nobody reads what can be of no order at all: a value twice,
one that nobody wrote or that was refused, some of a transaction's values, lists that don't begin with each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tests.histories.cycles import Cycle, Graph, Reason

_TOLD_MAX = 12


@dataclass(frozen=True, slots=True)
class Append:
    key: int
    value: int


@dataclass(frozen=True, slots=True)
class Read:
    """The whole list of a key, as it was told."""

    key: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Done:
    """A transaction, as its client saw it. `committed` None: its outcome is not known. It was asked for and answered at
    these moments of one clock."""

    asked: float
    answered: float
    committed: bool | None
    operations: tuple[Append | Read, ...]

    def appends(self, key: int) -> list[int]:
        return [each.value for each in self.operations if isinstance(each, Append) and each.key == key]

    @cached_property
    def keys(self) -> frozenset[int]:
        return frozenset(each.key for each in self.operations)

    def found(self, key: int) -> list[tuple[int, ...]]:
        """What it read that others had written, each time, without its own values."""
        found, own = [], 0
        for each in self.operations:
            if each.key == key and isinstance(each, Append):
                own += 1
            elif each.key == key and isinstance(each, Read):
                found.append(each.values[: max(0, len(each.values) - own)])
        return found


@dataclass(frozen=True, slots=True)
class Anomaly:
    """`kind` is a name, `told` a sentence."""

    kind: str
    told: str


def anomalies(history: Sequence[Done]) -> list[Anomaly]:
    """All that is found; none, of a strictly serializable history."""
    return list(_Checker(history).found())


@dataclass(slots=True)
class _List:
    """One key: the longest list that was read, who read which part of it, and who has appended to it unseen."""

    order: tuple[int, ...] = ()
    readers: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    unseen: list[int] = field(default_factory=list)


class _Checker:
    def __init__(self, history: Sequence[Done]) -> None:
        self._all = history
        self._writers: dict[tuple[int, int], int] = {}
        for number, done in enumerate(history):
            for each in done.operations:
                if isinstance(each, Append):
                    assert (each.key, each.value) not in self._writers, "a value is appended once"
                    self._writers[each.key, each.value] = number
        self._committed = dict(self._certain())
        self._lists: defaultdict[int, _List] = defaultdict(_List)

    def _certain(self) -> Iterator[tuple[int, Done]]:
        """Those that committed for certain: also those of which that isn't known, and of which values were read."""
        seen = {
            self._writers.get((each.key, value))
            for done in self._all
            if done.committed
            for each in done.operations
            if isinstance(each, Read)
            for value in each.values
        }
        for number, done in enumerate(self._all):
            if done.committed or (done.committed is None and number in seen):
                yield number, done

    def found(self) -> Iterator[Anomaly]:
        yield from self._what_was_read()
        yield from self._orders()
        yield from self._updates_lost()
        graph = self._graph()
        for cycle in graph.cycles():
            yield Anomaly(cycle.kind.name, self._told(cycle))

    # What can be of no order

    def _what_was_read(self) -> Iterator[Anomaly]:
        for number, done in self._committed.items():
            own: defaultdict[int, list[int]] = defaultdict(list)
            for each in done.operations:
                if isinstance(each, Append):
                    own[each.key].append(each.value)
                else:
                    yield from self._one_read(number, each, own[each.key])
            for key in done.keys:
                if len(set(done.found(key))) > 1:
                    yield Anomaly("unrepeatable", f"{number} read several lists of {key}: {done.found(key)}")

    def _one_read(self, number: int, read: Read, own: list[int]) -> Iterator[Anomaly]:
        key, values = read.key, read.values
        if len(set(values)) < len(values):
            yield Anomaly("duplicate", f"{number} read a value twice in {key}: {values}")
        if own != list(values[len(values) - len(own) :]):
            yield Anomaly("internal", f"{number} read {values} in {key} after it had appended {own}")
            return
        others = values[: len(values) - len(own)]
        for value in others:
            writer = self._writers.get((key, value))
            if writer is None:
                yield Anomaly("garbage", f"{number} read {value} in {key}, which nobody has appended")
            elif writer == number:
                yield Anomaly("internal", f"{number} read {value} in {key}, which it was still to append")
            elif writer not in self._committed:
                yield Anomaly("aborted read", f"{number} read {value} in {key}, which {writer} had not committed")
        if others and (writer := self._writers.get((key, others[-1]))) is not None and writer != number:
            last = self._all[writer].appends(key)[-1]
            if others[-1] != last:
                yield Anomaly("intermediate read", f"{number} read {key} up to {others[-1]}, where {writer} went on")

    def _orders(self) -> Iterator[Anomaly]:
        """The lists of a key begin with each other; the longest of them is the order in which it was written."""
        reads = [
            (number, each)
            for number, done in self._committed.items()
            for each in done.operations
            if isinstance(each, Read)
        ]
        for _, read in reads:
            each = self._lists[read.key]
            if len(read.values) > len(each.order):
                each.order = read.values
        for number, read in reads:
            order = self._lists[read.key].order
            if read.values != order[: len(read.values)]:
                told = f"{number} read {read.values} in {read.key}, and another {order}"
                yield Anomaly("incompatible orders", told)
        for key, each in self._lists.items():
            appended: dict[int, list[int]] = {}
            for value in each.order:
                if (writer := self._writers.get((key, value))) is not None:
                    appended.setdefault(writer, []).append(value)
            for writer, there in appended.items():
                whole = self._all[writer].appends(key)
                # Where it has read its own last, nobody else may have read what it appended then.
                cut = len(there) < len(whole) and there[-1] != each.order[-1]
                if cut or there != whole[: len(there)]:
                    yield Anomaly("torn", f"{writer} appended {whole} to {key}, of which {there} is there")

    def _updates_lost(self) -> Iterator[Anomaly]:
        """Two have read the same list, and each has appended to it."""
        for key, versions in self._versions_written_over().items():
            for length, numbers in versions.items():
                if len(numbers) > 1:
                    yield Anomaly("lost update", f"{numbers} read the same {length} values of {key}, and appended")
        latest: dict[int, tuple[float, int]] = {}
        for number, done in self._committed.items():
            for each in done.operations:
                if isinstance(each, Read):
                    latest[each.key] = max(latest.get(each.key, (-math.inf, -1)), (done.asked, number))
        for (key, value), writer in self._writers.items():
            asked, reader = latest.get(key, (-math.inf, -1))
            done = self._all[writer]
            if done.committed and done.answered < asked and value not in self._lists[key].order:
                yield Anomaly(
                    "lost append", f"{value} in {key}, of {writer}, is not there for {reader} that came later"
                )

    def _versions_written_over(self) -> dict[int, dict[int, list[int]]]:
        written: dict[int, dict[int, list[int]]] = {}
        for number, done in self._committed.items():
            for key in done.keys:
                if done.appends(key) and (found := done.found(key)):
                    written.setdefault(key, {}).setdefault(len(found[0]), []).append(number)
        return written

    # What must be before what

    def _graph(self) -> Graph:
        for number, done in self._committed.items():
            for key in done.keys:
                each = self._lists[key]
                for found in set(done.found(key)):
                    each.readers[len(found)].append(number)
                appended = done.appends(key)
                if appended and appended[0] not in each.order:
                    each.unseen.append(number)
        graph = Graph()
        for key, each in self._lists.items():
            self._join(graph, key, each)
        self._join_by_time(graph)
        return graph

    def _join(self, graph: Graph, key: int, each: _List) -> None:
        writers = [self._writers.get((key, value)) for value in each.order]
        for length in range(len(writers) + 1):
            before = writers[length - 1] if length else None
            following = [writers[length]] if length < len(writers) else each.unseen
            for after in following:
                if after is None:
                    continue
                if before is not None:
                    graph.add(before, after, Reason.WW)
                for reader in each.readers[length]:
                    graph.add(reader, after, Reason.RW)
            if before is not None:
                for reader in each.readers[length]:
                    graph.add(before, reader, Reason.WR)

    def _join_by_time(self, graph: Graph) -> None:
        """By a chain of moments: who was answered is before the moment, and the moment before who is asked later."""
        answered = [(done.answered, number) for number, done in self._committed.items() if done.committed]
        events = [*((time, 1, number) for time, number in answered)]
        events += [(done.asked, 0, number) for number, done in self._committed.items()]
        moment = len(self._all)
        for _, is_answer, number in sorted(events):
            if is_answer:
                graph.add(number, moment + 1, Reason.REALTIME)
                graph.add(moment, moment + 1, Reason.REALTIME)
                moment += 1
            else:
                graph.add(moment, number, Reason.REALTIME)

    def _told(self, cycle: Cycle) -> str:
        """Each transaction, and why it is before the next; the first few of many."""
        among = [place for place, node in enumerate(cycle.nodes) if node < len(self._all)]
        steps = [f"{cycle.nodes[place]} -{cycle.reasons[place]}-> " for place in among]
        more = f"({len(steps) - _TOLD_MAX} more) " if len(steps) > _TOLD_MAX else ""
        return "".join(steps[:_TOLD_MAX]) + f"{more}{cycle.nodes[among[0]]}"
