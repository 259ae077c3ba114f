"""The common parts of the families of lowerings: the shape of a row, and usual ways to write rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from compute.scalars.failure import Failure, failing_when
from compute.scalars.layers import Layers
from compute.scalars.value import Value, derived
from model.types.scalar_type import ScalarType

Lower = Callable[[Layers, tuple[Value, ...], ScalarType], Value | None]
"""None: these arguments have no exact built-in expression; the Python function takes over."""

Lowerings = Mapping[str, Lower]


def template(text: str) -> Lower:
    """Returns a strict expression that can't fail; `{0}`, `{1}` … are the arguments, each used once."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        return derived(text.format(*(argument.sql for argument in arguments)), type_, *arguments)

    return lower


def shared(text: str) -> Lower:
    """Lowers like `template`, for arguments used more than once."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        arguments = layers.once_all(*arguments)
        return derived(text.format(*(argument.sql for argument in arguments)), type_, *arguments)

    return lower


def checked(
    layers: Layers,
    text: str,
    type_: ScalarType,
    failure: Failure,
    *arguments: Value,
    decimal: tuple[int, int] | None = None,
    over: tuple[Value, ...] = (),
) -> Value:
    """Returns an expression whose NULL, for non-NULL arguments, means a `failure`.

    `over` names further values that the text uses.
    """
    sources = [plain(argument) for argument in (*arguments, *over)]
    result = layers.once(derived(text, type_, *sources, decimal=decimal))
    present = [f"{argument.sql} IS NOT NULL" for argument in arguments if argument.constant is None]
    own = failing_when(" AND ".join([f"{result.sql} IS NULL", *present]), failure)
    return derived(result.sql, type_, result, *arguments, decimal=decimal, error=own)


def plain(value: Value) -> Value:
    """Returns the value without its error, when another part of the result carries the error."""
    return replace(value, error=None)
