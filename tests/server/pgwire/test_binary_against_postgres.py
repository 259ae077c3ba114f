"""Binary format against PostgreSQL: what it sends is what we send, and what it sends we read as it wrote it."""

from __future__ import annotations

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.text.context import DEFAULT_CONTEXT
from model.text.dispatch import format_datum, parse_datum
from model.text.modifiers import apply_modifier
from model.types.scalar_type import ScalarType, TypeName, type_oid
from server.pgwire.encoding.dispatch import receiver, sender
from tests.model.text.forms import Form, recorded, type_of

Connection = psycopg.Connection[tuple[object, ...]]

_TYPES = sorted({form.type_name for form in recorded()})
_COLUMNS_MAX = 200


def _held(form: Form) -> bool:
    """Whether the recording has an output that Headwater can hold."""
    try:
        value = parse_datum(form.text, type_of(form.type_name))
        apply_modifier(value, type_of(form.type_name), explicit=True)
    except SqlError:
        return False
    return "output" in form.expected and not form.settings and not form.assigned


def _literal(text: str) -> str:
    return "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _sent(postgres: Connection, forms: list[Form]) -> list[bytes]:
    values = ", ".join(f"{_literal(form.text)}::{form.type_name}" for form in forms)
    with postgres.cursor(binary=True) as cursor:
        result = cursor.execute(f"SELECT {values}".encode()).pgresult
    assert result is not None
    found = [result.get_value(0, i) for i in range(len(forms))]
    return [value for value in found if value is not None]


@pytest.mark.parametrize("type_name", _TYPES)
def test_binary_values_are_postgresqls(postgres: Connection, type_name: str) -> None:
    type_ = type_of(type_name)
    forms = [form for form in recorded() if form.type_name == type_name and _held(form)][:_COLUMNS_MAX]
    assert forms
    send, receive = sender(type_, 1, DEFAULT_CONTEXT), receiver(type_, 1, DEFAULT_CONTEXT)
    for form, theirs in zip(forms, _sent(postgres, forms), strict=True):
        value = apply_modifier(parse_datum(form.text, type_), type_, explicit=True)
        assert format_datum(receive(theirs), type_) == format_datum(value, type_), form
        if type_name != "numeric":
            # A numeric without modifier holds no display scale, which is part of PostgreSQL's bytes.
            assert send(value) == theirs, form
        else:
            assert format_datum(receive(send(value)), type_) == format_datum(value, type_)


def test_records_are_sent_as_postgresql_sends_them(postgres: Connection) -> None:
    with postgres.cursor(binary=True) as cursor:
        result = cursor.execute("SELECT ROW(1, 'a'::text, NULL::int8, 1.5::float8)").pgresult
    assert result is not None
    names = (TypeName.INT4, TypeName.TEXT, TypeName.INT8, TypeName.FLOAT8)
    record = ScalarType(TypeName.RECORD, fields=tuple((f"f{i}", ScalarType(n)) for i, n in enumerate(names)))
    assert type_oid(record) == result.ftype(0)
    assert sender(record, 1, DEFAULT_CONTEXT)((1, "a", None, 1.5)) == result.get_value(0, 0)
