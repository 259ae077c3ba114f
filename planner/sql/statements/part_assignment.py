"""column[2] and column.field as targets of UPDATE and INSERT: the new value of a column that is assigned in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.scalar_type import INT4, ScalarType, TypeName, type_text
from model.sqlstate import Sqlstate
from planner.functions.array_assignment import HIGHEST, LOWEST
from planner.functions.signature import CastContext
from planner.ir.scalar import Literal, RowOf, Scalar, scalar_type
from planner.sql.analysis import Analysis
from planner.sql.coercion import coerce, known
from planner.sql.domains import retyped, without_domain
from planner.sql.expressions.calls import call_syntax
from planner.sql.expressions.columns import field_at
from planner.sql.expressions.planner import Expressions


class PartAssignment:
    """Assignments to parts of the column `name`; `location` is where errors point to."""

    def __init__(self, expressions: Expressions, name: str, location: int) -> None:
        self._expressions = expressions
        self._analysis: Analysis = expressions.analysis
        self._name = name
        self._location = location

    def assigned(self, whole: Scalar, path: Sequence[Any], value: Scalar) -> Scalar:
        """`whole` with `value` at the end of `path`, the fields and subscripts that follow the column's name."""
        type_ = scalar_type(whole)
        if type_.domain is not None:
            changed = self.assigned(without_domain(whole, type_), path, value)
            return self._last(changed, type_, "assignment to", self._name)
        step, *rest = path
        kind = step.WhichOneof("node")
        if kind == "string":
            return self._with_field(whole, step.string.sval, rest, value)
        if type_.name is TypeName.JSONB:
            hint = "Use jsonb_set."
            raise self._analysis.unsupported("assignment to a part of jsonb", self._location, hint=hint)
        if type_.element is None:
            message = f"cannot subscript type {type_.plain()} because it does not support subscripting"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location)
        if rest and rest[0].WhichOneof("node") == "a_indices":
            raise self._analysis.unsupported("assignment to an array of several dimensions", self._location)
        return self._with_subscript(whole, step.a_indices, rest, value)

    def _with_field(self, whole: Scalar, name: str, rest: Sequence[Any], value: Scalar) -> Scalar:
        type_ = scalar_type(whole)
        if type_.name is not TypeName.RECORD:
            message = f'cannot assign to field "{name}" of column "{self._name}" because its type '
            message += f"{type_text(type_.plain())} is not a composite type"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location)
        names = [field for field, _ in type_.fields]
        if name not in names:
            message = f'cannot assign to field "{name}" of column "{self._name}" because there is no such column '
            message += f"in data type {type_text(type_.plain())}"
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

    def _with_subscript(self, whole: Scalar, indices: Any, rest: Sequence[Any], value: Scalar) -> Scalar:
        element = scalar_type(whole).element
        assert element is not None
        if indices.is_slice:
            if rest:
                raise self._analysis.unsupported("assignment to fields of a slice", self._location)
            low = self._place(indices.lidx) if indices.HasField("lidx") else Literal(LOWEST, INT4)
            high = self._place(indices.uidx) if indices.HasField("uidx") else Literal(HIGHEST, INT4)
            source = self._last(value, scalar_type(whole), "subscripted assignment to", self._name)
            changed = call_syntax(self._analysis, "with_slice", [whole, source, low, high], self._location)
            return retyped(changed, scalar_type(whole))
        place = self._place(indices.uidx)
        if rest:
            before = retyped(call_syntax(self._analysis, "subscript", [whole, place], self._location), element)
            item = self.assigned(before, rest, value)
        else:
            item = self._last(value, element, "subscripted assignment to", self._name)
        # The other elements are values of the element's domain, if it is one, and need not be checked again.
        return retyped(
            call_syntax(self._analysis, "with_element", [whole, item, place], self._location), scalar_type(whole)
        )

    def _place(self, node: Any) -> Scalar:
        return self._expressions.to_type(self._expressions.plan(node), INT4, "array subscript", self._location)

    def _last(self, value: Scalar, type_: ScalarType, what: str, name: str) -> Scalar:
        cast = coerce(self._analysis, value, type_, CastContext.ASSIGNMENT, self._location)
        if cast is None:
            verb = "is of type" if what == "subfield" else "requires type"
            actual = type_text(scalar_type(known(self._analysis, value)).plain())
            message = f'{what} "{name}" {verb} {type_text(type_.plain())} but expression is of type {actual}'
            hint = "You will need to rewrite or cast the expression."
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, self._location, hint=hint)
        return cast


def end_type(type_: ScalarType, path: Sequence[Any]) -> ScalarType | None:
    """The type of the part at the end of a path; None where there is no such part."""
    for step in path:
        found: ScalarType | None
        if step.WhichOneof("node") == "string":
            found = dict(type_.fields).get(step.string.sval)
        else:
            found = type_ if step.a_indices.is_slice else type_.element
        if found is None:
            return None
        type_ = found
    return type_


def refuse_default(analysis: Analysis, path: Sequence[Any], location: int) -> Exception:
    """0A000: DEFAULT is a whole column's."""
    kind = "an array element" if path[0].WhichOneof("node") == "a_indices" else "a subfield"
    return analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot set {kind} to DEFAULT", location)
