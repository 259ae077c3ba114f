"""Orders as Spark SQL: PostgreSQL's places for NULLs, written out always; ties broken by the whole row."""

from __future__ import annotations

from compute.operators.rendered import Form, decimals_name
from compute.scalars.comparisons import holds, sortable, zero_text
from compute.scalars.value import Value
from model.physical.columns import column_name
from model.types.scalar_type import ScalarType, TypeName


def sort_item(value: Value, descending: bool, nulls_first: bool) -> str:
    direction = "DESC" if descending else "ASC"
    return f"{sortable(value.sql, value.type)} {direction} NULLS {'FIRST' if nulls_first else 'LAST'}"


def whole_row(forms: tuple[Form, ...], shown: frozenset[int] = frozenset()) -> list[str]:
    """Returns order items that sort rows by all their columns, ascending, then by the decimals of those `shown`."""
    items = [f"{_order_of(column_name(i), form.type)} ASC NULLS LAST" for i, form in enumerate(forms)]
    # Equal values may differ (a month, 30 days; 1, 1.0; 0, -0): something that tells them apart makes the order total.
    exact = [exact_order_of(column_name(i), form.type) for i, form in enumerate(forms)]
    exact += [decimals_name(i) for i in sorted(shown)]
    return items + [f"{item} ASC NULLS LAST" for item in exact if item is not None]


def exact_order_of(name: str, type_: ScalarType) -> str | None:
    """Returns an expression that orders equal values which differ in form; None where equal values are the same, and
    for types with parts."""
    match type_.name:
        case TypeName.INTERVAL | TypeName.JSONB | TypeName.TSQUERY | TypeName.WIDE | TypeName.BPCHAR:
            return name
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            return zero_text(name)
        case _:
            return None


def _order_of(name: str, type_: ScalarType) -> str:
    """Returns an expression to sort by; for ties alone, containers of jsonb may sort by their texts."""
    return (
        name if (type_.element or type_.member) is not None and holds(type_, TypeName.JSONB) else sortable(name, type_)
    )
