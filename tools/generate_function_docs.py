"""Writes docs/functions.md from the function table: python -m tools.generate_function_docs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from compute.scalars.lowerings import LOWERINGS
from model.types.scalar_type import RECORD, ScalarType, type_text
from planner.functions.casts.table import CASTS
from planner.functions.registry import AGGREGATE_FAMILIES, FAMILIES, TABLE_FAMILIES, operators_named
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

`T` stands for one type, the same one throughout an overload. The types with an order are those that `<` compares:
{ordered}.

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
_FOLDED_MIN = 10  # overloads that differ in one type alone share a line when there are so many of them
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


def _arguments(written: Sequence[str], variadic: bool) -> str:
    return ", ".join([*written[:-1], f"VARIADIC {written[-1]}"] if variadic else written)


def _call(row: Function | AggregateFunction | WindowFunction, types: Sequence[str]) -> str:
    if isinstance(row, Function) and row.form == "operator":
        return f"{types[0]} {row.name} {types[1]}" if len(types) == 2 else f"{row.name} {types[0]}"
    return f"({_arguments(types, isinstance(row, Function) and row.variadic)})"


def _overloads(rows: Sequence[Function | AggregateFunction | WindowFunction]) -> str:
    """Returns the cell of a name's overloads; many that differ in one type alone share a line that lists the types."""
    same_result = len({_result(row) for row in rows}) == 1
    of_shape: dict[str, list[str]] = defaultdict(list)
    written: list[tuple[str, str]] = []
    for row in rows:
        types, result = [type_text(type_) for type_ in row.arguments], _result(row)
        first = types[0] if types else ""
        marked = ["T" if name == first else name for name in types]
        shape = f"{_call(row, marked)} → {'T' if result == first and not same_result else result}"
        of_shape[shape].append(first)
        written.append((shape, f"{_call(row, types)} → {result}"))
    lines = (
        _escaped(overload if len(types := of_shape[shape]) < _FOLDED_MIN else f"{shape}, where T is {_one_of(types)}")
        for shape, overload in written
    )
    return "<br>".join(dict.fromkeys(lines))


def _ordered_types() -> tuple[str, ...]:
    return tuple(dict.fromkeys(type_text(row.arguments[0]) for row in operators_named("<")))


def _one_of(types: Sequence[str]) -> str:
    ordered = _ordered_types()
    others = [type_ for type_ in types if type_ not in ordered]
    named = types if set(ordered) - set(types) else ["any type with an order", *others]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


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
        yield f"| {shown} | {_overloads(rows)} | {_where(rows)} | {marks} |"


def _aggregate_family(family: ModuleType, rows: Iterable[AggregateFunction | WindowFunction]) -> Iterator[str]:
    named: dict[str, list[AggregateFunction | WindowFunction]] = defaultdict(list)
    for row in rows:
        named[row.name].append(row)
    yield from _title(family)
    yield "| name | overloads |\n|---|---|"
    for name, rows in named.items():
        yield f"| {_escaped(name)} | {_overloads(rows)} |"


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
        arguments = _escaped(_arguments([type_text(type_) for type_ in row.arguments], row.variadic))
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
    yield _HEADER.format(ordered=_escaped(", ".join(_ordered_types()))).rstrip()
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
