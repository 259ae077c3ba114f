"""Functions of numerics of any precision, each the twin of one of numeric: wide, as collections hold them in bytes.

    add_numeric_numeric    →    add_wide_wide

Nobody writes them: names and operators resolve as if wide were numeric, and a call one of whose arguments is wide
becomes the twin's. What rounds has all decimals in the twin, since bytes hold these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from model.types.scalar_type import NUMERIC, WIDE, ScalarType, TypeName
from planner.functions.casts.record_casts import ASSIGNMENT, IMPLICIT, cast, unchanged
from planner.functions.rows import whole_key
from planner.functions.signature import AggregateFunction, Cast, Function


def widened(type_: ScalarType) -> ScalarType:
    """Returns wide for numeric, and any other type itself."""
    return WIDE if type_ == NUMERIC else type_


def narrowed(type_: ScalarType) -> ScalarType:
    """Returns numeric for wide, as names and operators resolve, and any other type itself."""
    return NUMERIC if type_.name is TypeName.WIDE else type_


def twin_key(key: str) -> str:
    """Returns the key of a function's twin."""
    return "_".join("wide" if part == "numeric" else part for part in key.split("_"))


def twins(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Returns the twins of all functions that take numerics, but for casts and comparisons, which have rows, by key."""
    found: dict[str, Function] = {}
    for row in functions.values():
        key = twin_key(row.key)
        if NUMERIC not in row.arguments or key in functions or row.form == "cast":
            continue
        exact = functions.get(whole_key(row.key), row)
        found[key] = replace(
            row,
            key=key,
            arguments=tuple(map(widened, row.arguments)),
            result=row.result if callable(row.result) else widened(row.result),
            evaluate=exact.evaluate,
            form="modifier",
        )
    return found


def aggregate_twins(aggregates: Mapping[str, AggregateFunction]) -> dict[str, AggregateFunction]:
    """Returns the twins of all aggregates of numerics, by key."""
    found: dict[str, AggregateFunction] = {}
    for row in aggregates.values():
        key = twin_key(row.key)
        if NUMERIC not in row.arguments or key in aggregates:
            continue
        exact = aggregates.get(whole_key(row.key), row)
        found[key] = replace(
            row,
            key=key,
            name="",
            arguments=tuple(map(widened, row.arguments)),
            result=row.result if callable(row.result) else widened(row.result),
            evaluate=exact.evaluate,
        )
    return found


def cast_twins(casts: Iterable[Cast]) -> list[Cast]:
    """Returns the casts from and to wide: those of numeric, and those between both."""
    found = [cast(NUMERIC, WIDE, IMPLICIT, unchanged), cast(WIDE, NUMERIC, ASSIGNMENT, unchanged, fallible=True)]
    for row in casts:
        source, target = widened(row.source), widened(row.target)
        if (source, target) != (row.source, row.target):
            key = f"cast_{twin_key(row.function.key.removeprefix('cast_'))}"
            function = replace(row.function, key=key, arguments=(source,), result=target)
            found.append(Cast(source, target, row.context, function))
    return found
