"""money in text, as PostgreSQL writes and reads amounts with lc_monetary C or en_US: `-$1,000.50`. A value is a
number of cents, of 64 bits."""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_AMOUNT = re.compile(
    r"[ \t\n\v\f\r]*\$?[ \t\n\v\f\r]*([-(+])?[ \t\n\v\f\r]*\$?[ \t\n\v\f\r]*"
    r"(?P<whole>[0-9,]*)(?:\.(?P<cents>(?:,*[0-9]){0,2},*))?(?P<more>[0-9]*)(?P<end>[ \t\n\v\f\r)+$-]*)",
    re.ASCII,
)
_LEAST, _BEYOND = -(2**63), 2**63


def parse_money(text: str) -> int:
    """Parses an amount, rounded to cents, halves away from zero; raises 22P02, and 22003 for one of too many digits."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'invalid input syntax for type money: "{text}"')
    whole = match["whole"].replace(",", "").lstrip("0")
    out_of_range = SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f'value "{text}" is out of range for type money')
    if len(whole) > len(str(_BEYOND)):
        raise out_of_range
    cents = int(whole or "0") * 100 + int((match["cents"] or "").replace(",", "").ljust(2, "0"))
    cents += match["more"][:1] >= "5"
    value = -cents if match[1] in ("-", "(") or "-" in match["end"] else cents
    if not _LEAST <= value < _BEYOND:
        raise out_of_range
    return value


def format_money(cents: int) -> str:
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{rest:02}"
