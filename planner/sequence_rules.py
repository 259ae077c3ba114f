"""The rules of a sequence, computed from the options of CREATE and ALTER SEQUENCE (manual, CREATE SEQUENCE).

rules = changed(rules or None, options)          None: a sequence that is only now made
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT2, INT4, INT8, ScalarType

_BITS = {INT2: 16, INT4: 32, INT8: 64}
SEQUENCE_TYPES = frozenset(_BITS)


class Identity(StrEnum):
    """The kind of GENERATED … AS IDENTITY, with the letter in pg_attribute.attidentity."""

    ALWAYS = "a"
    BY_DEFAULT = "d"


@dataclass(frozen=True, slots=True)
class SequenceRules:
    """Numbers from `minimum` to `maximum`, the first of them `start`. A session takes `cache` of them at once."""

    type: ScalarType
    start: int
    increment: int
    minimum: int
    maximum: int
    cache: int
    cycle: bool


@dataclass(frozen=True, slots=True)
class Limit:
    """MINVALUE or MAXVALUE; None: NO."""

    value: int | None


@dataclass(frozen=True, slots=True)
class Restart:
    """RESTART [WITH value]; None: at START."""

    value: int | None


@dataclass(frozen=True, slots=True)
class SequenceOptions:
    """The options of a sequence as written; None for missing ones."""

    type: ScalarType | None = None
    start: int | None = None
    increment: int | None = None
    minimum: Limit | None = None
    maximum: Limit | None = None
    cache: int | None = None
    cycle: bool | None = None
    restart: Restart | None = None

    @property
    def said(self) -> bool:
        return self != SequenceOptions()


def lowest(type_: ScalarType) -> int:
    return -(1 << (_BITS[type_] - 1))


def highest(type_: ScalarType) -> int:
    return (1 << (_BITS[type_] - 1)) - 1


_FIRST = SequenceRules(INT8, 1, 1, 1, highest(INT8), 1, False)


def changed(rules: SequenceRules | None, options: SequenceOptions) -> SequenceRules:
    """Returns the rules with the options; raises 22023 for what can't be counted by."""
    made = rules or _FIRST
    made = replace(
        made,
        type=options.type or made.type,
        increment=made.increment if options.increment is None else options.increment,
        cycle=made.cycle if options.cycle is None else options.cycle,
        cache=made.cache if options.cache is None else options.cache,
    )
    if made.increment == 0:
        raise _invalid("INCREMENT must not be zero")
    made = replace(made, maximum=_maximum(rules, made, options))
    _check_range("MAXVALUE", made.maximum, made.type)
    made = replace(made, minimum=_minimum(rules, made, options))
    _check_range("MINVALUE", made.minimum, made.type)
    if made.minimum >= made.maximum:
        raise _invalid(f"MINVALUE ({made.minimum}) must be less than MAXVALUE ({made.maximum})")
    if options.start is not None:
        made = replace(made, start=options.start)
    elif rules is None:
        made = replace(made, start=made.minimum if made.increment > 0 else made.maximum)
    check_within("START", made.start, made)
    if made.cache <= 0:
        raise _invalid(f"CACHE ({made.cache}) must be greater than zero")
    return made


def check_within(word: str, value: int, rules: SequenceRules) -> None:
    """Raises 22023 for a number that the sequence never gives."""
    if value < rules.minimum:
        raise _invalid(f"{word} value ({value}) cannot be less than MINVALUE ({rules.minimum})")
    if value > rules.maximum:
        raise _invalid(f"{word} value ({value}) cannot be greater than MAXVALUE ({rules.maximum})")


def _maximum(before: SequenceRules | None, made: SequenceRules, options: SequenceOptions) -> int:
    """Returns a limit: one that was the old type's becomes the new type's."""
    if options.maximum is not None and options.maximum.value is not None:
        return options.maximum.value
    moved = before is not None and options.type is not None and before.maximum == highest(before.type)
    if before is None or options.maximum is not None or moved:
        return highest(made.type) if made.increment > 0 or moved else -1
    return made.maximum


def _minimum(before: SequenceRules | None, made: SequenceRules, options: SequenceOptions) -> int:
    if options.minimum is not None and options.minimum.value is not None:
        return options.minimum.value
    moved = before is not None and options.type is not None and before.minimum == lowest(before.type)
    if before is None or options.minimum is not None or moved:
        return lowest(made.type) if made.increment < 0 or moved else 1
    return made.minimum


def _check_range(word: str, value: int, type_: ScalarType) -> None:
    if not lowest(type_) <= value <= highest(type_):
        raise _invalid(f"{word} ({value}) is out of range for sequence data type {type_}")


def _invalid(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
