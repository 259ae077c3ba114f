"""Numerics of all sizes and scales through arithmetic, casts and aggregates: PostgreSQL's answer, or 22003 in the range
that docs/differences.md names. `--random-calls N` draws N expressions.

Quotients, roots and logarithms keep 18 decimals of those that PostgreSQL gives; all else is the same, zeros and all.
"""

from __future__ import annotations

import decimal
import random
from decimal import Decimal

import pytest

from tests.judge import Judge
from tests.planner.functions.recordings import ask
from tests.planner.functions.test_recorded_expressions import evaluated

_DIGITS_MAX, _SCALE_MAX = 38, 18
_WIDE = decimal.Context(prec=3000)
_INEXACT = ("/", "sqrt", "ln", "exp", "log", "power", "avg", "stddev", "variance", "var_pop")
_SEED = 11


def any_numeric(dice: random.Random, digits_max: int = 40) -> str:
    """Also with zeros at its end, which add decimals to results."""
    digits = str(dice.randrange(1, 10 ** dice.randint(1, dice.choice((3, 9, digits_max)))))
    scale = dice.choice((0, 0, 2, dice.randint(0, len(digits)), dice.randint(0, 30)))
    value = Decimal(digits).scaleb(-scale, _WIDE)
    zeros = f"{'' if scale else '.'}{'0' * dice.randint(1, 30)}" if dice.random() < 0.2 else ""
    return f"{value.copy_negate() if dice.random() < 0.4 else value:f}{zeros}"


def _expression(dice: random.Random) -> tuple[str, str]:
    """An operation and an expression of it."""
    a, b, c = (any_numeric(dice) for _ in range(3))
    small, tiny = any_numeric(dice, 4), any_numeric(dice, 2)
    precision = dice.randint(1, 38)
    forms = {
        "+": f"({a}) + ({b})",
        "-": f"({a}) - ({b})",
        "*": f"({a}) * ({b})",
        "/": f"({a}) / ({b})",
        "%": f"({a}) % ({b})",
        "div": f"div({a}, {b})",
        "round": f"round({a}, {dice.randint(-5, 20)})",
        "trunc": f"trunc({a}, {dice.randint(-5, 20)})",
        "cast": f"({a})::numeric({precision},{dice.randint(0, precision)})",
        "text": f"({a})::numeric::text",
        "read": f"'{a}'::numeric",
        "int8": f"({a})::int8",
        "float8": f"({a})::float8",
        "<": f"({a}) < ({b})",
        "sqrt": f"sqrt(abs({a}))",
        "ln": f"ln(abs({a}))",
        "log": f"log(abs({a}))",
        "exp": f"exp({small})",
        "power": f"power(abs({small}), {dice.randint(-6, 9) if dice.random() < 0.7 else tiny})",
        "sum": f"sum(x) FROM (VALUES ({a}), ({b}), ({c})) AS v(x)",
        "avg": f"avg(x) FROM (VALUES ({a}), ({a}), ({b})) AS v(x)",
        "variance": f"variance(x) FROM (VALUES ({small}), ({tiny})) AS v(x)",
        "stddev": f"stddev(x) FROM (VALUES ({small}), ({tiny}), ({small})) AS v(x)",
        "var_pop": f"var_pop(x) FROM (VALUES ({small}), ({tiny}), ({tiny})) AS v(x)",
    }
    return dice.choice(list(forms.items()))


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return max(-exponent, 0)


def _held(text: str) -> bool:
    value = Decimal(text).normalize(_WIDE)
    return max(value.adjusted() + 1, 0) + _places(value) <= _DIGITS_MAX


def _as_postgres(operation: str, expression: str, answer: str, expected: str) -> bool:
    if answer == expected or (answer[:7] == expected[:7] and expected.startswith("! ")):
        return True
    if operation in ("float8", "int8", "<", "text") and not answer.startswith("! 22003"):
        return False
    operands = [word.strip("(),'") for word in expression.replace("::", " ").split()]
    numbers = [word for word in operands if word.lstrip("-").replace(".", "", 1).isdigit()]
    if answer.startswith("! 22003"):
        lost = any(not _held(number) for number in numbers) or (expected.startswith("= ") and not _held(expected[2:]))
        return lost or (operation in _INEXACT and abs(Decimal(expected[2:])) < Decimal(1).scaleb(-_SCALE_MAX))
    ours, theirs = Decimal(answer[2:]), Decimal(expected[2:])
    if operation not in _INEXACT or _places(theirs.normalize(_WIDE)) <= _SCALE_MAX or _places(ours) != _SCALE_MAX:
        return False
    return abs(_WIDE.subtract(ours, theirs)) <= Decimal("0.5").scaleb(-_SCALE_MAX) + Decimal(1).scaleb(-_places(theirs))


def test_numerics_have_postgres_answers_or_are_refused(request: pytest.FixtureRequest, judge: Judge) -> None:
    dice, wrong = random.Random(_SEED), []
    with judge.connect() as connection:
        for _ in range(int(request.config.getoption("--random-calls"))):
            operation, expression = _expression(dice)
            expected = ask(connection, expression)
            answer, _ = evaluated(expression, "UTC")
            if not _as_postgres(operation, expression, answer, expected):
                wrong.append(f"{expression}\n  PostgreSQL: {expected}\n  Headwater:  {answer}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:20])
