"""Fields to datums, a column at a time; when anything in a batch is refused, a row at a time, to find the first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.text.dispatch import parser
from model.text.modifiers import apply_modifier
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

Field = str | None
Converter = Callable[[Sequence[str]], list[Datum]]
"""The texts of one column, none NULL, to datums; SqlError or ValueError when one of them is refused."""

_INTEGER_BITS = {TypeName.INT2: 15, TypeName.INT4: 31, TypeName.INT8: 63}
_PLAIN_FLOATS = re.compile(r"[0-9.+-]*")
_STRINGS = frozenset((TypeName.TEXT, TypeName.VARCHAR))
_SHOWN_MAX = 100
_PLAIN_DIGITS_MAX = 18


def limit_shown(text: str) -> str:
    """Returns the part of a value or line that a context shows: its first 100 bytes, in whole characters."""
    raw = text.encode()
    if len(raw) <= _SHOWN_MAX:
        return text
    return raw[:_SHOWN_MAX].decode(errors="ignore") + "..."


def with_context(error: SqlError, context: str) -> SqlError:
    """Returns the error, with COPY's line before any context of its own."""
    error.context = context if error.context is None else f"{error.context}\n{context}"
    return error


def _integers(bits: int) -> Converter:
    low, high = -(1 << bits), (1 << bits) - 1

    def convert(texts: Sequence[str]) -> list[Datum]:
        # int() takes more than PostgreSQL (underscores, other scripts' digits), so the characters are checked first.
        joined = "".join(texts)
        if not joined.isascii() or not joined.replace("-", "").isdigit():
            raise ValueError
        values: list[Datum] = list(map(int, texts))
        if max(map(len, texts)) > _PLAIN_DIGITS_MAX or bits < 63:
            numbers = [value for value in values if isinstance(value, int)]
            if min(numbers) < low or max(numbers) > high:
                raise ValueError
        return values

    return convert


def _floats(texts: Sequence[str]) -> list[Datum]:
    if _PLAIN_FLOATS.fullmatch("".join(texts)) is None or max(map(len, texts)) > 100:
        raise ValueError
    return list(map(float, texts))


def _strings(texts: Sequence[str]) -> list[Datum]:
    if "\0" in "".join(texts):
        raise ValueError
    return list(texts)


def _one_by_one(type_: ScalarType, context: TextContext) -> Callable[[str], Datum]:
    """Returns the input function of a type with its modifier, as in an assignment."""
    parse = parser(type_, context)
    element_modifier = type_.element.modifier if type_.element is not None else -1
    if type_.modifier < 0 and element_modifier < 0:
        return parse
    return lambda text: apply_modifier(parse(text), type_, explicit=False)


def _bulk(type_: ScalarType, convert_one: Callable[[str], Datum]) -> Converter:
    if type_.name in _INTEGER_BITS:
        return _integers(_INTEGER_BITS[type_.name])
    if type_.name is TypeName.FLOAT8:
        return _floats
    if type_.name in _STRINGS and type_.modifier < 0:
        return _strings
    return lambda texts: list(map(convert_one, texts))


class ColumnReader:
    """Turns records into rows. `relation` and the columns' names appear in errors."""

    def __init__(self, relation: str, desc: RelationDesc, context: TextContext) -> None:
        self.relation = relation
        self.desc = desc
        self.names = desc.names
        self._one = [_one_by_one(type_, context) for type_ in desc.types]
        self.converters = [_bulk(type_, one) for type_, one in zip(desc.types, self._one, strict=True)]

    def rows(self, records: Sequence[Sequence[Field]], line_numbers: Sequence[int]) -> list[Row]:
        """Makes rows; `records` all have as many fields as there are columns; `line_numbers` says where each was."""
        if not records:
            return []
        if not self.names:
            return [()] * len(records)
        try:
            columns = [
                _convert(convert, texts)
                for convert, texts in zip(self.converters, zip(*records, strict=True), strict=True)
            ]
        except (SqlError, ValueError):
            return [self._row(record, line) for record, line in zip(records, line_numbers, strict=True)]
        return list(zip(*columns, strict=True))

    def _row(self, record: Sequence[Field], line: int) -> Row:
        values: list[Datum] = []
        for name, convert, text in zip(self.names, self._one, record, strict=False):
            try:
                values.append(None if text is None else convert(text))
            except SqlError as error:
                shown = limit_shown(text or "")
                context = f'COPY {self.relation}, line {line}, column {name}: "{shown}"'
                raise with_context(error, context) from None
        return tuple(values)

    def check_fields(self, fields: Sequence[Field], line: int) -> None:
        """Raises the first error in the fields of a record that has too few."""
        self._row(fields, line)

    def line_error(self, error: SqlError, line: int, text: str) -> SqlError:
        """Returns an error of a whole line."""
        return with_context(error, f'COPY {self.relation}, line {line}: "{limit_shown(text)}"')


def _convert(convert: Converter, texts: Sequence[Field]) -> list[Datum]:
    if None not in texts:
        return convert([text for text in texts if text is not None])
    present = [text for text in texts if text is not None]
    values = iter(convert(present) if present else ())
    return [None if text is None else next(values) for text in texts]
