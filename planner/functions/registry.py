"""The function table: every family's rows, found by key, by name, by cast.

FUNCTIONS        scalar functions, operators, casts, modifiers and syntax by key (named by a Call)
AGGREGATES       by key (named by an Aggregate)
TABLE_FUNCTIONS  by key (named by a FlatMap)
WINDOW_FUNCTIONS by key (named by a WindowCall, unless an aggregate)

Rows of one key mean one thing: an operator and a function may share it (`^` and power), then they evaluate alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from model.types.scalar_type import ScalarType
from planner.functions import boolean, comparison, subquery, variadic
from planner.functions.aggregates import json as aggregates_json
from planner.functions.aggregates import numbers as aggregates_numbers
from planner.functions.aggregates import ordered as aggregates_ordered
from planner.functions.aggregates import range_aggregates
from planner.functions.aggregates import statistics as aggregates_statistics
from planner.functions.aggregates import values as aggregates_values
from planner.functions.casts import compared as casts_compared
from planner.functions.casts import members as member_casts
from planner.functions.casts import other as casts_other
from planner.functions.casts.table import CASTS
from planner.functions.collections import array, array_assignment, array_shapes, lists, maps, range_functions
from planner.functions.geometry import box_rows, circle_rows, point_rows, segment_rows
from planner.functions.json import (
    json_assignment,
    json_build,
    json_change,
    json_extract,
    json_path,
    json_records,
    sql_json,
)
from planner.functions.numbers import (
    arithmetic,
    bits,
    float_math,
    number_templates,
    numeric_math,
    random_values,
    sampling,
    unsigned,
)
from planner.functions.numbers.wide import aggregate_twins, twins
from planner.functions.operator_aliases import aliases
from planner.functions.rows import key_of
from planner.functions.search import headline_rows, query_rows, ranking, trigram_rows, vector_rows, word_rows
from planner.functions.signature import AggregateFunction, Function, TableFunction, WindowFunction
from planner.functions.system import advisory, large_objects, names_written, sequences, sleeping, value_sizes
from planner.functions.system import catalog as system
from planner.functions.system import privileges as system_privileges
from planner.functions.system import properties as system_properties
from planner.functions.tables import json as table_functions_json
from planner.functions.tables import series as table_functions
from planner.functions.tables import system as table_functions_system
from planner.functions.text import bytea, hashing, pattern, quoting, table_hashes, unicode
from planner.functions.text import characters as text
from planner.functions.text import extraction as text_extraction
from planner.functions.text import regexp as regexp_functions
from planner.functions.time import (
    date_formatting,
    date_making,
    date_parts,
    date_reading,
    date_rounding,
    date_time,
    interval,
    timetz,
)
from planner.functions.types import (
    composites,
    domains,
    embeddings,
    enums,
    mac_address,
    money,
    network,
    row_version,
    sends,
)
from planner.functions.windows import frames as window_frames
from planner.functions.windows import places as window_functions

FAMILIES = (
    comparison,
    boolean,
    arithmetic,
    unsigned,
    float_math,
    numeric_math,
    text,
    pattern,
    regexp_functions,
    sends,
    quoting,
    unicode,
    bytea,
    bits,
    date_time,
    date_parts,
    date_rounding,
    date_making,
    date_formatting,
    date_reading,
    timetz,
    number_templates,
    interval,
    array_assignment,
    array_shapes,
    array,
    json_extract,
    json_assignment,
    json_change,
    json_build,
    json_path,
    json_records,
    sql_json,
    random_values,
    sampling,
    sleeping,
    advisory,
    large_objects,
    hashing,
    table_hashes,
    network,
    mac_address,
    money,
    embeddings,
    point_rows,
    box_rows,
    segment_rows,
    circle_rows,
    vector_rows,
    query_rows,
    word_rows,
    ranking,
    headline_rows,
    trigram_rows,
    system,
    system_privileges,
    system_properties,
    names_written,
    value_sizes,
    sequences,
    enums,
    range_functions,
    domains,
    composites,
    row_version,
    lists,
    maps,
    member_casts,
    casts_other,
    casts_compared,
    subquery,
    window_frames,
    aggregates_ordered,
)
AGGREGATE_FAMILIES = (
    aggregates_numbers,
    aggregates_statistics,
    aggregates_values,
    aggregates_json,
    aggregates_ordered,
    range_aggregates,
    money,
    embeddings,
    lists,
    maps,
    bits,
    unsigned,
)
TABLE_FAMILIES = (
    table_functions,
    lists,
    maps,
    table_functions_json,
    table_functions_system,
    system_privileges,
    sequences,
    json_path,
    json_records,
    text_extraction,
    vector_rows,
)


def _all_functions() -> list[Function]:
    rows = [row for family in FAMILIES for row in family.FUNCTIONS]
    return rows + variadic.spread_rows(rows) + [cast.function for cast in CASTS.values()]


def _by_key(rows: Iterable[Function]) -> dict[str, Function]:
    table: dict[str, Function] = {}
    for row in rows:
        known = table.setdefault(row.key, row)
        assert known is row or (known.name, known.form) != (row.name, row.form), f"{row.key} is listed twice"
        assert known.result == row.result or callable(row.result), f"{row.key} has two result types"
    return table


_ROWS = _all_functions()
FUNCTIONS: dict[str, Function] = _by_key(_ROWS)

OPERATORS: tuple[Function, ...] = tuple(row for row in _ROWS if row.form == "operator")
ALIASES: tuple[Function, ...] = tuple(aliases(OPERATORS, (row for row in _ROWS if row.form == "function")))
"""Operators as functions, by the names of the functions behind them."""

FUNCTIONS |= twins(FUNCTIONS)

_NAMED: dict[tuple[str, str], list[Function]] = defaultdict(list)
for _row in (*_ROWS, *ALIASES):
    _NAMED[_row.name, _row.form].append(_row)

AGGREGATES: dict[str, AggregateFunction] = {row.key: row for family in AGGREGATE_FAMILIES for row in family.AGGREGATES}

AGGREGATES |= aggregate_twins(AGGREGATES)

TABLE_FUNCTIONS: dict[str, TableFunction] = {
    row.key: row for family in TABLE_FAMILIES for row in family.TABLE_FUNCTIONS
}


WINDOW_FUNCTIONS: dict[str, WindowFunction] = {row.key: row for row in window_functions.WINDOW_FUNCTIONS}


def functions_named(name: str, form: str = "function") -> tuple[Function, ...]:
    """Returns the overloads of an SQL name; `form` "operator" takes a symbol, "syntax" a word such as `is_null`."""
    return tuple(_NAMED.get((name, form), ()))


def operators_named(symbol: str) -> tuple[Function, ...]:
    """Returns the overloads of an operator; those with one argument are prefix operators."""
    return functions_named(symbol, "operator")


def modifier_function(target: ScalarType) -> Function:
    """Returns the function (value, modifier, explicit) that applies the modifier of `target`, or of its elements."""
    return FUNCTIONS[key_of("modify", (target,))]


def aggregates_named(name: str) -> tuple[AggregateFunction, ...]:
    """Returns the overloads of an aggregate."""
    return tuple(row for row in AGGREGATES.values() if row.name == name)


def table_functions_named(name: str) -> tuple[TableFunction, ...]:
    """Returns the overloads of a set-returning function."""
    return tuple(row for row in TABLE_FUNCTIONS.values() if row.name == name)


def window_functions_named(name: str) -> tuple[WindowFunction, ...]:
    """Returns the overloads of a function that is called with OVER and is no aggregate."""
    return tuple(row for row in WINDOW_FUNCTIONS.values() if row.name == name)
