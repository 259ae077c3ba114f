"""Facts of PostgreSQL 16 that are kept as data: the columns of its system relations, and rows of some of them.

The files in data/ are written by tools/generate_pg_catalog.py and are in COPY's text format.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from catalog.declared.relation import Declaration, RelationKind
from model.text.dispatch import Parser, parser
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT, ScalarType, TypeName, array_of

_DATA = Path(__file__).parent / "data"
_NULL = "\\N"
_ESCAPES = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}
_REGISTERED = (TypeName.REGPROC, TypeName.REGTYPE, TypeName.REGCLASS)


@cache
def stored_relations() -> tuple[Declaration, ...]:
    """Returns every relation of PostgreSQL's pg_catalog and information_schema, by oid."""
    relations = []
    for line in (_DATA / "relations.tsv").read_text().splitlines():
        schema, name, oid, kind, columns = line.split("\t")
        desc = RelationDesc(tuple(_column(column) for column in columns.split(" ")))
        relations.append(Declaration(int(oid), schema, name, RelationKind(kind), desc))
    return tuple(relations)


@cache
def stored_desc(name: str) -> RelationDesc:
    """Returns the columns of a relation of pg_catalog or information_schema."""
    return next(relation.desc for relation in stored_relations() if relation.name == name)


def stored_rows(name: str) -> Iterator[Row]:
    """Yields the rows kept for a relation of pg_catalog, read anew at each call."""
    parsers = [_parser(column.type) for column in stored_desc(name).columns]
    with (_DATA / "rows" / f"{name}.tsv").open() as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            yield tuple(
                None if field == _NULL else parse(_unescaped(field))
                for parse, field in zip(parsers, fields, strict=True)
            )


@cache
def stored_table(name: str) -> tuple[Row, ...]:
    """Returns the rows of a stored relation, kept in memory: for small relations."""
    return tuple(stored_rows(name))


def _column(text: str) -> ColumnDesc:
    name, type_, *modifier = text.removesuffix("!").split(":")
    return ColumnDesc(name, _type(type_, int(modifier[0]) if modifier else -1), nullable=not text.endswith("!"))


@cache
def _type(name: str, modifier: int) -> ScalarType:
    """Returns a type by name; text for one that does not exist here."""
    if name == "anyarray":
        return array_of(TEXT)
    if name.startswith("_"):
        return array_of(_type(name[1:], modifier))
    try:
        return ScalarType(TypeName(name), modifier)
    except ValueError:
        return TEXT


def _parser(type_: ScalarType) -> Parser:
    """Returns the parser of a column's texts: the files hold reg* values as numbers; values that are only printed
    stay texts."""
    if type_.name in _REGISTERED:
        return int
    if type_.name in (TypeName.PG_NODE_TREE, TypeName.ACLITEM):
        return str
    if type_.element is not None and type_.element.name is TypeName.ACLITEM:
        return _aclitems
    return parser(type_)


def _aclitems(text: str) -> Datum:
    return tuple(text.strip("{}").split(","))


def _unescaped(field: str) -> str:
    if "\\" not in field:
        return field
    result, at = [], 0
    while at < len(field):
        pair = field[at : at + 2]
        result.append(_ESCAPES.get(pair, field[at]))
        at += 2 if pair in _ESCAPES else 1
    return "".join(result)
