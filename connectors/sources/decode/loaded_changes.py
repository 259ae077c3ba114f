"""Loads the values of Debezium's records as dicts and lists, in any format: they are searched for transactions
before rows are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from connectors.sources.decode.avro import avro_loader
from connectors.sources.decode.debezium import load_debezium
from connectors.sources.decode.records import RegistrySchemas
from model.errors.sql_error import SqlError
from model.external.records import SchemaFields, SchemaLanguage, ValueFormat


def loaded_values(values: Sequence[bytes | None], format_: ValueFormat, schemas: RegistrySchemas) -> list[Any]:
    """Returns the loaded values; None for a record without a value, and for one that can't be decoded (which becomes
    an error when rows are made)."""
    load = _loader(format_, schemas)
    return [None if value is None else load(value) for value in values]


def _loader(format_: ValueFormat, schemas: RegistrySchemas) -> Callable[[bytes], Any]:
    if not isinstance(format_, SchemaFields) or format_.language is not SchemaLanguage.AVRO:
        return load_debezium
    load = avro_loader(format_, {} if format_.registry is None else schemas[format_.registry])

    def loaded(value: bytes) -> Any:
        try:
            return load(value)
        except SqlError:
            return None

    return loaded
