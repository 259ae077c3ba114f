"""Random calls give PostgreSQL's answers, or an error where the answer lies outside what Headwater holds.

`--random-calls N` draws N of them.
"""

from __future__ import annotations

import itertools

import pytest

from tests.judge import Judge
from tests.planner.functions.generated import generated_calls
from tests.planner.functions.recordings import ask
from tests.planner.functions.test_recorded_expressions import agree, evaluated

_SEED = 1
_BEYOND = ("BC", "Infinity", "-Infinity")
_OUT_OF_RANGE = ("! 22003", "! 22008", "! 0A000")


def _held(answer: str, expected: str) -> bool:
    """Years before 1, infinities and numerics of more than 38 digits are errors here."""
    beyond = expected.endswith(_BEYOND) or len(expected) > len("= ") + 38
    return not (beyond and answer.startswith(_OUT_OF_RANGE))


def _same_error(answer: str, expected: str) -> bool:
    """Errors agree in their SQLSTATE; for what doesn't resolve, any of class 42 will do."""
    if not (answer.startswith("! ") and expected.startswith("! ")):
        return False
    return answer[:7] == expected[:7] or answer[:4] == expected[:4] == "! 42"


def test_random_calls_answer_as_postgres_does(request: pytest.FixtureRequest, judge: Judge) -> None:
    drawn = int(request.config.getoption("--random-calls"))
    wrong = []
    # Vectors are those of an extension, which PostgreSQL has not here.
    calls = (call for call in generated_calls(_SEED) if "::vector" not in call)
    with judge.connect() as connection:
        for call in itertools.islice(calls, drawn):
            expected = ask(connection, call)
            answer, type_ = evaluated(call, "UTC")
            if agree(answer, expected, type_, False) or _same_error(answer, expected):
                continue
            if _held(answer, expected):
                wrong.append(f"{call}\n  PostgreSQL: {expected}\n  Headwater:  {answer}")
    assert not wrong, "\n".join(wrong)
