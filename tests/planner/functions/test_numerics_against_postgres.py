"""Numerics of all sizes and scales, NaN and the infinities, through arithmetic, casts and aggregates: PostgreSQL's
answers, zeros and all. `--random-calls N` draws N expressions.
"""

from __future__ import annotations

import decimal
import random
from decimal import Decimal

import pytest

from tests.judge import Judge
from tests.planner.functions.recordings import ask
from tests.planner.functions.test_recorded_expressions import evaluated

_WIDE = decimal.Context(prec=3000)
_NO_NUMBERS = ("'NaN'::numeric", "'Infinity'::numeric", "'-Infinity'::numeric", "0.00", "1.0")
_SEED = 11


def any_numeric(dice: random.Random, digits_max: int = 40) -> str:
    """Also with zeros at its end, which add decimals to results, and what is no number."""
    if dice.random() < 0.06:
        return dice.choice(_NO_NUMBERS)
    if digits_max > 4 and dice.random() < 0.05:
        return f"{dice.randint(1, 999)}e{dice.choice((-1, 1)) * dice.randint(50, 900)}"
    digits = str(dice.randrange(1, 10 ** dice.randint(1, dice.choice((3, 9, digits_max)))))
    scale = dice.choice((0, 0, 2, dice.randint(0, len(digits)), dice.randint(0, 30)))
    value = Decimal(digits).scaleb(-scale, _WIDE)
    zeros = f"{'' if scale else '.'}{'0' * dice.randint(1, 30)}" if dice.random() < 0.2 else ""
    return f"{value.copy_negate() if dice.random() < 0.4 else value:f}{zeros}"


def _expression(dice: random.Random) -> str:
    a, b, c = (any_numeric(dice) for _ in range(3))
    small, tiny = any_numeric(dice, 4), any_numeric(dice, 2)
    precision = dice.randint(1, 38)
    scale = dice.randint(-min(5, 38 - precision), min(38, precision + 4))
    forms = {
        "+": f"({a}) + ({b})",
        "-": f"({a}) - ({b})",
        "*": f"({a}) * ({b})",
        "/": f"({a}) / ({b})",
        "%": f"({a}) % ({b})",
        "div": f"div({a}, {b})",
        "round": f"round({a}, {dice.randint(-5, 20)})",
        "trunc": f"trunc({a}, {dice.randint(-5, 20)})",
        "cast": f"({a})::numeric({precision},{scale})",
        "text": f"({a})::numeric::text",
        "read": f"{a}::text::numeric",
        "int8": f"({a})::int8",
        "float8": f"({a})::float8",
        "<": f"({a}) < ({b})",
        "^": f"({tiny}) ^ ({small})",
        "log_of": f"log(abs({small}), abs({a}))",
        "gcd": f"gcd({small}, {tiny})",
        "lcm": f"lcm({small}, {tiny})",
        "scale": f"scale({a}) + min_scale({b})",
        "order": f"max(x) || min(x)::text FROM (VALUES ({a}), ({b}), ({c})) AS v(x)",
        "bucket": f"width_bucket({a}, {small}, {tiny}, 7)",
        "jsonb": f"to_jsonb({a})",
        "to_char": f"to_char({a}, 'FM9999999990.0099')",
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
    return dice.choice(list(forms.values()))


def test_numerics_have_postgres_answers(request: pytest.FixtureRequest, judge: Judge) -> None:
    dice, wrong = random.Random(_SEED), []
    with judge.connect() as connection:
        for _ in range(int(request.config.getoption("--random-calls"))):
            expression = _expression(dice)
            expected = ask(connection, expression)
            answer, _ = evaluated(expression, "UTC")
            if not (answer == expected or (answer[:7] == expected[:7] and expected.startswith("! "))):
                wrong.append(f"{expression}\n  PostgreSQL: {expected}\n  Headwater:  {answer}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:20])
