"""Tables and rows in errors."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import ErrorSubject
from model.text.context import TextContext
from model.text.dispatch import format_datum
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType

_SHOWN_BYTES = 64


def subject_of(catalog: CatalogState, item: Item, **part: str) -> ErrorSubject:
    """Returns the subject of an error about a table's `column` or `constraint`."""
    return ErrorSubject(schema=catalog.full_name(item).schema, table=item.name, **part)


def failing_row(row: Row, item: Item, context: TextContext) -> str:
    """Returns the detail about a row that a table rejects."""
    return f"Failing row contains {row_text(row, item, context)}."


def row_text(row: Row, item: Item, context: TextContext) -> str:
    """Prints `(1, x)`, long values shortened."""
    shown = ((row[at], column.type) for _, at, column in item.numbered_columns)
    return f"({', '.join(_shortened(value_text(value, type_, context)) for value, type_ in shown)})"


def key_text(names: Sequence[str], key: Row, types: Sequence[ScalarType], context: TextContext) -> str:
    """Prints `Key (a, b)=(1, x)`."""
    texts = (value_text(value, type_, context) for value, type_ in zip(key, types, strict=True))
    return f"Key ({', '.join(names)})=({', '.join(texts)})"


def value_text(value: Datum, type_: ScalarType, context: TextContext) -> str:
    return "null" if value is None else format_datum(value, type_, context)


def _shortened(text: str) -> str:
    """Cuts a text after 64 bytes, as PostgreSQL does, between letters."""
    data = text.encode()
    return text if len(data) <= _SHOWN_BYTES else data[:_SHOWN_BYTES].decode(errors="ignore") + "..."
