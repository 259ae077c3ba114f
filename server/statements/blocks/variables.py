"""The variables of a block of PL/pgSQL, and statements over variables, each a parameter by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from model.types.scalar_type import BOOL, INT8, TEXT, ScalarType, TypeName, length_limit, type_text
from planner.function_rules import FunctionRules, RoutineNames
from planner.plans.functions import BlockVariable, Destination
from planner.syntax.parse import ParsedStatement, parse
from server.pgwire.backend import Command, Rows, StatementResult
from server.statements.statement_session import StatementSession
from server.statements.within_routine import read_rows, require_allowed, run_within

FOUND = "found"


_ANY_LENGTH = {TypeName.BPCHAR: "bpchar", TypeName.BIT: '"bit"'}
"""Names of types without a length, whose usual names mean a length of 1."""


def written_type(type_: ScalarType) -> str:
    """Returns a type's name in SQL."""
    return _ANY_LENGTH.get(type_.name, type_text(type_)) if type_.modifier == -1 else type_text(type_)


_OVER_VARIABLES = frozenset(
    (
        *("select_stmt", "insert_stmt", "update_stmt", "delete_stmt", "merge_stmt", "call_stmt"),
        *("create_table_as_stmt", "explain_stmt"),
    )
)
"""Statements that see variables; definitions see none, as in PostgreSQL."""


@dataclass(frozen=True, slots=True)
class HeldVariable:
    """A variable's present value, of a type. `declared`: the type's name in SQL; None for a record of any row, without
    a type before the first assignment."""

    declared: str | None
    type: ScalarType | None
    value: Datum = None
    constant: bool = False
    nullable: bool = True


