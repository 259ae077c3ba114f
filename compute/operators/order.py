"""Orders as Spark SQL: PostgreSQL's places for NULLs, written out always; ties broken by the whole row."""

from __future__ import annotations

from compute.operators.rendered import Form
from compute.scalars.comparisons import sortable
from compute.scalars.value import Value
from model.errors import NotSupported
from model.physical import column_name
from model.scalar_type import TypeName


def sort_item(value: Value, descending: bool, nulls_first: bool) -> str:
    if value.type.name is TypeName.JSONB:
        # Its canonical text sorts otherwise than its values do.
        raise NotSupported("an order by jsonb of a collection's rows")
    direction = "DESC" if descending else "ASC"
    return f"{sortable(value.sql, value.type)} {direction} NULLS {'FIRST' if nulls_first else 'LAST'}"


def whole_row(forms: tuple[Form, ...]) -> list[str]:
    """The items that order rows by all their columns, ascending."""
    items = [f"{sortable(column_name(i), form.type)} ASC NULLS LAST" for i, form in enumerate(forms)]
    # Intervals of equal span may differ (a month, 30 days): the parts make the order total.
    parts = [f"{column_name(i)} ASC NULLS LAST" for i, form in enumerate(forms) if form.type.name is TypeName.INTERVAL]
    return items + parts
