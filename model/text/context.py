"""What a value's text depends on besides the value: the session's settings."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from model.types.scalar_type import TypeName


class ObjectNames(Protocol):
    """How regclass, regtype and their kin are read and written; the catalog knows."""

    def name(self, kind: TypeName, oid: int) -> str | None:
        """The name to print for an oid; None prints the number."""
        ...

    def oid(self, kind: TypeName, name: str) -> int:
        """The oid of a name as a user writes it; SqlError when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class TextContext:
    """The settings that PostgreSQL names so; `now` is the transaction's time for 'now' and 'today', which
    are refused without it; `objects` resolves names in reg* types, which are numbers without it."""

    time_zone: str = "UTC"
    date_style: str = "ISO, MDY"
    interval_style: str = "postgres"
    extra_float_digits: int = 1
    bytea_output: str = "hex"
    now: datetime.datetime | None = None
    objects: ObjectNames | None = None


DEFAULT_CONTEXT = TextContext()


def output_style(context: TextContext) -> str:
    """The settings that the text of dates, times and intervals depends on, in one text: the TimeZone, then DateStyle
    and IntervalStyle where one of them is not the default."""
    styles = (context.date_style, context.interval_style)
    if styles == (DEFAULT_CONTEXT.date_style, DEFAULT_CONTEXT.interval_style):
        return context.time_zone
    return "|".join((context.time_zone, *styles))


@lru_cache(maxsize=256)
def styled_context(style: str) -> TextContext:
    """A context with the settings that `output_style` wrote."""
    zone, *styles = style.split("|")
    if not styles:
        return TextContext(time_zone=zone)
    return TextContext(time_zone=zone, date_style=styles[0], interval_style=styles[1])
