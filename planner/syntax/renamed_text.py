"""A query's text with relations renamed, and every other byte untouched.

The query goes on using its old names inside: `FROM s.t` becomes `FROM s.u AS t (a, b)` after a rename of s.t to s.u,
and of its columns a and b. The text must name relations with their schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.syntax.identifiers import qualified, quoted
from planner.syntax.parse import parse

_IDENTIFIER = rb'(?:"(?:[^"]|"")*"|[A-Za-z_\x80-\xff][\w$\x80-\xff]*)'
_COLUMN = re.compile(rb"(?:%b\s*\.\s*)*%b" % (_IDENTIFIER, _IDENTIFIER))
_NAME = re.compile(rb"%b(?:\s*\.\s*%b)+" % (_IDENTIFIER, _IDENTIFIER))
_ALIAS = re.compile(rb"\s+(?:as\s+)?(%b)" % _IDENTIFIER, re.IGNORECASE)
_TABLE_COMMAND = re.compile(rb"\btable\s+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NewName:
    """The new name of a relation. `columns` are the names by which the text knows the columns; None when the columns
    still have these names."""

    schema: str
    name: str
    columns: tuple[str, ...] | None


def with_new_names(sql: str, names: Mapping[tuple[str, str], NewName]) -> str:
    """Returns `sql` with each relation of `names`, keyed by the (schema, name) it is written as, under its new name."""
    (statement,) = parse(sql)
    data = sql.encode()
    found = [
        (node.location, node)
        for node in _messages(statement.node, "RangeVar")
        if (node.schemaname, node.relname) in names
    ]
    for location, node in sorted(found, key=lambda pair: -pair[0]):
        data = _replaced(data, location, node, names[node.schemaname, node.relname])
    return data.decode()


def with_new_columns(expression: str, names: Mapping[str, str]) -> str:
    """Returns the text of an expression over one relation, with its columns under their new names."""
    return with_columns_as(expression, {name: quoted(new) for name, new in names.items()})


def with_columns_as(expression: str, texts: Mapping[str, str]) -> str:
    """Returns the text of an expression with other texts in the place of columns."""
    lead = b"SELECT "
    data = lead + expression.encode()
    for location, name in sorted(_columns(data), reverse=True):
        if name in texts:
            match = _COLUMN.match(data, location)
            assert match is not None, "a column's place in the text is its name"
            data = data[:location] + texts[name].encode() + data[match.end() :]
    return data.removeprefix(lead).decode()


def columns_named(expression: str) -> tuple[str, ...]:
    """Returns the names of columns in an expression, in order, each once; "" for all of them."""
    return tuple(dict.fromkeys(name for _, name in sorted(_columns(b"SELECT " + expression.encode()))))


def _columns(select: bytes) -> list[tuple[int, str]]:
    """Returns the places and names of the columns in a query."""
    (statement,) = parse(select.decode())
    return [(node.location, node.fields[-1].string.sval) for node in _messages(statement.node, "ColumnRef")]


def _replaced(data: bytes, location: int, node: Any, new: NewName) -> bytes:
    match = _NAME.match(data, location)
    assert match is not None, "a relation's place in the text is its name"
    start, end = location, match.end()
    alias: str | None = node.relname if node.relname != new.name or new.columns is not None else None
    if node.HasField("alias"):
        written = _ALIAS.match(data, end)
        assert written is not None, "an alias follows the name"
        end = written.end()
        alias = node.alias.aliasname
    listed = new.columns is not None and not (node.HasField("alias") and node.alias.colnames)
    text = qualified(new.schema, new.name)
    command = _TABLE_COMMAND.search(data, 0, location)
    if command is not None:
        start, text = command.start(), f"SELECT * FROM {text}"
    if alias is not None:
        text += f" AS {quoted(alias)}"
    if listed and new.columns is not None:
        text += f" ({', '.join(map(quoted, new.columns))})"
    return data[:start] + text.encode() + data[end:]


def _messages(message: Any, kind: str) -> Iterator[Any]:
    """Yields every node of a kind in a syntax tree."""
    if message.DESCRIPTOR.name == kind:
        yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else (value,):
                yield from _messages(inner, kind)
