"""Calls of functions that read the session: its values are arguments after the user's, filled in at execution."""

from __future__ import annotations

from model.types.scalar_type import ScalarType
from planner.functions.signature import Function
from planner.ir.scalar import Call, Scalar, SessionValue


def call_of(function: Function, arguments: tuple[Scalar, ...], type_: ScalarType) -> Call:
    return Call(function.key, (*arguments, *(SessionValue(name) for name in function.session)), type_)
