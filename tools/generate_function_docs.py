"""Writes docs/functions.md from the function table: python -m tools.generate_function_docs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from compute.scalars.lowerings import LOWERINGS
from model.scalar_type import RECORD, ScalarType, type_text
from planner.functions.casts.table import CASTS
from planner.functions.registry import AGGREGATE_FAMILIES, FAMILIES, TABLE_FAMILIES
from planner.functions.rows import ANYELEMENT
from planner.functions.signature import (
    AggregateFunction,
    CastContext,
    Function,
    TableFunction,
    Volatility,
    WindowFunction,
)
from planner.functions.windows import places as window_functions

TARGET = Path("docs/functions.md")
_HEADER = """# Functions

Every function, operator, aggregate and cast, generated from the function table by `tools/generate_function_docs.py`:
change the table, then run `python -m tools.generate_function_docs`. Names and meanings are PostgreSQL 16's, whose
manual (chapter 9) describes them; what is missing, `python -m tools.list_missing` lists.

**Runs**: *Spark* is a built-in expression of Spark (some calls of it may still go to Python, where only certain
arguments have an exact one), *Python* a vectorized function in Spark's Python workers, *environment* is answered from
the catalog and the session, without Spark. **!** marks what can fail for some arguments, **s** what depends on the
session or the statement's time, **v** what is volatile.
"""
_CONTEXTS = {
    CastContext.IMPLICIT: "implicitly",
    CastContext.ASSIGNMENT: "on assignment",
    CastContext.EXPLICIT: "when asked",
}
_MARKS = {Volatility.IMMUTABLE: "", Volatility.STABLE: "s", Volatility.VOLATILE: "v"}


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_").replace("~", "\\~")


def _result(row: Function | AggregateFunction | WindowFunction) -> str:
    if isinstance(row.result, ScalarType):
        return type_text(row.result)
    try:
        return type_text(row.result(row.arguments or (ANYELEMENT,)))
    except (AssertionError, IndexError):
        return type_text(ANYELEMENT)


def _arguments(types: Iterable[ScalarType], variadic: bool) -> str:
    written = [type_text(type_) for type_ in types]
    return ", ".join([*written[:-1], f"VARIADIC {written[-1]}"] if variadic else written)


def _signature(row: Function) -> str:
    if row.form == "operator":
        types = [type_text(type_) for type_ in row.arguments]
        call = f"{types[0]} {row.name} {types[1]}" if len(types) == 2 else f"{row.name} {types[0]}"
    else:
        call = f"({_arguments(row.arguments, row.variadic)})"
    return f"{call} → {_result(row)}"


def _where(rows: Iterable[Function]) -> str:
    places = {
        "environment" if row.needs_system else "Spark" if row.key in LOWERINGS else "Python": None for row in rows
    }
    return ", ".join(places)


def _title(family: ModuleType) -> Iterator[str]:
    name = family.__name__.removeprefix("planner.functions.").replace(".", ": ").replace("_", " ")
    first, _, _ = (family.__doc__ or "").partition("\n")
    yield f"\n## {name.capitalize()}\n\n{first}\n"


def _scalar_family(family: ModuleType) -> Iterator[str]:
    named: dict[tuple[str, str], list[Function]] = defaultdict(list)
    for row in family.FUNCTIONS:
        if row.form != "modifier":
            named[row.name, row.form].append(row)
    if not named:
        return
    yield from _title(family)
    yield "| name | overloads | runs | |"
    yield "|---|---|---|---|"
    for (name, form), rows in named.items():
        marks = "!" * any(row.fallible for row in rows) + "".join(sorted({_MARKS[row.volatility] for row in rows}))
        shown = f"*{_escaped(name.upper().replace('_', ' '))}*" if form == "syntax" else _escaped(name)
        overloads = "<br>".join(_escaped(_signature(row)) for row in rows)
        yield f"| {shown} | {overloads} | {_where(rows)} | {marks} |"


def _aggregate_family(family: ModuleType, rows: Iterable[AggregateFunction | WindowFunction]) -> Iterator[str]:
    named: dict[str, list[AggregateFunction | WindowFunction]] = defaultdict(list)
    for row in rows:
        named[row.name].append(row)
    yield from _title(family)
    yield "| name | overloads |\n|---|---|"
    for name, rows in named.items():
        overloads = (f"({_arguments(row.arguments, False)}) → {_result(row)}" for row in rows)
        yield f"| {_escaped(name)} | {'<br>'.join(map(_escaped, overloads))} |"


def _columns(row: TableFunction) -> str:
    try:
        desc = row.result(row.arguments)
    except (AssertionError, IndexError):
        return type_text(RECORD)
    return ", ".join(f"{column.name} {type_text(column.type)}" for column in desc.columns) or type_text(RECORD)


def _table_family(family: ModuleType) -> Iterator[str]:
    yield from _title(family)
    yield "| name | arguments | columns |\n|---|---|---|"
    for row in family.TABLE_FUNCTIONS:
        if " " in row.name:
            continue  # what can't be written
        arguments = _escaped(_arguments(row.arguments, row.variadic))
        yield f"| {_escaped(row.name)} | {arguments} | {_escaped(_columns(row))} |"


def _casts() -> Iterator[str]:
    yield "\n## Casts\n\nBetween types of which neither is an array; arrays cast as their elements do.\n"
    yield "| from | " + " | ".join(_CONTEXTS.values()) + " |\n|---|---|---|---|"
    sources: dict[ScalarType, dict[CastContext, list[str]]] = {}
    for cast in CASTS.values():
        if cast.source.element is None and cast.target.element is None:
            row = sources.setdefault(cast.source, {context: [] for context in _CONTEXTS})
            row[cast.context].append(type_text(cast.target))
    for source, targets in sorted(sources.items(), key=lambda pair: type_text(pair[0])):
        cells = (", ".join(sorted(targets[context])) for context in _CONTEXTS)
        yield f"| {type_text(source)} | " + " | ".join(cells) + " |"


def _lines() -> Iterator[str]:
    yield _HEADER.rstrip()
    for family in FAMILIES:
        yield from _scalar_family(family)
    for family in AGGREGATE_FAMILIES:
        yield from _aggregate_family(family, family.AGGREGATES)
    yield from _aggregate_family(window_functions, window_functions.WINDOW_FUNCTIONS)
    for family in TABLE_FAMILIES:
        yield from _table_family(family)
    yield from _casts()


def document() -> str:
    """The whole text."""
    return "\n".join(_lines()) + "\n"


def main() -> None:
    TARGET.write_text(document())


if __name__ == "__main__":
    main()
