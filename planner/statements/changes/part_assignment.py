"""column[2] and column.field as targets of UPDATE and INSERT: the new value of a column that is assigned in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, INT4, INT8, JSONB, ScalarType, TypeName, bare_text
from planner.expressions.arrays import PARTED, jsonb_steps, refuse_parts_slice
from planner.expressions.calls import call_syntax
from planner.expressions.columns import field_at
from planner.expressions.planner import Expressions
from planner.functions.collections.array_assignment import HIGHEST, LOWEST
from planner.functions.signature import CastContext
from planner.ir.scalar import Literal, RowOf, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.types.coercion import coerce, known
from planner.types.domains import retyped, without_domain


class PartAssignment:
    """Assignments to parts of the column `name`; `location` is where errors point to."""

    def __init__(self, expressions: Expressions, name: str, location: int) -> None:
        self._expressions = expressions
        self._analysis: Analysis = expressions.analysis
        self._name = name
        self._location = location

    def assigned(self, whole: Scalar, path: Sequence[Any], value: Scalar) -> Scalar:
        """Puts `value` into `whole` at the end of `path`, the fields and subscripts that follow the column's name."""
        type_ = scalar_type(whole)
        if type_.domain is not None:
            changed = self.assigned(without_domain(whole, type_), path, value)
            return self._last(changed, type_, "assignment to", self._name)
        step, *rest = path
        kind = step.WhichOneof("node")
        if kind == "string":
            return self._with_field(whole, step.string.sval, rest, value)
        if type_.name is TypeName.JSONB:
            return self._with_member(whole, path, value)
        if type_.name in PARTED:
            return self._with_part(whole, path, value)
        if type_.element is None:
            message = f"cannot subscript type {bare_text(type_)} because it does not support subscripting"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location)
        count = subscripts_at(path)
        return self._with_subscripts(whole, [step.a_indices for step in path[:count]], path[count:], value)

    def _with_field(self, whole: Scalar, name: str, rest: Sequence[Any], value: Scalar) -> Scalar:
        type_ = scalar_type(whole)
        if type_.name is not TypeName.RECORD:
            message = f'cannot assign to field "{name}" of column "{self._name}" because its type '
            message += f"{bare_text(type_)} is not a composite type"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location)
        names = [field for field, _ in type_.fields]
        if name not in names:
            message = f'cannot assign to field "{name}" of column "{self._name}" because there is no such column '
            message += f"in data type {bare_text(type_)}"
            raise self._analysis.error(Sqlstate.UNDEFINED_COLUMN, message, self._location)
        fields = [
            field_at(self._analysis, whole, at, each, self._location) for at, (_, each) in enumerate(type_.fields)
        ]
        at = names.index(name)
        fields[at] = (
            self._last(value, type_.fields[at][1], "subfield", name)
            if not rest
            else self.assigned(fields[at], rest, value)
        )
        return RowOf(tuple(fields), type_)

    def _with_subscripts(self, whole: Scalar, indices: Sequence[Any], rest: Sequence[Any], value: Scalar) -> Scalar:
        type_ = scalar_type(whole)
        element = type_.element
        assert element is not None
        if any(item.is_slice for item in indices):
            if rest:
                raise self._analysis.unsupported("assignment to fields of a slice", self._location)
            bounds = [bound for item in indices for bound in self._bounds(item)]
            source = self._last(value, type_, "subscripted assignment to", self._name)
            return self._changed("with_slice", type_, whole, source, *bounds)
        places = [self._place(item.uidx) for item in indices]
        if rest:
            before = retyped(call_syntax(self._analysis, "subscript", [whole, *places], self._location), element)
            item = self.assigned(before, rest, value)
        else:
            item = self._last(value, element, "subscripted assignment to", self._name)
        return self._changed("with_element", type_, whole, item, *places)

    def _with_part(self, whole: Scalar, path: Sequence[Any], value: Scalar) -> Scalar:
        """Takes one subscript of a shape: a part of a part is out of range, as for PostgreSQL."""
        type_, indices = scalar_type(whole), [step.a_indices for step in path[: subscripts_at(path)]]
        refuse_parts_slice(self._analysis, indices, self._location)
        places = [self._place(item.uidx) for item in indices]
        if len(places) > 1:
            message = "wrong number of array subscripts"
            raise self._analysis.error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message, self._location)
        before = call_syntax(self._analysis, "part", [whole, *places], self._location)
        if len(path) > 1:
            return self._with_field(before, path[1].string.sval, path[2:], value)
        new = self._last(value, before.type, "subscripted assignment to", self._name)
        return self._changed("with_part", type_, whole, new, *places)

    def _with_member(self, whole: Scalar, path: Sequence[Any], value: Scalar) -> Scalar:
        """Takes all of the path: behind a subscript of jsonb there is jsonb."""
        count = subscripts_at(path)
        if count < len(path):
            return self._with_field(whole, path[count].string.sval, path[count + 1 :], value)
        steps, numbered = jsonb_steps(self._expressions, [step.a_indices for step in path], self._location)
        new = self._last(value, JSONB, "subscripted assignment to", self._name)
        return self._changed("with_member", JSONB, whole, new, Literal(numbered, BOOL), *steps)

    def _changed(self, function: str, type_: ScalarType, *arguments: Scalar) -> Scalar:
        """Changes one element: the others are values of the element's domain, if it is one, and need not be checked
        again."""
        return retyped(call_syntax(self._analysis, function, list(arguments), self._location), type_)

    def _bounds(self, item: Any) -> tuple[Scalar, Scalar]:
        """Returns the bounds of a subscript: beside a slice, a single subscript means the elements from 1 to it."""
        first = Literal(LOWEST if item.is_slice else 1, INT8)
        low = self._place(item.lidx) if item.HasField("lidx") else first
        return low, self._place(item.uidx) if item.HasField("uidx") else Literal(HIGHEST, INT8)

    def _place(self, node: Any) -> Scalar:
        return self._expressions.to_type(self._expressions.plan(node), INT4, "array subscript", self._location)

    def _last(self, value: Scalar, type_: ScalarType, what: str, name: str) -> Scalar:
        cast = coerce(self._analysis, value, type_, CastContext.ASSIGNMENT, self._location)
        if cast is None:
            verb = "is of type" if what == "subfield" else "requires type"
            actual = bare_text(scalar_type(known(self._analysis, value)))
            message = f'{what} "{name}" {verb} {bare_text(type_)} but expression is of type {actual}'
            hint = "You will need to rewrite or cast the expression."
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location, hint=hint)
        return cast


def subscripts_at(path: Sequence[Any]) -> int:
    """Returns the number of subscripts at the beginning of a path, which belong to one array."""
    return next((at for at, step in enumerate(path) if step.WhichOneof("node") != "a_indices"), len(path))


def end_type(type_: ScalarType, path: Sequence[Any]) -> ScalarType | None:
    """Returns the type of the part at the end of a path; None where there is no such part."""
    while path:
        count = subscripts_at(path)
        found: ScalarType | None
        if count == 0:
            found = dict(type_.fields).get(path[0].string.sval)
        else:
            sliced = any(step.a_indices.is_slice for step in path[:count])
            whole = type_.name is TypeName.JSONB or (sliced and type_.element is not None)
            found = type_ if whole else PARTED.get(type_.name, type_.element)
        if found is None:
            return None
        type_, path = found, path[max(count, 1) :]
    return type_


def refuse_default(analysis: Analysis, path: Sequence[Any], location: int) -> Exception:
    """Returns SqlError 0A000 for DEFAULT as the value of a field or an array's element: only a whole column has a
    default."""
    kind = "an array element" if path[0].WhichOneof("node") == "a_indices" else "a subfield"
    return analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot set {kind} to DEFAULT", location)
