"""What functions answer stays in what views keep: it is as recorded under each function's number."""

from __future__ import annotations

import dataclasses

from planner.functions.answer_numbers import RAISED
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS, WINDOW_FUNCTIONS
from tests.planner.functions.answers import Answers, differences, recorded, today

_UNASKED_MAX = 82
"""So many functions have neither a pool for their arguments nor a recorded expression: those of enums, of names and
of access items."""


def test_every_function_answers_as_recorded_under_its_number() -> None:
    told = differences(recorded(), today())
    assert not told, "\n".join(
        [*(f"{key} {each}" for key, each in sorted(told.items())), "Then: python -m tools.record_answers"]
    )


def test_a_mended_function_is_told_until_its_number_is_raised() -> None:
    before = recorded()
    one = before["add_int4_int4"]
    for mended in (
        dataclasses.replace(one, called="another"),
        dataclasses.replace(one, answered="another"),
        dataclasses.replace(one, lowered="another"),
    ):
        assert list(differences(before, before | {one.key: mended})) == [one.key]
        assert mended.mended_since(one)
        assert not dataclasses.replace(mended, number=one.number + 1).mended_since(one)
    assert not dataclasses.replace(one, expressions="more", answered="more").mended_since(one)


def test_keys_of_functions_of_all_kinds_are_different() -> None:
    kinds = (FUNCTIONS, AGGREGATES, TABLE_FUNCTIONS, WINDOW_FUNCTIONS)
    keys = [key for kind in kinds for key in kind]
    assert len(set(keys)) == len(keys)
    assert RAISED.keys() <= set(keys) and all(number > 1 for number in RAISED.values())


def test_most_functions_are_asked() -> None:
    def asked(answers: Answers) -> bool:
        return not answers.calls == answers.expressions == "-"

    assert sum(not asked(each) for each in recorded().values()) <= _UNASKED_MAX
