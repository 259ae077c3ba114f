"""The rules for values of run-time parameters: a rule spells a value as SHOW does, and has the facts that
pg_settings shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.booleans import truth_of
from server.settings.durations import DECIMAL, QUANTITY, duration_text, number, parse_duration_ms

BOOLEAN_SPELLINGS = {"true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"}
"""What a choice that has `on` and `off` takes besides, which its list of values keeps quiet about."""
DURATION_MS_MAX = 2**31 - 1
_SIZES_KB = {"B": 1 / 1024, "kB": 1, "MB": 1024, "GB": 1024**2, "TB": 1024**3}
_REAL = re.compile(rf"\s*{DECIMAL}\s*", re.ASCII)


def _same(value: str) -> str:
    return value


@dataclass(frozen=True, slots=True)
class ValueRule:
    """The rule for a parameter's values.

    `spell`: checks a value and spells it as SHOW does; raises SqlError 22023 for others
    `kind`, `unit`, `least`, `most`, `choices`: shown in pg_settings
    `in_units`: converts SHOW's spelling to `unit`
    """

    spell: Callable[[str], str]
    kind: str = "string"
    unit: str | None = None
    least: str | None = None
    most: str | None = None
    choices: tuple[str, ...] | None = None
    in_units: Callable[[str], str] = _same


def refused(name: str, value: str, hint: str | None = None) -> SqlError:
    """Returns the error 22023 for a value that the parameter does not take."""
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid value for parameter "{name}": "{value}"', hint=hint)


def _outside(name: str, value: str, least: str, most: str) -> SqlError:
    message = f'{value} is outside the valid range for parameter "{name}" ({least} .. {most})'
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)


def boolean(name: str) -> ValueRule:
    """Returns the rule of a switch: it takes what the type boolean takes, beginnings of words too."""

    def spell(value: str) -> str:
        truth = truth_of(value)
        if truth is None:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'parameter "{name}" requires a Boolean value')
        return "on" if truth else "off"

    return ValueRule(spell, "bool")


def only_off(name: str) -> ValueRule:
    """Returns the rule of a switch that can't be switched on."""
    rule = boolean(name)

    def spell(value: str) -> str:
        chosen = rule.spell(value)
        if chosen != "off":
            raise refused(name, value, "Available values: off.")
        return chosen

    return ValueRule(spell, "bool")


def choice(name: str, *choices: str, others: Mapping[str, str] | None = None) -> ValueRule:
    """Returns the rule of a switch with more than two positions, which accepts the spellings of booleans where `on`
    is one of them; `others` are spellings that error messages don't list."""
    hidden = {**(others or {}), **(BOOLEAN_SPELLINGS if "on" in choices else {})}

    def spell(value: str) -> str:
        chosen = hidden.get(value.lower(), value.lower())
        if chosen not in (*choices, *hidden.values()):
            raise refused(name, value, f"Available values: {', '.join(choices)}.")
        return chosen

    return ValueRule(spell, "enum", choices=choices)


def whole(name: str, least: int, most: int) -> ValueRule:
    """Returns the rule of a whole number without a unit."""

    def spell(value: str) -> str:
        match = QUANTITY.fullmatch(value)
        if match is None or match[2]:
            raise refused(name, value)
        chosen = number(match[1])
        if not least <= chosen <= most:
            raise _outside(name, f"{chosen:.0f}", str(least), str(most))
        return f"{chosen:.0f}"

    return ValueRule(spell, "integer", None, str(least), str(most))


def real(name: str, least: float, most: float) -> ValueRule:
    """Returns the rule of a number."""

    def spell(value: str) -> str:
        if _REAL.fullmatch(value) is None:
            raise refused(name, value)
        chosen = float(value)
        if not least <= chosen <= most:
            raise _outside(name, f"{chosen:g}", f"{least:g}", f"{most:g}")
        return f"{chosen:g}"

    return ValueRule(spell, "real", None, f"{least:g}", f"{most:g}")


def size(name: str, page: int, least: int, most: int) -> ValueRule:
    """Returns the rule of a size, in units of `page` kB when no unit is written."""
    unit = "kB" if page == 1 else f"{page}kB"

    def pages(value: str) -> float:
        match = QUANTITY.fullmatch(value)
        if match is None or (match[2] and match[2] not in _SIZES_KB):
            raise refused(name, value, 'Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".')
        return number(match[1]) * (_SIZES_KB[match[2]] / page if match[2] else 1)

    def spell(value: str) -> str:
        units = pages(value)
        if not least <= units <= most:
            raise _outside(name, f"{units:.0f} {unit}", str(least), str(most))
        count = round(units)
        return size_text(count * page if count > 0 else count)

    return ValueRule(spell, "integer", unit, str(least), str(most), in_units=lambda value: str(round(pages(value))))


def size_text(kilobytes: int) -> str:
    """Writes a size as SHOW does: in the largest unit that divides the size, without a unit for 0 and less."""
    if kilobytes <= 0:
        return str(kilobytes)
    for unit in ("TB", "GB", "MB"):
        each = int(_SIZES_KB[unit])
        if kilobytes % each == 0:
            return f"{kilobytes // each}{unit}"
    return f"{kilobytes}kB"


def duration(name: str) -> ValueRule:
    """Returns the rule of a duration, in milliseconds when no unit is written."""

    def spell(value: str) -> str:
        return duration_text(parse_duration_ms(name, value))

    def in_units(value: str) -> str:
        return str(parse_duration_ms(name, value))

    return ValueRule(spell, "integer", "ms", "0", str(DURATION_MS_MAX), in_units=in_units)
