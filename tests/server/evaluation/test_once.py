"""What is worked out of an object once, and forgotten with it."""

from __future__ import annotations

import gc
from dataclasses import dataclass

from server.evaluation.once import once_each


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Subject:
    text: str


def test_each_object_is_asked_once_and_equal_ones_are_two() -> None:
    asked: list[Subject] = []

    @once_each
    def length(subject: Subject) -> int:
        asked.append(subject)
        return len(subject.text)

    one, other = Subject("abc"), Subject("abc")
    assert [length(one), length(other), length(one), length(other)] == [3, 3, 3, 3]
    assert len(asked) == 2 and asked[0] is one and asked[1] is other


def test_what_takes_the_place_of_an_object_that_is_gone_is_asked_anew() -> None:
    @once_each
    def length(subject: Subject) -> int:
        return len(subject.text)

    # An object that is made where another has just gone has its identity.
    numbers = set()
    for size in range(200):
        subject = Subject("x" * size)
        numbers.add(id(subject))
        assert length(subject) == size
        del subject
        gc.collect(0)
    assert len(numbers) < 200


def test_nothing_is_kept_of_what_fails() -> None:
    attempts = 0

    @once_each
    def failing(subject: Subject) -> int:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise ValueError(subject.text)
        return attempts

    subject = Subject("a")
    try:
        failing(subject)
    except ValueError:
        assert failing(subject) == 2
    assert failing(subject) == 2
