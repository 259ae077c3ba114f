"""Which records of several topics make whole transactions. Pure.

Each partition of a topic holds changes in the order in which their transactions were committed, and the topic of
transactions says, in that order, which have ended, and how many changes of each collection they made. A transaction is
complete when all of these stand at the heads of their partitions:

    transactions   END 7 {a: 2, b: 1}   END 8 {a: 1}
    a/0            7 7 8
    b/0            7                                     7 and 8 are complete

What is of no transaction passes by itself, once it is at the head, and so does what is of one that ended before: of a
topic that is read only now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from connectors.sources.decode.debezium import TransactionEnd
from connectors.sources.gauge import Partition
from model.ids.global_id import GlobalId

Place = tuple[GlobalId, Partition]
"""A partition of a source's topic."""


@dataclass(frozen=True, slots=True)
class Step:
    """A partition has been read up to `end` with this: a record (of a transaction), or an offset without one."""

    end: int
    transaction: str | None
    record: bool = True


@dataclass(slots=True)
class _Queue:
    """What has been read of a partition and is not bound. Of its first `passed` steps, `matched` are changes of the
    transaction that is next, and the others pass with them."""

    steps: deque[Step] = field(default_factory=deque)
    passed: int = 0
    matched: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """The transaction that is next has `arrived` changes of `expected` in a source."""

    transaction: str
    source: GlobalId
    arrived: int
    expected: int


class TransactionOrder:
    """`collections` are what sources are called where transactions' changes are counted. `was_before` tells whether a
    transaction, which counts changes of a source, had ended before what is read now."""

    def __init__(self, collections: Mapping[GlobalId, str], was_before: Callable[[GlobalId, str], bool]) -> None:
        self._collections = collections
        self._was_before = was_before
        self._queues: dict[Place, _Queue] = {}
        self._ends: deque[tuple[int, TransactionEnd]] = deque()
        self._known: set[str] = set()

    def read(self, place: Place, steps: Iterable[Step]) -> None:
        """They follow what was read of the partition."""
        self._queues.setdefault(place, _Queue()).steps.extend(steps)

    def begun(self, transaction: str) -> None:
        """It will end."""
        self._known.add(transaction)

    def ended(self, end: int, transaction: TransactionEnd) -> None:
        """The topic of transactions says so up to its offset `end`."""
        self._known.add(transaction.id)
        self._ends.append((end, transaction))

    def cut(self, records_max: int) -> tuple[dict[Place, list[Step]], int | None]:
        """What can be bound next, and up to which offset the topic of transactions is then: whole transactions, until
        there are so many records. Steps are the queue's no more."""
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
        """What the transaction that is next lacks; None when it is complete, or there is none."""
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
        """A change at the head of a partition whose transaction has neither begun nor ended, as far as is known."""
        for place, queue in self._queues.items():
            head = next(iter(queue.steps), None)
            if head is not None and head.transaction is not None and head.transaction not in self._known:
                return place, head
        return None

    def _free(self, taken: dict[Place, list[Step]], records_max: int) -> int:
        """Takes from the heads what passes by itself; how many records these are."""
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
