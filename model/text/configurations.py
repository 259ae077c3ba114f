"""regconfig in text: the name of a configuration of text search, or its oid."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.configurations import CONFIGURATIONS, NAMES
from model.text.integers import unsigned_parser
from model.text.names import split_name

_SCHEMA = "pg_catalog"
_parse_oid = unsigned_parser("oid", 32)


def parse_configuration(text: str) -> int:
    """Parses a regconfig. Raises 42704 for a name that no configuration has, 42602 for what is no name."""
    if text == "-":
        return 0
    if text.isascii() and text.isdigit():
        return _parse_oid(text)
    parts = split_name(text)
    if len(parts) > 3:
        message = f"improper qualified name (too many dotted names): {'.'.join(parts)}"
        raise SqlError(Sqlstate.SYNTAX_ERROR, message)
    found = CONFIGURATIONS.get(parts[-1]) if parts[:-1] in ((), (_SCHEMA,)) else None
    if found is None:
        message = f'text search configuration "{".".join(parts)}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
    return found


def format_configuration(oid: int) -> str:
    """Returns a configuration's name, or its oid where it has none."""
    return "-" if oid == 0 else NAMES.get(oid, str(oid))
