"""Enumerated types in text: labels, stored as positions."""

from __future__ import annotations

from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import EnumType


def enum_parser(enum: EnumType) -> Callable[[str], float]:
    """Returns the parser of labels, which raises 22P02 for a text that is no label."""
    positions = dict(enum.labels)

    def parse(text: str) -> float:
        if text not in positions:
            message = f'invalid input value for enum {enum.name}: "{text}"'
            raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message)
        return positions[text]

    return parse


def enum_formatter(enum: EnumType) -> Callable[[float], str]:
    """Returns the formatter of labels, which raises 22P03 for a position without a label."""
    labels = {position: label for label, position in enum.labels}

    def write(value: float) -> str:
        if value not in labels:
            message = f"invalid internal value for enum {enum.name}: {value:g}"
            raise SqlError(Sqlstate.INVALID_BINARY_REPRESENTATION, message)
        return labels[value]

    return write
