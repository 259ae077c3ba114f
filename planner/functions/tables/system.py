"""Rows about the system: those that clients ask for in functions rather than in relations."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Callable
from typing import Any

from model.types.datum import Interval
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT4, INTERVAL, NAME, REGCLASS, TEXT, ScalarType, array_of
from planner.functions.rows import ANYARRAY, element_of, key_of
from planner.functions.signature import TableFunction
from planner.functions.system.keywords import RESERVED_WORDS
from planner.functions.system.lookup import SystemLookup
from planner.functions.system.properties import input_error
from planner.functions.tables.series import one_column
from planner.ir.scalar import SessionName

Row = tuple[Any, ...]
Types = tuple[ScalarType, ...]


def _desc(*columns: tuple[str, ScalarType]) -> Callable[[Types], RelationDesc]:
    desc = relation_desc(*columns)
    return lambda types: desc


def _options(options: tuple[str | None, ...]) -> list[Row]:
    """Takes `name=value` apart."""
    parts = [option.partition("=") for option in options if option is not None]
    return [(name, value if equals else None) for name, equals, value in parts]


def _expanded(array: tuple[Any, ...]) -> list[Row]:
    return [(item, number) for number, item in enumerate(array, 1)]


def _expanded_desc(types: Types) -> RelationDesc:
    return relation_desc(("x", element_of(types[0])), ("n", INT4))


def _zones(now: datetime.datetime) -> list[Row]:
    rows: list[Row] = []
    for name in sorted(zoneinfo.available_timezones()):
        local = now.astimezone(zoneinfo.ZoneInfo(name))
        offset, saving = local.utcoffset(), local.dst()
        assert offset is not None
        micros = offset // datetime.timedelta(microseconds=1)
        rows.append((name, local.tzname(), Interval(0, 0, micros), bool(saving)))
    return rows


def _keywords() -> list[Row]:
    return [(word,) for word in sorted(RESERVED_WORDS)]


def _input_error(system: SystemLookup, text: str, type_name: str) -> list[Row]:
    """Returns one row, of NULLs when the text is valid."""
    error = input_error(system, text, type_name)
    if error is None:
        return [(None, None, None, None)]
    return [(error.message, error.detail, error.hint, error.sqlstate.value)]


def _row(
    name: str, arguments: Types, result: Callable[[Types], RelationDesc], evaluate: Callable[..., list[Row]]
) -> TableFunction:
    return TableFunction(key_of(name, arguments), name, arguments, result, evaluate)


_INPUT_ERROR = _desc(("message", TEXT), ("detail", TEXT), ("hint", TEXT), ("sql_error_code", TEXT))
_EXTENSIONS = _desc(("name", NAME), ("default_version", TEXT), ("comment", TEXT))
_ZONES = _desc(("name", TEXT), ("abbrev", TEXT), ("utc_offset", INTERVAL), ("is_dst", BOOL))
_PARTITIONS = _desc(("relid", REGCLASS), ("parentrelid", REGCLASS), ("isleaf", BOOL), ("level", INT4))

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    _row("pg_partition_ancestors", (REGCLASS,), one_column("relid", REGCLASS), lambda oid: []),
    _row("pg_partition_tree", (REGCLASS,), _PARTITIONS, lambda oid: []),
    _row("pg_options_to_table", (array_of(TEXT),), _desc(("option_name", TEXT), ("option_value", TEXT)), _options),
    _row("_pg_expandarray", (ANYARRAY,), _expanded_desc, _expanded),
    _row("pg_get_keywords", (), one_column("word", TEXT), _keywords),
    _row("pg_available_extensions", (), _EXTENSIONS, list),
    TableFunction(
        key_of("pg_input_error_info", (TEXT, TEXT)),
        "pg_input_error_info",
        (TEXT, TEXT),
        _INPUT_ERROR,
        _input_error,
        fallible=True,
        needs_system=True,
    ),
    TableFunction(
        "pg_listening_channels",
        "pg_listening_channels",
        (),
        one_column("pg_listening_channels", TEXT),
        lambda system: [(channel,) for channel in system.session.listening_channels()],
        needs_system=True,
    ),
    TableFunction("pg_timezone_names", "pg_timezone_names", (), _ZONES, _zones, session=(SessionName.NOW,)),
)
