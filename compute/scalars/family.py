"""What the families of lowerings share: the shape of a row, and the usual ways to write one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compute.scalars.failure import Failure, failing_when
from compute.scalars.layers import Layers
from compute.scalars.value import Value, derived
from model.types.scalar_type import ScalarType

Lower = Callable[[Layers, tuple[Value, ...], ScalarType], Value | None]
"""None: these arguments have no exact built-in expression; the Python function takes over."""

Lowerings = Mapping[str, Lower]


def template(text: str) -> Lower:
    """A strict expression that can't fail; `{0}`, `{1}` … are the arguments, each used once."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        return derived(text.format(*(argument.sql for argument in arguments)), type_, *arguments)

    return lower


def shared(text: str) -> Lower:
    """As `template`, for arguments used more than once."""

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
    """An expression that is NULL for arguments that are not exactly when it fails with `failure`.

    `over` names values that the text uses besides the arguments.
    """
    sources = [plain(argument) for argument in (*arguments, *over)]
    result = layers.once(derived(text, type_, *sources, decimal=decimal))
    present = [f"{argument.sql} IS NOT NULL" for argument in arguments if argument.constant is None]
    own = failing_when(" AND ".join([f"{result.sql} IS NULL", *present]), failure)
    return derived(result.sql, type_, result, *arguments, decimal=decimal, error=own)


def plain(value: Value) -> Value:
    """The value without its error, where another part of the result carries it."""
    return Value(value.sql, value.type, value.decimal, None, value.level, value.simple, value.constant)
