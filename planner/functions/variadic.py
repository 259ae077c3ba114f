"""`f(…, VARIADIC array)`: the variadic functions once more, taking the repeated arguments as one array.

f(a, VARIADIC ARRAY[b, c]) = f(a, b, c). Of a NULL array the answer is NULL, but format takes it for no arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from model.types.scalar_type import ScalarType, TypeName, array_of
from planner.functions.rows import ANYARRAY, element_of, key_of
from planner.functions.signature import Function

FORM = "variadic"
_NULL_IS_EMPTY = frozenset(("format",))


def spread_rows(rows: Iterable[Function]) -> list[Function]:
    """Returns, for each variadic function called by name, a row whose last argument is an array."""
    return [_spread(row) for row in rows if row.variadic and row.form == "function"]


def _spread(row: Function) -> Function:
    *head, last = row.arguments
    arguments = (*head, ANYARRAY if last.name is TypeName.ANY else array_of(last))
    return Function(
        key_of(f"{row.name}_variadic", arguments),
        row.name,
        arguments,
        row.result,
        _spreading(row),
        strict=row.strict,
        fallible=row.fallible,
        volatility=row.volatility,
        form=FORM,
        session=row.session,
        typed=row.typed,
    )


def _spreading(row: Function) -> Callable[..., Any]:
    count = len(row.arguments)

    def spread(types: tuple[ScalarType, ...] | None, given: tuple[Any, ...]) -> Any:
        *head, array = given[:count]
        if array is None:
            if row.name not in _NULL_IS_EMPTY:
                return None
            array = ()
        leading = [] if types is None else [(*types[:-1], *[element_of(types[-1])] * len(array))]
        return row.evaluate(*leading, *head, *array, *given[count:])

    if row.typed:
        return lambda types, *given: spread(types, given)
    return lambda *given: spread(None, given)
