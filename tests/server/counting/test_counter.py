"""A counter gives what counting by hand gives, and nothing beyond what it has reserved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT8
from planner.sequence_rules import SequenceRules
from server.ledgers.counting.counter import LOGGED_AHEAD, Counter, take


@st.composite
def _rules(draw: st.DrawFn) -> SequenceRules:
    low = draw(st.integers(-60, 60))
    high = draw(st.integers(low + 1, low + 90))
    start = draw(st.integers(low, high))
    increment = draw(st.sampled_from([1, 2, 7, 100, -1, -3, -100]))
    return SequenceRules(INT8, start, increment, low, high, draw(st.integers(1, 6)), draw(st.booleans()))


def _by_hand(rules: SequenceRules, count: int) -> list[int]:
    """The first values, one after the other."""
    values = [rules.start]
    while len(values) < count:
        following = values[-1] + rules.increment
        if not rules.minimum <= following <= rules.maximum:
            if not rules.cycle:
                break
            following = rules.minimum if rules.increment > 0 else rules.maximum
        values.append(following)
    return values


@given(_rules(), st.integers(1, 60))
def test_values_are_those_of_counting_by_hand(rules: SequenceRules, takes: int) -> None:
    rules = SequenceRules(INT8, rules.start, rules.increment, rules.minimum, rules.maximum, 1, rules.cycle)
    counter = Counter(rules.start, False)
    expected = _by_hand(rules, takes)
    for value in expected:
        taken = take(counter, rules, "s")
        assert taken.first == taken.last == value
        counter = taken.counter
    if len(expected) < takes:
        with pytest.raises(SqlError) as raised:
            take(counter, rules, "s")
        assert raised.value.sqlstate is Sqlstate.SEQUENCE_GENERATOR_LIMIT_EXCEEDED


@given(_rules(), st.integers(1, 40))
def test_nothing_is_given_beyond_what_is_reserved(rules: SequenceRules, takes: int) -> None:
    """With a cache, too; where a sequence goes round, what is beyond has no meaning."""
    rules = SequenceRules(INT8, rules.start, rules.increment, rules.minimum, rules.maximum, rules.cache, False)
    counter, reserved = Counter(rules.start, False), None
    sign = 1 if rules.increment > 0 else -1
    for _ in range(takes):
        try:
            taken = take(counter, rules, "s")
        except SqlError:
            break
        reserved = taken.reserved if taken.reserved is not None else reserved
        assert reserved is not None
        assert sign * taken.first <= sign * taken.last <= sign * reserved
        ahead = (reserved - taken.last) // rules.increment
        assert taken.counter.left == ahead <= LOGGED_AHEAD
        counter = taken.counter


@given(_rules(), st.integers(0, 10), st.integers(1, 5))
def test_after_a_crash_it_goes_on_behind_what_was_reserved(rules: SequenceRules, before: int, after: int) -> None:
    rules = SequenceRules(INT8, rules.start, rules.increment, rules.minimum, rules.maximum, rules.cache, False)
    counter, reserved = Counter(rules.start, False), None
    told: list[int] = []
    for number in range(before + after):
        if number == before and reserved is not None:
            counter = Counter(reserved, True)
        try:
            taken = take(counter, rules, "s")
        except SqlError:
            break
        reserved = taken.reserved if taken.reserved is not None else reserved
        counter = taken.counter
        told += list(range(taken.first, taken.last + rules.increment // abs(rules.increment), rules.increment))
    assert len(set(told)) == len(told)


def test_a_take_says_what_it_has_come_to() -> None:
    rules = SequenceRules(INT8, 1, 1, 1, 2, 1, False)
    counter = take(Counter(2, True), SequenceRules(INT8, 1, 1, 1, 3, 1, False), "s").counter
    assert counter == Counter(3, True, 0)
    with pytest.raises(SqlError, match=r'reached maximum value of sequence "s" \(2\)'):
        take(Counter(2, True), rules, "s")