class Variables:
    """The variables in sight of statements, by name: of two of one name the innermost."""

    def __init__(
        self,
        session: StatementSession,
        *,
        name: str = "",
        rules: FunctionRules | None = None,
        parameters: Mapping[str, HeldVariable] | None = None,
    ) -> None:
        """Takes the name, the rules and the parameters of a routine; the parameters are $1, $2 and so on."""
        self._session, self._name, self._rules = session, name, rules
        self.known: dict[str, HeldVariable] = {**(parameters or {}), FOUND: HeldVariable("boolean", BOOL, False)}

    # Statements

    async def run(self, sql: str) -> StatementResult:
        """Runs one statement over the variables."""
        (statement,) = parse(sql)
        if statement.kind not in _OVER_VARIABLES:
            return await self._executed(statement, (), (), None)
        told = {name: each for name, each in self.known.items() if each.type is not None}
        types = tuple(each.type for each in told.values())
        values = tuple(each.value for each in told.values())
        return await self._executed(statement, types, values, RoutineNames(self._name, tuple(told), exclusive=True))

    async def run_text(self, text: str, types: Sequence[ScalarType], values: Sequence[Datum]) -> StatementResult:
        """Runs the statements of a text, without the variables, with values for $1, $2 and so on."""
        result: StatementResult = Command("SELECT 0")
        for statement in parse(text):
            await read_rows(result, 0)
            result = await self._executed(statement, tuple(types), tuple(values), None)
        return result

    async def _executed(
        self,
        statement: ParsedStatement,
        types: tuple[ScalarType | None, ...],
        values: tuple[Datum, ...],
        names: RoutineNames | None,
    ) -> StatementResult:
        if statement.kind == "transaction_stmt":
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "unsupported transaction command in PL/pgSQL")
        if self._rules is not None:
            require_allowed(statement, self._rules)
        planned = await self._session.planner.planned(statement, types, names)
        return await run_within(self._session, planned, values)

    # Expressions

    async def value(self, expression: str) -> tuple[ScalarType, Datum]:
        """Returns the value of an expression, with its type. Raises SqlError 42601 for several columns, 21000 for
        several rows."""
        result = await self.run(f"SELECT {expression}")
        if not isinstance(result, Rows) or result.desc.arity != 1:
            count = result.desc.arity if isinstance(result, Rows) else 0
            raise SqlError(Sqlstate.SYNTAX_ERROR, f"query returned {count} columns")
        rows = await read_rows(result, 2)
        if len(rows) > 1:
            raise SqlError(Sqlstate.CARDINALITY_VIOLATION, "query returned more than one row")
        return result.desc.types[0], rows[0][0] if rows else None

    async def converted(self, expression: str, type_: ScalarType) -> Datum:
        """Returns the value of an expression, cast to a type."""
        given, value = await self.value(expression)
        return await self.cast(given, value, type_, written_type(type_))

    async def is_true(self, expression: str) -> bool:
        return await self.converted(expression, BOOL) is True

    async def number(self, expression: str, words: str) -> int:
        """Returns an integer. Raises SqlError 22004 for NULL, named by `words`."""
        found = await self.converted(expression, INT8)
        if found is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"{words} of FOR loop cannot be null")
        return int(str(found))

    async def text(self, expression: str) -> str | None:
        """Returns the printed form of a value: of a boolean the letter."""
        given, value = await self.value(expression)
        if isinstance(value, bool):
            return "t" if value else "f"
        if given.name is TypeName.BPCHAR:
            return None if value is None else str(value)
        found = await self.cast(given, value, TEXT, "text")
        return None if found is None else str(found)

    async def cast(self, given: ScalarType, value: Datum, wanted: ScalarType | None, declared: str) -> Datum:
        """Returns a value of a type as one of another, by the other's name in SQL. Raises SqlError 22001 for what is
        too long."""
        if given == wanted:
            return value
        limit = None if wanted is None else length_limit(wanted)
        if limit is not None:
            # A cast would cut what an assignment refuses.
            text = await self._run_cast("$1", "text", (given,), (value,))
            if len(str(text or "").rstrip(" ")) > limit:
                message = f"value too long for type {wanted}"
                raise SqlError(Sqlstate.STRING_DATA_RIGHT_TRUNCATION, message)
        return await self._run_cast("$1", declared, (given,), (value,))

    async def _run_cast(
        self, value: str, declared: str, types: tuple[ScalarType, ...], values: tuple[Datum, ...]
    ) -> Datum:
        (statement,) = parse(f"SELECT CAST({value} AS {declared})")
        return (await read_rows(await self._executed(statement, types, values, None), 1))[0][0]

    # Variables

    async def declare(self, variable: BlockVariable) -> None:
        """Adds a variable with the first value. Raises SqlError 22004 for NULL in a variable NOT NULL."""
        declared = await self._declared(variable.type)
        type_: ScalarType | None = None
        if declared is not None:
            result = await self.run(f"SELECT CAST(NULL AS {declared})")
            assert isinstance(result, Rows), "a query has rows"
            type_ = result.desc.types[0]
            await read_rows(result, 0)
        self.known[variable.name] = HeldVariable(declared, type_)
        if variable.default is not None:
            await self.assign(variable.name, *await self.value(variable.default))
        elif not variable.nullable:
            message = f'variable "{variable.name}" must have a default value, since it\'s declared NOT NULL'
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
        known = self.known[variable.name]
        self.known[variable.name] = replace(known, constant=variable.constant, nullable=variable.nullable)

    async def _declared(self, type_: str | None) -> str | None:
        """Returns a type's name; that of a column for %TYPE, and of a relation's rows for %ROWTYPE."""
        if type_ is None or "%" not in type_:
            return type_
        name, _, word = type_.rpartition("%")
        if word.strip().lower() == "rowtype":
            return name
        if name.strip() in self.known:
            return self.known[name.strip()].declared
        relation, _, column = name.rpartition(".")
        result = await self.run(f"SELECT {column} FROM {relation} WHERE false")
        assert isinstance(result, Rows), "a query has rows"
        await read_rows(result, 0)
        return type_text(result.desc.types[0])

    async def assign(self, name: str, given: ScalarType, value: Datum) -> None:
        """Gives a variable a value, cast to the variable's type. Raises SqlError 22005 for a constant, 22004 for NULL
        in a variable NOT NULL."""
        variable = self.known.get(name)
        if variable is None:
            raise SqlError(Sqlstate.SYNTAX_ERROR, f'"{name}" is not a known variable')
        if variable.constant:
            raise SqlError(Sqlstate.ERROR_IN_ASSIGNMENT, f'variable "{name}" is declared CONSTANT')
        if variable.declared is None:
            self.known[name] = replace(variable, type=given, value=value)
            return
        if value is None and given.fields:
            found = None
        elif isinstance(value, tuple) and given.fields and variable.type != given:
            found = await self._row(variable, tuple(each for _, each in given.fields), value)
        else:
            found = await self.cast(given, value, variable.type, variable.declared)
        if found is None and not variable.nullable:
            message = f'null value cannot be assigned to variable "{name}" declared NOT NULL'
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
        self.known[name] = replace(variable, value=found)

    async def take(
        self, target: Destination, names: Sequence[str], types: Sequence[ScalarType], row: Row | None
    ) -> None:
        """Gives variables a row of columns with names and types, and NULL for missing columns."""
        if target.whole and self._takes_rows(target.names[0]):
            fields = tuple(zip(names, types, strict=True))
            await self.assign(target.names[0], ScalarType(TypeName.RECORD, fields=fields), row)
            return
        for at, name in enumerate(target.names):
            given = types[at] if at < len(types) else TEXT
            await self.assign(name, given, None if row is None or at >= len(row) else row[at])

    async def _row(self, variable: HeldVariable, types: tuple[ScalarType, ...], row: Row) -> Datum:
        """Returns a row of a variable's type: without columns more than the type's, with NULL for missing ones."""
        assert variable.declared is not None and variable.type is not None, "it has a type"
        arity = len(variable.type.fields)
        taken = ", ".join(f"${at + 1}" if at < len(row) else "NULL" for at in range(arity))
        return await self._run_cast(f"ROW({taken})", variable.declared, types[:arity], row[:arity])

    def _takes_rows(self, name: str) -> bool:
        variable = self.known.get(name)
        return variable is None or variable.type is None or variable.type.name is TypeName.RECORD

    def found(self, found: bool) -> None:
        """Sets FOUND."""
        self.known[FOUND] = HeldVariable("boolean", BOOL, found)
