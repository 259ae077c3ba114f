"""Values of each type as JSON: booleans are JSON's, NULL is null, arrays and lists are arrays, maps and rows are
objects. Everything else is a string with pgwire's text of the value; numbers too, and no digit is lost.

>>> from model.types.scalar_type import INT8, array_of
>>> json_maker(array_of(INT8), DEFAULT_CONTEXT)((1, None, 9007199254740993))
['1', None, '9007199254740993']
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from model.text.context import DEFAULT_CONTEXT, TextContext
from model.text.dispatch import formatter
from model.types.datum import Datum, Row, ShapedArray
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName
from server.pgwire.backend import Rows
from server.pgwire.descriptions import field_descriptions
from server.pgwire.large_values import Scale, done

T = TypeVar("T")
Made = Callable[[Any], Any]
_ROWS_AT_ONCE = 500
_encode = msgspec.json.Encoder().encode


def json_maker(type_: ScalarType, context: TextContext = DEFAULT_CONTEXT) -> Made:
    """Returns the function from a datum of a type to a value of JSON."""
    make = _maker(type_, context)
    return lambda datum: None if datum is None else make(datum)


def _maker(type_: ScalarType, context: TextContext) -> Made:
    match type_.name:
        case TypeName.BOOL:
            return bool
        case TypeName.ARRAY:
            assert type_.element is not None
            return _array_maker(json_maker(type_.element, context))
        case TypeName.LIST:
            assert type_.member is not None
            item = json_maker(type_.member, context)
            return lambda datum: [item(each) for each in datum]
        case TypeName.MAP:
            assert type_.member is not None
            member = json_maker(type_.member, context)
            return lambda datum: {key: member(value) for key, value in datum}
        case TypeName.RECORD:
            fields = [(name, json_maker(field, context)) for name, field in type_.fields]
            return lambda datum: {name: make(value) for (name, make), value in zip(fields, datum, strict=True)}
        case _:
            return formatter(type_, context)


def _array_maker(element: Made) -> Made:
    def make(datum: Datum) -> list[Any]:
        assert isinstance(datum, tuple | ShapedArray)
        items = [element(each) for each in datum]
        if not isinstance(datum, ShapedArray):
            return items
        for _, length in datum.dimensions[:0:-1]:
            items = [items[at : at + length] for at in range(0, len(items), length)]
        return items

    return make


class JsonRows:
    """Writes rows of one shape."""

    def __init__(self, desc: RelationDesc, context: TextContext) -> None:
        self._makers = [json_maker(type_, context) for type_ in desc.types]
        self._scale = Scale(desc.types)

    def encode(self, rows: Sequence[Row]) -> bytes:
        """Writes rows, at least one, with commas between."""
        return _encode(self._made(rows))[1:-1]

    def encode_each(self, rows: Sequence[Row]) -> list[bytes]:
        """Writes each row by itself."""
        return [_encode(row) for row in self._made(rows)]

    def _made(self, rows: Sequence[Row]) -> list[list[Any]]:
        return [[make(value) for make, value in zip(self._makers, row, strict=True)] for row in rows]

    async def pieces(self, batch: Sequence[Row], encode: Callable[[Sequence[Row]], T]) -> AsyncIterator[T]:
        """Yields what `encode`, a method of this object, makes of a batch's rows, of some hundreds at a time; others
        have their turn between."""
        for part in self._scale.parts(batch):
            for at in range(0, len(part), _ROWS_AT_ONCE):
                piece = part[at : at + _ROWS_AT_ONCE]
                yield await done(partial(encode, piece), large=self._scale.is_large(piece))
                # A client that takes everything at once would keep others waiting.
                await asyncio.sleep(0)


def columns_of(result: Rows) -> list[dict[str, Any]]:
    """Returns what clients are told of a result's columns."""
    return [
        {"name": each.name, "type_oid": each.type_oid, "type_len": each.type_size, "type_mod": each.type_modifier}
        for each in field_descriptions(result.description, (0,) * result.desc.arity)
    ]
