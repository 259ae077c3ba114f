"""Each anomaly that databases are known for is found, by its name; a history that an order explains has none."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.draws import draws
from tests.histories.list_append import Append, Done, Read, anomalies

X, Y = 1, 2


def a(value: int, key: int = X) -> Append:
    return Append(key, value)


def r(*values: int, key: int = X) -> Read:
    return Read(key, values)


def at_once(*transactions: Sequence[Append | Read], committed: bool | None = True) -> list[Done]:
    """All of them overlap."""
    return [Done(0, 10, committed, tuple(each)) for each in transactions]


def after(time: float, *operations: Append | Read) -> Done:
    return Done(time, time + 1, True, operations)


def kinds(history: Sequence[Done]) -> set[str]:
    return {each.kind for each in anomalies(history)}


PLANTED: dict[str, list[Done]] = {
    "G0": at_once([a(1), a(1, Y)], [a(2), a(2, Y)], [r(1, 2), r(2, 1, key=Y)]),
    "G1c": at_once([a(1), r(2, key=Y)], [a(2, Y), r(1)]),
    "G-single": at_once([a(1), a(2, Y)], [r(), r(2, key=Y)]),
    "G2": at_once([r(), a(1, Y)], [r(key=Y), a(2)], [r(2), r(1, key=Y)]),
    "lost update": at_once([r(), a(1)], [r(), a(2)], [r(1, 2)]),
    "lost append": [after(0, a(1)), after(5, r())],
    "aborted read": [*at_once([a(1)], committed=False), *at_once([r(1)])],
    "intermediate read": at_once([a(1), a(2)], [r(1)]),
    "incompatible orders": at_once([a(1)], [a(2)], [r(1, 2)], [r(2)]),
    "duplicate": at_once([a(1)], [r(1, 1)]),
    "garbage": at_once([r(7)]),
    "internal": at_once([a(1), r()]),
    "unrepeatable": at_once([a(1)], [r(), r(1)]),
    "torn": at_once([a(1), a(2)], [r(2)]),
    "G0 in real time": [after(5, a(1)), after(0, a(2)), after(20, r(1, 2))],
    "G1c in real time": [after(0, r(1)), after(5, a(1))],
    "G-single in real time": [after(0, a(1)), after(5, r()), after(20, r(1))],
    "G2 in real time": [
        after(0, a(1)),
        after(5, r(key=Y)),
        Done(0, 9, True, (r(), a(2, Y))),
        after(20, r(1), r(2, key=Y)),
    ],
}


@pytest.mark.parametrize("kind", PLANTED)
def test_an_anomaly_is_found_by_its_name(kind: str) -> None:
    assert kind in kinds(PLANTED[kind])


def test_who_reads_late_what_was_early_breaks_no_order_but_that_of_time() -> None:
    stale = [after(0, a(1)), after(5, r()), after(20, r(1))]
    assert kinds(stale) == {"G-single in real time"}
    assert kinds([Done(0, 30, True, each.operations) for each in stale]) == set()


def test_what_is_not_known_to_have_committed_may_have() -> None:
    unknown = at_once([a(1), a(1, Y)], committed=None)
    assert not anomalies([*unknown, after(20, r(), r(key=Y))])
    assert not anomalies([*unknown, after(20, r(1), r(1, key=Y))])
    assert "G-single" in kinds([*unknown, after(20, r(1), r(key=Y))])


def test_it_may_commit_long_after_its_client_was_told() -> None:
    unknown = at_once([a(1)], committed=None)
    assert not anomalies([*unknown, after(20, r()), after(30, r(1))])


def _serial(seed: int, count: int) -> list[Done]:
    """One after the other in truth; asked for and answered around that."""
    source, lists, history = random.Random(seed), defaultdict[int, list[int]](list), []
    for number in range(count):
        operations: list[Append | Read] = []
        first = number // 20 * 4
        for _ in range(source.randint(1, 4)):
            key = first + source.randrange(4)
            if source.random() < 0.5:
                value = sum(map(len, lists.values()))
                lists[key].append(value)
                operations.append(Append(key, value))
            else:
                operations.append(Read(key, tuple(lists[key])))
        done = Done(number - source.random() * 8, number + source.random() * 8, True, tuple(operations))
        history.append(done)
    return history


@pytest.mark.parametrize("seed", range(5))
def test_what_one_order_explains_has_no_anomaly(seed: int) -> None:
    assert not anomalies(_serial(seed, 500))


def test_a_stale_read_amid_thousands_is_found_before_long() -> None:
    history = _serial(0, 5_000)
    written = next(done for done in history[100:] if any(isinstance(each, Append) for each in done.operations))
    (first, *_) = [each for each in written.operations if isinstance(each, Append)]
    history.append(Done(6_000, 6_001, True, (Read(first.key, ()),)))
    assert kinds(history) == {"G-single in real time"}


# Held against the obvious: is there an order?


def _without_isolation(source: random.Random) -> list[Done]:
    """Some transactions whose steps are taken in any order, each on what is there at the moment; in the end all is
    read. What is rolled back goes, sometimes."""
    lists = defaultdict[int, list[int]](list)
    count, value = source.randint(2, 4), 0
    steps: list[list[Append | Read]] = [[] for _ in range(count)]
    asked, answered = [0] * count, [0] * count
    turns = [number for number in range(count) for _ in range(source.randint(1, 3))]
    if source.random() < 0.8:
        source.shuffle(turns)
    for now, number in enumerate(turns, 1):
        asked[number], answered[number] = asked[number] or now * 2, now * 2 + 1
        key = source.choice((X, Y))
        if source.random() < 0.5:
            value += 1
            lists[key].append(value)
            steps[number].append(Append(key, value))
        else:
            seen = lists[key][: len(lists[key]) - (source.random() < 0.1)]
            steps[number].append(Read(key, tuple(seen)))
    committed = [source.choices((True, False, None), (8, 1, 1))[0] for _ in range(count)]
    for number in range(count):
        if committed[number] is False or (committed[number] is None and source.random() < 0.5):
            for each in steps[number]:
                if isinstance(each, Append) and source.random() < 0.8:
                    lists[each.key].remove(each.value)
    stretch = source.choice((0, 0, 3))
    history = [
        Done(asked[number] - stretch, answered[number] + stretch, committed[number], tuple(steps[number]))
        for number in range(count)
    ]
    return [*history, Done(100, 101, True, (Read(X, tuple(lists[X])), Read(Y, tuple(lists[Y]))))]


def _explained(history: Sequence[Done]) -> bool:
    """Whether some order of those that committed, and of some of which it isn't known, gives what was read."""
    certain = [number for number, done in enumerate(history) if done.committed]
    unknown = [number for number, done in enumerate(history) if done.committed is None]
    for more in itertools.chain.from_iterable(itertools.combinations(unknown, n) for n in range(len(unknown) + 1)):
        for order in itertools.permutations([*certain, *more]):
            if _in_time(history, order) and _gives_what_was_read(history, order):
                return True
    return False


def _in_time(history: Sequence[Done], order: Sequence[int]) -> bool:
    pairs = itertools.combinations(order, 2)
    return not any(history[b].committed and history[b].answered < history[a].asked for a, b in pairs)


def _gives_what_was_read(history: Sequence[Done], order: Sequence[int]) -> bool:
    lists = defaultdict[int, list[int]](list)
    for number in order:
        for each in history[number].operations:
            if isinstance(each, Append):
                lists[each.key].append(each.value)
            elif tuple(lists[each.key]) != each.values:
                return False
    return True


@draws(400)
@given(seed=st.integers(0, 2**32))
def test_anomalies_are_found_where_no_order_explains_what_was_read_and_only_there(seed: int) -> None:
    history = _without_isolation(random.Random(seed))
    assert (not anomalies(history)) == _explained(history)
