"""Range types and multirange types of users as JSON of the catalog's rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catalog.nouns.items import MultirangeDefinition, RangeDefinition
from model.ids.global_id import GlobalId
from model.types.scalar_type import NamedType, ScalarType
from planner.plans.types import RangeOptions

RANGE_KINDS = ("range", "multirange")


def range_value(
    definition: RangeDefinition | MultirangeDefinition, type_value: Callable[[ScalarType], Any]
) -> dict[str, Any]:
    """Returns a definition as JSON; `type_value` writes types."""
    match definition:
        case RangeDefinition(array_oid, subtype, multirange, options):
            return {
                "kind": "range",
                "array_oid": array_oid,
                "subtype": type_value(subtype),
                "multirange": [str(multirange.id), multirange.oid, multirange.array_oid, multirange.name],
                "options": [options.operator_class, options.collation, options.distance],
            }
        case MultirangeDefinition(array_oid, range_):
            return {"kind": "multirange", "array_oid": array_oid, "range": type_value(range_)}


def range_of_value(
    value: dict[str, Any], type_of: Callable[[Any], ScalarType]
) -> RangeDefinition | MultirangeDefinition:
    """Reads a definition from JSON; `type_of` reads types."""
    if value["kind"] == "multirange":
        return MultirangeDefinition(value["array_oid"], type_of(value["range"]))
    id_, *named = value["multirange"]
    multirange = NamedType(GlobalId.parse(id_), *named)
    subtype = type_of(value["subtype"])
    return RangeDefinition(value["array_oid"], subtype, multirange, RangeOptions(*value["options"]))
