"""The session's settings that the text of a value depends on."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from model.search.configurations import ENGLISH
from model.text.encodings import ClientEncoding
from model.types.scalar_type import TypeName


class ObjectNames(Protocol):
    """Names of objects, for reading and writing regclass, regtype and the like; the catalog implements it."""

    def name(self, kind: TypeName, oid: int) -> str | None:
        """Returns the name to print for an oid; None prints the number."""
        ...

    def oid(self, kind: TypeName, name: str) -> int:
        """Returns the oid of a name as a user writes it; raises SqlError when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class TextContext:
    """The settings named so in PostgreSQL. `now` is the transaction's time, for 'now' and 'today', which are refused
    without it; `objects` resolves names in reg* types, which are numbers without it. `encoding` is the client's, None
    for UTF8; the wire alone asks for it. `text_search` is the configuration that default_text_search_config
    names; `similarity` has the thresholds of pg_trgm: of texts, of words, of words strictly."""

    time_zone: str = "UTC"
    date_style: str = "ISO, MDY"
    interval_style: str = "postgres"
    extra_float_digits: int = 1
    bytea_output: str = "hex"
    now: datetime.datetime | None = None
    objects: ObjectNames | None = None
    encoding: ClientEncoding | None = None
    text_search: int = ENGLISH
    similarity: tuple[float, float, float] = (0.3, 0.6, 0.5)


DEFAULT_CONTEXT = TextContext()


def output_style(context: TextContext) -> str:
    """Writes the settings that texts of dates, times, intervals, floats and bytea depend on as one text: the TimeZone,
    then DateStyle, IntervalStyle, extra_float_digits and bytea_output where one of them is not the default."""
    styles = _styles(context)
    return context.time_zone if styles == _styles(DEFAULT_CONTEXT) else "|".join((context.time_zone, *styles))


def _styles(context: TextContext) -> tuple[str, str, str, str]:
    # Any number of extra digits above 0 asks for as many as the value needs.
    digits = min(context.extra_float_digits, DEFAULT_CONTEXT.extra_float_digits)
    return context.date_style, context.interval_style, str(digits), context.bytea_output


@lru_cache(maxsize=256)
def styled_context(style: str) -> TextContext:
    """Returns a context with the settings that `output_style` has written."""
    zone, *styles = style.split("|")
    if not styles:
        return TextContext(time_zone=zone)
    date_style, interval_style, digits, bytea_output = styles
    return TextContext(zone, date_style, interval_style, int(digits), bytea_output)
