"""Assignments to parts of variables: fields of rows, and elements and slices of arrays."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import check_depth
from model.types.datum import Datum, Row, ShapedArray
from model.types.scalar_type import INT4, TEXT, ScalarType, TypeName, type_text
from planner.functions.collections.array_assignment import HIGHEST, LOWEST, with_element, with_slice
from planner.plans.functions import Destination, PartSubscript
from server.statements.blocks.variables import Variables, written_type


class PartAssigning:
    """Assigns a value of the type `given` to a part of the variable `name`."""

    def __init__(self, variables: Variables, name: str, given: ScalarType, value: Datum) -> None:
        self._variables, self._name, self._given, self._value = variables, name, given, value

    async def assign(self, path: Sequence[str | PartSubscript]) -> None:
        """Gives the variable the new whole. Raises SqlError 55000 for a record without a row, 42703 for an unknown
        field; raises 42804 for what has no parts, and what assignments to arrays raise."""
        held = self._variables.held(self._name)
        if held.type is None:
            detail = "The tuple structure of a not-yet-assigned record is indeterminate."
            message = f'record "{self._name}" is not assigned yet'
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=detail)
        whole = await self._whole(held.type, held.value, path)
        await self._variables.assign(self._name, held.type, whole)

    async def _whole(self, type_: ScalarType, before: Datum, path: Sequence[str | PartSubscript]) -> Datum:
        if not path:
            return await self._converted(type_)
        step = path[0]
        if isinstance(step, str):
            return await self._with_field(type_, before, step, path[1:])
        if type_.element is None:
            if type_.name is TypeName.JSONB:
                raise NotSupported("an assignment to a part of a variable of type jsonb in PL/pgSQL")
            message = f"cannot subscript type {type_text(type_)} because it does not support subscripting"
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
        return await self._with_items(type_, type_.element, before, path)

    async def _converted(self, type_: ScalarType) -> Datum:
        """Returns the value as one of a type, a row field by field."""
        given, value = self._given, self._value
        if not isinstance(value, tuple) or not type_.fields or len(given.fields) != len(type_.fields):
            return await self._variables.cast(given, value, type_, written_type(type_))
        fields = zip(given.fields, value, type_.fields, strict=True)
        return tuple([await self._variables.cast(a, each, b, written_type(b)) for (_, a), each, (_, b) in fields])

    async def _with_field(
        self, type_: ScalarType, before: Datum, name: str, rest: Sequence[str | PartSubscript]
    ) -> Datum:
        names = [field for field, _ in type_.fields]
        if name not in names:
            message = f'record "{self._name}" has no field "{name}"'
            raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
        values: list[Datum] = list(before) if isinstance(before, tuple) else [None] * len(names)
        at = names.index(name)
        values[at] = await self._whole(type_.fields[at][1], values[at], rest)
        return tuple(values)

    async def _with_items(
        self, type_: ScalarType, element: ScalarType, before: Datum, path: Sequence[str | PartSubscript]
    ) -> Datum:
        array = before if isinstance(before, tuple | ShapedArray) else None
        steps = []
        for step in path:
            if isinstance(step, str):
                break
            steps.append(step)
        rest = path[len(steps) :]
        if rest:
            raise NotSupported("an assignment to a field of an array's element in PL/pgSQL")
        check_depth(len(steps))
        if not any(step.slice for step in steps):
            places = [await self._place(step.upper, None) for step in steps]
            return with_element(array, await self._converted(element), *places)
        bounds: list[int | None] = []
        for step in steps:
            bounds += [
                await self._place(step.lower, LOWEST) if step.slice else 1,
                await self._place(step.upper, HIGHEST),
            ]
        source = await self._converted(type_)
        return with_slice(array, source if isinstance(source, tuple | ShapedArray) else None, *bounds)

    async def _place(self, expression: str | None, otherwise: int | None) -> int | None:
        if expression is None:
            return otherwise
        found = await self._variables.converted(expression, INT4)
        return None if found is None else int(str(found))


async def take(
    variables: Variables, target: Destination, names: Sequence[str], types: Sequence[ScalarType], row: Row | None
) -> None:
    """Gives variables, or fields of them, a row of columns with names and types, and NULL for missing columns."""
    if target.whole and variables.takes_rows(target.names[0]):
        fields = tuple(zip(names, types, strict=True))
        await variables.assign(target.names[0], ScalarType(TypeName.RECORD, fields=fields), row)
        return
    for at, name in enumerate(target.names):
        given = types[at] if at < len(types) else TEXT
        value = None if row is None or at >= len(row) else row[at]
        variable, _, field = name.partition(".")
        if field and name not in variables.known:
            await PartAssigning(variables, variable, given, value).assign((field,))
        else:
            await variables.assign(name, given, value)
