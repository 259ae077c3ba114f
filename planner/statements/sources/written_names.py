"""Finds the names in the text of a statement about sources, so that SHOW CREATE can follow renames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenName, WrittenText
from planner.catalog_view import ItemView, QualifiedName
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.transactions import teller_of_transactions
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import Decoding, KeyValueFormat, SchemaFormat, SchemaRegistry

_WORD = r'(?:"(?:[^"]|"")*"|[^\W\d][\w$]*)'
_NAME = re.compile(rf"{_WORD}(?:\s*\.\s*{_WORD})*")

Named = tuple[Place, QualifiedName, GlobalId | None]
"""A name, what it means, and its id."""


def written_text(
    statement: ParsedStatement, begin: int, names: Iterable[Named], *, without: tuple[int, int] | None = None
) -> WrittenText:
    """Returns the statement's text from a byte on, with its names qualified; a name with comments inside stays as
    written. The bytes of `without`, before the first name, are left out."""
    text = statement.behind(begin).encode()
    parts: list[str | WrittenName] = []
    end = 0
    if without is not None:
        parts.append(text[: without[0] - begin].decode())
        end = without[1] - begin
    for place, name, id_ in sorted(names, key=lambda named: named[0].location):
        at = place.location - begin
        found = _NAME.match(text[at:].decode())
        if found is None or at < end or len(re.findall(_WORD, found[0])) != len(place.parts):
            continue
        parts += [text[end:at].decode(), WrittenName(found[0], name.schema, name.name, id_)]
        end = at + len(found[0].encode())
    return (*parts, text[end:].decode())


def connection_named(analysis: Analysis, place: Place) -> Named:
    """Returns a connection that a statement names."""
    return _named(place, access_object(analysis, "connection", place))


def names_of_decoding(analysis: Analysis, decoding: Decoding) -> Iterator[Named]:
    """Yields the registries, and the source that tells of transactions."""
    formats = decoding.format
    for format_ in (formats.key, formats.value) if isinstance(formats, KeyValueFormat) else (formats,):
        if isinstance(format_, SchemaFormat) and isinstance(format_.schema, SchemaRegistry):
            yield connection_named(analysis, format_.schema.connection)
    source = None if decoding.envelope is None else teller_of_transactions(decoding.envelope)
    if source is not None:
        yield _named(source, find_relation(analysis, source.parts, source.location))


def _named(place: Place, item: ItemView) -> Named:
    return place, item.name, item.id
