"""What a schema registry says: schemas, that there are none, or nothing that can be relied on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from connectors.registry.schemas import latest_schema, registry_access, schema_by_number
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.external.records import SchemaLanguage
from tests.schema_registry import SchemaRegistry, running_registry

_AVRO = SchemaLanguage.AVRO


@pytest.fixture
def registry() -> Iterator[SchemaRegistry]:
    with running_registry() as registry:
        yield registry


def test_schemas_are_had_by_number_and_by_subject(registry: SchemaRegistry) -> None:
    registry.register(7, "int", "a/b-value", schemaType="AVRO")
    access = registry_access({"URL": registry.url})
    assert schema_by_number(access, 7, _AVRO, 10) == latest_schema(access, "a/b-value", _AVRO, 10) == "int"


def test_schemas_of_protobuf_are_had_as_they_are_serialized(registry: SchemaRegistry) -> None:
    registry.register(8, "message A { int32 n = 1; }", "a-value", schemaType="PROTOBUF")
    registry.serialized[8] = "CgdhLnByb3Rv"
    access = registry_access({"URL": registry.url})
    protobuf = SchemaLanguage.PROTOBUF
    assert schema_by_number(access, 8, protobuf, 10) == latest_schema(access, "a-value", protobuf, 10) == "CgdhLnByb3Rv"


def test_who_logs_in_is_let_in(registry: SchemaRegistry) -> None:
    registry.login = "Basic dTpw"
    registry.register(7, "int")
    access = registry_access({"URL": registry.url, "USERNAME": "u", "PASSWORD": "p"})
    assert schema_by_number(access, 7, _AVRO, 10) == "int"
    assert "p'" not in repr(access)
    with pytest.raises(Unreachable, match="401"):
        schema_by_number(registry_access({"URL": registry.url}), 7, _AVRO, 10)


def test_what_is_not_there_is_an_error(registry: SchemaRegistry) -> None:
    registry.register(1, "x", schemaType="PROTOBUF")
    registry.register(2, "x", references=[{"name": "n", "subject": "s", "version": 1}])
    registry.register(3, "x" * (2 << 20))
    access = registry_access({"URL": registry.url})
    for number, why in ((1, "is PROTOBUF"), (2, "refers to other schemas"), (3, "more than"), (4, "has no schema 4")):
        with pytest.raises(SqlError, match=why):
            schema_by_number(access, number, _AVRO, 10)
    with pytest.raises(SqlError, match='has no schema of the subject "s"'):
        latest_schema(access, "s", _AVRO, 10)


@pytest.mark.parametrize(
    "answer",
    [
        (200, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"[" * 100_000),
        (200, b'{"schema": 1}'),
        (200, b"\xff"),
        (200, b" " * (17 << 20)),
        (404, b"not found"),
        (404, b'{"error_code": 404}'),
        (404, b"[" * 60_000),
        (500, b'{"error_code": 40403}'),
        (503, b""),
    ],
    ids=range(12),
)
def test_what_is_no_registry_says_nothing_of_schemas(registry: SchemaRegistry, answer: tuple[int, bytes]) -> None:
    registry.answer = answer
    with pytest.raises(Unreachable):
        schema_by_number(registry_access({"URL": registry.url}), 1, _AVRO, 10)


def test_a_registry_that_is_not_there_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="refused"):
        schema_by_number(registry_access({"URL": "http://127.0.0.1:9"}), 1, _AVRO, 10)
