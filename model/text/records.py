"""Records in text: `(1,"a b",)`. PostgreSQL writes anonymous records and doesn't read them; neither do we."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from model.datum import Datum
from model.errors import SqlError
from model.sqlstate import Sqlstate

_NEEDS_QUOTES = re.compile(r'[()",\\ \t\n\v\f\r]|\A\Z')
_DOUBLED = re.compile(r'(["\\])')


def parse_record(text: str) -> tuple[Datum, ...]:
    """Always 0A000, as in PostgreSQL."""
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "input of anonymous composite types is not implemented")


def record_formatter(format_fields: Sequence[Callable[[Datum], str]]) -> Callable[[Sequence[Datum]], str]:
    def write(value: Sequence[Datum]) -> str:
        texts = (
            "" if item is None else _quoted(format_field(item))
            for item, format_field in zip(value, format_fields, strict=True)
        )
        return "(" + ",".join(texts) + ")"

    return write


def _quoted(text: str) -> str:
    if _NEEDS_QUOTES.search(text) is None:
        return text
    return '"' + _DOUBLED.sub(r"\1\1", text) + '"'
