"""The rows that the code of a routine returns, as the routine declares them."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from model.types.scalar_type import VOID, ScalarType, TypeName, without_modifiers
from planner.function_rules import FunctionRules
from planner.plans.functions import ReturnStep
from server.pgwire.backend import Rows, StatementResult
from server.statements.blocks.variables import HeldVariable, Variables, written_type
from server.statements.within_routine import RoutineRows, read_rows


def parameters_of(rules: FunctionRules, values: Sequence[Datum]) -> dict[str, HeldVariable]:
    """Returns the variables of a routine's parameters, in the order of $1, $2 and so on: those of OUT parameters, and
    of the columns of RETURNS TABLE, begin as NULL."""
    left = iter(values)
    held = {
        each.name or f"${at}": _held(each.type, None if each.mode == "o" else next(left))
        for at, each in enumerate(rules.parameters, 1)
    }
    return held | {name: _held(type_, None) for name, type_ in rules.table}


def _held(type_: ScalarType, value: Datum) -> HeldVariable:
    return HeldVariable(written_type(type_), type_, value)


class ReturnedRows:
    """Gathers rows, each with a value of each column that a routine returns."""

    def __init__(self, rules: FunctionRules, name: str, variables: Variables) -> None:
        self._held = RoutineRows()
        self._rules, self._variables = rules, variables
        self._types = tuple(type_ for _, type_ in rules.columns_returned(name))
        outputs = [each.name or f"${at}" for at, each in enumerate(rules.parameters, 1) if each.mode in "ob"]
        self._outputs = outputs or [name for name, _ in rules.table]

    async def add(self, step: ReturnStep) -> None:
        """Adds the row of RETURN NEXT, or of RETURN. Raises SqlError 42804 for a row of other columns."""
        if step.value is None:
            await self._add_outputs()
            return
        given, value = await self._variables.value(step.value)
        if self._rules.result.name is not TypeName.RECORD:
            self._held.add([await self._cast((given,), (value,))])
        elif value is None:
            self._held.add([(None,) * len(self._types)])
        elif given.name is TypeName.RECORD and isinstance(value, tuple):
            types = tuple(type_ for _, type_ in given.fields)
            self._require_arity(len(types), "returned record type does not match expected record type")
            self._held.add([await self._cast(types, value)])
        else:
            message = "cannot return non-composite value from function returning composite type"
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)

    async def add_all(self, result: StatementResult) -> int:
        """Adds the rows of RETURN QUERY, and returns their number. Raises SqlError 42804 for columns of other types."""
        message = "structure of query does not match function result type"
        if not isinstance(result, Rows):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "query does not return rows")
        found = result.desc.types
        self._require_arity(len(found), message)
        for at, (given, wanted) in enumerate(zip(found, self._types, strict=True), 1):
            if without_modifiers(given) != without_modifiers(wanted):
                detail = f"Returned type {given} does not match expected type {wanted} in column {at}."
                raise SqlError(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)
        rows = await read_rows(result, None)
        await self._held.add_all(rows)
        return len(rows)

    async def end(self, *, returned: bool) -> Sequence[Row]:
        """Returns the rows. Raises SqlError 2F005 for a function without RETURN that has to return a value."""
        rules = self._rules
        if rules.sets or not self._types:
            return self._held.rows
        if self._outputs and not self._held.rows:
            await self._add_outputs()
        elif not returned and rules.result != VOID:
            message = "control reached end of function without RETURN"
            raise SqlError(Sqlstate.FUNCTION_EXECUTED_NO_RETURN_STATEMENT, message)
        return self._held.rows

    async def _add_outputs(self) -> None:
        held = [self._variables.known[name] for name in self._outputs]
        types = [type_ if each.type is None else each.type for each, type_ in zip(held, self._types, strict=True)]
        self._held.add([await self._cast(types, [each.value for each in held])])

    async def _cast(self, given: Sequence[ScalarType], values: Sequence[Datum]) -> Row:
        told = zip(given, values, self._types, strict=True)
        return tuple([await self._variables.cast(type_, value, to, written_type(to)) for type_, value, to in told])

    def _require_arity(self, count: int, message: str) -> None:
        if count != len(self._types):
            wanted = len(self._types)
            detail = f"Number of returned columns ({count}) does not match expected column count ({wanted})."
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)
