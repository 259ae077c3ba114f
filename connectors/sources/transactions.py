"""Decides which records of several topics make whole transactions. Pure.

Each partition of a topic has changes in the order of their transactions' commits; the transactions' topic has, in the
same order, the ends of transactions, with the number of changes per collection. A transaction is complete when so many
changes stand at the heads of the partitions:

    transactions   END 7 {a: 2, b: 1}   END 8 {a: 1}
    a/0            7 7 8
    b/0            7                                     7 and 8 are complete

A record of no transaction passes by itself once it is at the head. So does a record of a transaction that ended before,
in a topic that is read only from now on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from connectors.gauge import Partition
from connectors.sources.decode.debezium import TransactionEnd
from model.ids.global_id import GlobalId

Place = tuple[GlobalId, Partition]
"""A partition of a source's topic."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of reading a partition, up to `end`: a record (of a transaction), or an offset without a record."""

    end: int
    transaction: str | None
    record: bool = True


@dataclass(slots=True)
class _Queue:
    """The steps of a partition that are read and not bound. Of the first `passed` steps, `matched` are changes of
    the next transaction; the others pass along with them."""

    steps: deque[Step] = field(default_factory=deque)
    passed: int = 0
    matched: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next transaction has `arrived` changes in a source, of `expected`."""

    transaction: str
    source: GlobalId
    arrived: int
    expected: int


class TransactionOrder:
    """Orders the records of several sources by transactions. `collections` are the sources' names in the
    transactions' topic. `was_before` tells whether a transaction that counts changes of a source ended before the
    beginning of this reading."""

    def __init__(self, collections: Mapping[GlobalId, str], was_before: Callable[[GlobalId, str], bool]) -> None:
        self._collections = collections
        self._was_before = was_before
        self._queues: dict[Place, _Queue] = {}
        self._ends: deque[tuple[int, TransactionEnd]] = deque()
        self._known: set[str] = set()

    def read(self, place: Place, steps: Iterable[Step]) -> None:
        """Appends steps of a partition."""
        self._queues.setdefault(place, _Queue()).steps.extend(steps)

    def begun(self, transaction: str) -> None:
        """Notes that a transaction has begun, and so will end."""
        self._known.add(transaction)

    def ended(self, end: int, transaction: TransactionEnd) -> None:
        """Notes that a transaction has ended, according to the transactions' topic up to its offset `end`."""
        self._known.add(transaction.id)
        self._ends.append((end, transaction))

    def cut(self, records_max: int) -> tuple[dict[Place, list[Step]], int | None]:
        """Removes and returns the steps to bind next, and the offset of the transactions' topic that goes with them:
        whole transactions, until there are `records_max` records."""
        taken: dict[Place, list[Step]] = {}
        upto: int | None = None
        count = self._free(taken, records_max)
        while self._ends and count < records_max and self.waits_for() is None:
            upto, transaction = self._ends.popleft()
            self._known.discard(transaction.id)
            for place, queue in self._queues.items():
                count += _take(queue, queue.passed, taken.setdefault(place, []))
            count += self._free(taken, records_max - count)
        return {place: steps for place, steps in taken.items() if steps}, upto

    def waits_for(self) -> Waiting | None:
        """Returns the changes that the next transaction lacks; None when it is complete, or there is none."""
        if not self._ends:
            return None
        _, next_ = self._ends[0]
        arrived = dict.fromkeys(self._collections, 0)
        for (source, _), queue in self._queues.items():
            _match(queue, next_.id)
            arrived[source] += queue.matched
        for source, name in self._collections.items():
            expected = next_.events.get(name, 0)
            if arrived[source] < expected:
                return Waiting(next_.id, source, arrived[source], expected)
        return None

    def unknown(self) -> tuple[Place, Step] | None:
        """Returns a change at the head of a partition whose transaction has neither begun nor ended, as far as is
        known."""
        for place, queue in self._queues.items():
            head = next(iter(queue.steps), None)
            if head is not None and head.transaction is not None and head.transaction not in self._known:
                return place, head
        return None

    def _free(self, taken: dict[Place, list[Step]], records_max: int) -> int:
        """Takes the records at the heads that pass by themselves, and returns their number."""
        count = 0
        for place, queue in self._queues.items():
            free = 0
            for step in queue.steps:
                if count + free >= records_max or not self._passes(place[0], step):
                    break
                free += 1
            count += _take(queue, free, taken.setdefault(place, []))
        return count

    def _passes(self, source: GlobalId, step: Step) -> bool:
        transaction = step.transaction
        return transaction is None or (transaction not in self._known and self._was_before(source, transaction))


def _match(queue: _Queue, transaction: str) -> None:
    """Goes on to count the changes of the transaction that is next."""
    for at in range(queue.passed, len(queue.steps)):
        step = queue.steps[at]
        if step.transaction not in (None, transaction):
            return
        queue.passed += 1
        queue.matched += step.transaction is not None


def _take(queue: _Queue, count: int, into: list[Step]) -> int:
    if not count:
        return 0
    steps = [queue.steps.popleft() for _ in range(count)]
    queue.passed = queue.matched = 0
    into += steps
    return sum(step.record for step in steps)
