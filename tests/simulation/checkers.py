"""What no record may show. Each checker gives sentences, one for each violation."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from tests.simulation.workload import ACCOUNTS, FIRST_BALANCE, NODES, Observed, Record


def violations(record: Record) -> list[str]:
    """All that all checkers find."""
    found = list(_whole(record))
    found += _ordered(record)
    found += _definite(record)
    found += _acknowledged(record)
    found += _looked_up(record)
    found += _drawn(record)
    found += record.differences
    return found


def _of(observed: Observed, kind: str) -> list[tuple[int, int]]:
    return [(id_, value) for k, id_, value in observed.contents if k == kind]


def _whole(record: Record) -> Iterator[str]:
    """Each read is of one state: sums, cycle and pairs are intact."""
    for read in record.observed:
        balances = _of(read, "bank")
        if len(balances) != ACCOUNTS or sum(value for _, value in balances) != ACCOUNTS * FIRST_BALANCE:
            yield f"bank at {read.timestamp}: {balances}"
        if _of(read, "total") != [(ACCOUNTS, ACCOUNTS * FIRST_BALANCE)]:
            yield f"total at {read.timestamp}: {_of(read, 'total')}"
        logged = [n for n, _ in _of(read, "a")]
        if _of(read, "logged") != [(len(logged), sum(logged))]:
            yield f"logged at {read.timestamp}: {_of(read, 'logged')} beside {logged}"
        following = dict(_of(read, "ring"))
        node, seen = 0, 0
        while seen < NODES and node in following:
            node, seen = following[node], seen + 1
            if node == 0:
                break
        if len(_of(read, "ring")) != NODES or node != 0 or seen != NODES:
            yield f"ring at {read.timestamp}: {following}"
        if _of(read, "a") != _of(read, "b"):
            yield f"log at {read.timestamp}: {_of(read, 'a')} beside {_of(read, 'b')}"
        if len(set(_of(read, "a"))) != len(_of(read, "a")):
            yield f"log at {read.timestamp} has a row twice"


def _ordered(record: Record) -> Iterator[str]:
    """Timestamps follow real time, and contents follow timestamps."""
    reads = [read for read in record.observed if not read.as_of]
    for earlier in reads:
        for later in reads:
            if earlier.answered < later.asked and earlier.timestamp > later.timestamp:
                yield f"a read at {later.timestamp} began after one at {earlier.timestamp} had ended"
    by_time = sorted(record.observed, key=lambda read: read.timestamp)
    for before, after in itertools.pairwise(by_time):
        missing = set(_of(before, "a")) - set(_of(after, "a"))
        if missing:
            yield f"rows {missing} were there at {before.timestamp} and are gone at {after.timestamp}"


def _definite(record: Record) -> Iterator[str]:
    """All reads at one time give one answer."""
    answers: dict[int, Observed] = {}
    for read in record.observed:
        first = answers.setdefault(read.timestamp, read)
        if first.contents != read.contents:
            yield f"two answers at {read.timestamp}: {first.contents} and {read.contents}"


def _acknowledged(record: Record) -> Iterator[str]:
    """What was acknowledged before a read began is in it; what began after it ended, or was refused, is not."""
    for read in record.observed:
        present = {n for n, _ in _of(read, "a")}
        for appended in record.appended:
            if appended.refused and appended.n in present:
                yield f"row {appended.n} was refused, and is there at {read.timestamp}"
            if read.as_of:
                continue
            if appended.answered is not None and appended.answered < read.asked and appended.n not in present:
                yield f"row {appended.n} was acknowledged and is missing at {read.timestamp}"
            if appended.asked > read.answered and appended.n in present:
                yield f"row {appended.n} is there at {read.timestamp} before it was written"


def _looked_up(record: Record) -> Iterator[str]:
    """What an index gives is what the table holds at that time."""
    balances = {read.timestamp: dict(_of(read, "bank")) for read in record.observed}
    for each in record.looked_up:
        known = balances.get(each.timestamp)
        if known is not None and known.get(each.account) != each.balance:
            yield f"account {each.account} at {each.timestamp}: {each.balance}, and {known}"


def _drawn(record: Record) -> Iterator[str]:
    """Nobody is told a number that somebody was told before."""
    for number, count in Counter(record.drawn).items():
        if count > 1:
            yield f"number {number} was given {count} times"
