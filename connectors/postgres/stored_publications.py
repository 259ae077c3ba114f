"""Writes a source's knowledge of a publication as JSON for the catalog's rows, and reads it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.external.publications import Publication, PublishedColumn, PublishedTable, UnpublishedColumn, UpstreamSystem
from model.types.scalar_type import ScalarType, TypeName, array_of


def publication_value(publication: Publication) -> dict[str, Any]:
    return {
        "name": publication.name,
        "slot": publication.slot,
        "system": [publication.system.identifier, publication.system.timeline],
        "tables": [published_table_value(table) for table in publication.tables],
    }


def publication_of(value: Mapping[str, Any]) -> Publication:
    """Returns the inverse of `publication_value`."""
    identifier, timeline = value["system"]
    tables = tuple(map(published_table_of, value["tables"]))
    return Publication(value["name"], tables, UpstreamSystem(identifier, timeline), value["slot"])


def published_table_value(table: PublishedTable) -> dict[str, Any]:
    return {
        "schema": table.schema,
        "name": table.name,
        "oid": table.oid,
        "membership": table.membership,
        "filter": table.row_filter,
        "partitioned": table.partitioned,
        "history": table.history,
        "storage": table.storage,
        "version": table.version,
        "unpublished": [[column.name, column.number, column.generated] for column in table.unpublished],
        "columns": [_column_value(column) for column in table.columns],
    }


def _column_value(column: PublishedColumn) -> list[Any]:
    upstream = column.upstream_oid, column.upstream_modifier, column.number, column.version, column.labels
    return [column.name, _type_value(column.type), *upstream]


def published_table_of(value: dict[str, Any]) -> PublishedTable:
    """Returns the inverse of `published_table_value`."""
    place = value["schema"], value["name"], value["oid"], value["membership"]
    return PublishedTable(
        *place,
        tuple(_column_of(*each) for each in value["columns"]),
        value["filter"],
        value["partitioned"],
        history=value.get("history", ""),
        unpublished=tuple(UnpublishedColumn(*each) for each in value.get("unpublished", ())),
        storage=value.get("storage", 0),
        version=value.get("version", 0),
    )


def _column_of(
    name: str, type_: list[Any], oid: int, modifier: int, number: int = 0, version: int = 0, labels: Sequence[str] = ()
) -> PublishedColumn:
    """Reads a column. An older version wrote columns without numbers."""
    return PublishedColumn(name, _type_of(type_), oid, modifier, number, version, tuple(labels))


def _type_value(type_: ScalarType) -> list[Any]:
    """Returns a type as name, modifier, and whether it is an array."""
    single = type_.element or type_
    return [single.name.value, single.modifier, type_.element is not None]


def _type_of(value: list[Any]) -> ScalarType:
    name, modifier, many = value
    single = ScalarType(TypeName(name), modifier)
    return array_of(single) if many else single
