"""Functions whose result, or effort, is not bounded by the size of the arguments.

All other functions answer with no more than twice the bytes of their arguments and a page beyond, in time that grows
with the arguments; a test holds every function to this bound. `repeat('x', 1000000000)` is seventeen characters that
make a gigabyte, and a regular expression of ten characters can take longer than anybody waits: such a call is never
evaluated while other sessions would wait, nor while a statement is planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from model.types.datum import Datum
from planner.functions.signature import Function

_BY_NUMBER = frozenset({"repeat", "lpad", "rpad", "factorial", "pow", "power", "exp", "^"})
"""As large as an argument says."""
_BY_DIGITS = frozenset({"sqrt", "ln", "log", "log10", "gcd", "lcm", *_BY_NUMBER})
"""Of numerics, which take a time as the square of their digits, or more."""
_DIGITS_MAX = 200
_NAMES = frozenset(
    {
        # The answer's size is the product of two arguments', or stands in their text.
        "format",
        "replace",
        "array_fill",
        "array_to_string",
        "concat_ws",
        # Patterns: the work is what the pattern makes of the text.
        "~",
        "~*",
        "!~",
        "!~*",
        "~~",
        "~~*",
        "!~~",
        "!~~*",
        "regexp_count",
        "regexp_instr",
        "regexp_like",
        "regexp_match",
        "regexp_replace",
        "regexp_split_to_array",
        "regexp_substr",
        "substring",
        "jsonb_path_exists",
        "jsonb_path_exists_tz",
        "jsonb_path_match",
        "jsonb_path_match_tz",
        "jsonb_path_query_array",
        "jsonb_path_query_array_tz",
        "jsonb_path_query_first",
        "jsonb_path_query_first_tz",
        "@?",
        "@@",
        # An element is held in more bytes than its text has.
        "string_to_array",
        # Every element is looked for among all others.
        "array_positions",
        "array_remove",
        "array_replace",
        # Arrays are filled with nulls up to the place assigned.
        "with_member",
        # A token may be read anew from each of its characters.
        "to_tsvector",
        "json_to_tsvector",
        "jsonb_to_tsvector",
        "to_tsquery",
        "plainto_tsquery",
        "phraseto_tsquery",
        "websearch_to_tsquery",
        # Stretches of a text are made shorter again and again.
        *("word_similarity", "strict_word_similarity", "<%", "%>", "<<%", "%>>", "<<->", "<->>", "<<<->", "<->>>"),
        *("ts_headline", "ts_rank", "ts_rank_cd"),
        # Deep values are indented at every line.
        "jsonb_pretty",
    }
)
_KEYS = ("modify_bit", "modify_varbit", "modify_bpchar")
_SMALL = 64


_WHOLE = Decimal(0)
_NUMBER_MAX = 1000
_BYTES_MAX = 1 << 16


def grows(function: Function) -> bool:
    """Tells whether a call's result, or its running time, may be far larger than its input."""
    return function.name in _NAMES or function.name in _BY_NUMBER or function.key.startswith(_KEYS)


def bounded_call(function: Function, values: Sequence[Datum]) -> bool:
    """Tells whether a call with these values is quick, and has a small result."""
    if sum(map(bytes_of, values)) > _BYTES_MAX:
        return False
    if function.name in _BY_DIGITS and any(_long(value) for value in values):
        return False
    if function.name in _BY_NUMBER:
        numbers = [value for value in values if isinstance(value, int | float | Decimal)]
        # A Decimal that is NaN can't be compared, and makes nothing large.
        return all(number != number or -_NUMBER_MAX <= number <= _NUMBER_MAX for number in numbers)
    return not grows(function)


def bytes_of(value: Datum) -> int:
    """Returns the approximate size of a value in bytes."""
    match value:
        case str() | bytes():
            return len(value) + _SMALL
        case tuple():
            return sum(map(bytes_of, value)) + _SMALL
        case int():
            return value.bit_length() // 8 + _SMALL
        case Decimal() if value.is_finite():
            return _digits_of(value) + _SMALL
        case _:
            return _SMALL


def _digits_of(value: Decimal) -> int:
    """Returns the number of digits that a finite number is written with, roughly."""
    return abs(value.adjusted()) + (0 if value.same_quantum(_WHOLE) else len(value.as_tuple().digits))


def _long(value: Datum) -> bool:
    return isinstance(value, Decimal) and value.is_finite() and _digits_of(value) > _DIGITS_MAX
