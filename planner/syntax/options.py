"""Options of our own statements as they are written, and what is said of those that nobody knows.

BROKERS ('a:9092', 'b:9092'), SASL PASSWORD = SECRET s, PORT 5432, TRANSACTION METADATA (SOURCE tx)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.own_statements import Place


@dataclass(frozen=True, slots=True)
class SecretName:
    """SECRET s: the name of what keeps an option's value."""

    place: Place


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a statement, as written. `name` is in capitals, words with one space between; a word as a value is a
    Place, and no value is None. `location` is the byte at which it stands."""

    name: str
    value: OptionValue
    location: int


OptionValue: TypeAlias = "Place | SecretName | str | int | Decimal | tuple[OptionValue | Option, ...] | None"


def require_known(
    options: Iterable[Option], known: Collection[str], of: str, position: Callable[[int], int | None]
) -> None:
    """Raises SqlError 42601 at the first unknown option; `of` names the owner of the options."""
    for option in options:
        if option.name not in known:
            message = f'option "{option.name}" not recognized'
            hint = f"Options of {of} are: {', '.join(sorted(known))}." if known else f"{of} has no options."
            raise SqlError(Sqlstate.SYNTAX_ERROR, message, hint=hint, position=position(option.location))


def require_single(options: Iterable[Option], position: Callable[[int], int | None]) -> None:
    """Raises SqlError 42601 at the first option that occurs twice."""
    seen: set[str] = set()
    for option in options:
        if option.name in seen:
            message = f'option "{option.name}" specified more than once'
            hint = "Say each option once."
            raise SqlError(Sqlstate.SYNTAX_ERROR, message, hint=hint, position=position(option.location))
        seen.add(option.name)
