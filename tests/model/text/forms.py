"""The recorded forms, and what Headwater makes of the same texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.text.dispatch import format_datum, parse_datum
from model.text.modifiers import apply_modifier
from model.types.scalar_type import ScalarType, TypeName, array_of, bpchar, numeric, varchar

_RECORDED = Path(__file__).with_name("text_forms.jsonl")
_FIELDS = {
    "TimeZone": "time_zone",
    "DateStyle": "date_style",
    "IntervalStyle": "interval_style",
    "extra_float_digits": "extra_float_digits",
    "bytea_output": "bytea_output",
}
_MASKS = {
    "interval year": 1 << 2,
    "interval month": 1 << 1,
    "interval year to month": 1 << 2 | 1 << 1,
    "interval day": 1 << 3,
    "interval hour": 1 << 10,
    "interval day to minute": 1 << 3 | 1 << 10 | 1 << 11,
    "interval day to second": 1 << 3 | 1 << 10 | 1 << 11 | 1 << 12,
}
_MODIFIED = {
    "varchar(3)": varchar(3),
    "char(5)": bpchar(5),
    "numeric(6,2)": numeric(6, 2),
    "numeric(3,0)": numeric(3, 0),
    "numeric(2,2)": numeric(2, 2),
    "numeric(4,1)": numeric(4, 1),
    "timestamp(0)": ScalarType(TypeName.TIMESTAMP, 0),
    "timestamp(3)": ScalarType(TypeName.TIMESTAMP, 3),
    "timestamptz(2)": ScalarType(TypeName.TIMESTAMPTZ, 2),
    "time(0)": ScalarType(TypeName.TIME, 0),
    "timetz(2)": ScalarType(TypeName.TIMETZ, 2),
    "bit(3)": ScalarType(TypeName.BIT, 3),
    "varbit(3)": ScalarType(TypeName.VARBIT, 3),
    "interval(0)": ScalarType(TypeName.INTERVAL, 0x7FFF << 16),
    "interval second(2)": ScalarType(TypeName.INTERVAL, 1 << 12 << 16 | 2),
} | {name: ScalarType(TypeName.INTERVAL, mask << 16 | 0xFFFF) for name, mask in _MASKS.items()}


@dataclass(frozen=True)
class Form:
    type_name: str
    assigned: bool
    settings: Mapping[str, str]
    text: str
    expected: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.type_name} {dict(self.settings) or ''} {self.text!r}"


@lru_cache(maxsize=1)
def recorded() -> list[Form]:
    forms = []
    for line in _RECORDED.read_text().split("\n"):
        if line:
            case = json.loads(line)
            head = (case.pop("type"), case.pop("assigned"), case.pop("settings"), case.pop("text"))
            forms.append(Form(*head, case))
    return forms


def type_of(name: str) -> ScalarType:
    if name.endswith("[]"):
        return array_of(type_of(name[:-2]))
    return _MODIFIED.get(name) or ScalarType(TypeName(name.strip('"')))


def context_of(settings: Mapping[str, str]) -> TextContext:
    fields: dict[str, Any] = {_FIELDS[name]: value for name, value in settings.items()}
    if "extra_float_digits" in fields:
        fields["extra_float_digits"] = int(fields["extra_float_digits"])
    return TextContext(**fields)


def actual(form: Form) -> dict[str, str]:
    """The output or the error's fields, as the recording has them."""
    type_, context = type_of(form.type_name), context_of(form.settings)
    try:
        datum = parse_datum(form.text, type_, context=context)
        datum = apply_modifier(datum, type_, explicit=not form.assigned)
        return {"output": format_datum(datum, type_, context)}
    except SqlError as error:
        fields = {
            "sqlstate": error.sqlstate.value,
            "message": error.message,
            "detail": error.detail,
            "hint": error.hint,
            "context": error.context,
        }
        return {key: value for key, value in fields.items() if value is not None}
