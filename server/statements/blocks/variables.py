"""The variables of a block of PL/pgSQL, and statements over variables, each a parameter by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from model.types.scalar_type import BOOL, INT8, TEXT, ScalarType, TypeName, length_limit, type_text
from planner.function_rules import FunctionRules, RoutineNames
from planner.plans.functions import BlockCursor, BlockVariable, RunTextStep
from planner.syntax.parse import ParsedStatement, parse
from server.pgwire.backend import Command, Rows, StatementResult
from server.statements.statement_session import StatementSession
from server.statements.within_routine import read_rows, require_allowed, run_within

FOUND = "found"
_COLUMNS_WIN = re.compile(r"\s*#variable_conflict\s+use_column\b")


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
    a type before the first assignment. `cursor`: what OPEN opens; `alias`: the variable that this is another name
    of."""

    declared: str | None
    type: ScalarType | None
    value: Datum = None
    constant: bool = False
    nullable: bool = True
    cursor: BlockCursor | None = None
    alias: str | None = None


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
        self._parameters = tuple(parameters or ())
        self._exclusive = rules is None or _COLUMNS_WIN.match(rules.body) is None
        self.known: dict[str, HeldVariable] = {**(parameters or {}), FOUND: HeldVariable("boolean", BOOL, False)}

    # Statements

    async def run(self, sql: str) -> StatementResult:
        """Runs one statement over the variables."""
        (statement,) = parse(sql)
        if statement.kind not in _OVER_VARIABLES:
            return await self._executed(statement, (), (), None)
        return await self._executed(statement, *self.told())

    def told(self) -> tuple[tuple[ScalarType | None, ...], tuple[Datum, ...], RoutineNames]:
        """Returns the variables as parameters of a statement: types, values and names."""
        found = {name: self.held(name) for name in self.known}
        told = {name: each for name, each in found.items() if each.type is not None}
        types = tuple(each.type for each in told.values())
        values = tuple(each.value for each in told.values())
        return types, values, RoutineNames(self._name, tuple(told), exclusive=self._exclusive)

    async def text_of(self, step: RunTextStep) -> tuple[str, tuple[ScalarType, ...], tuple[Datum, ...]]:
        """Returns the text that EXECUTE runs, and the parameters' types and values. Raises SqlError 22004 for NULL."""
        text = await self.text(step.text)
        if text is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "query string argument of EXECUTE is null")
        given = [await self.value(each) for each in step.parameters]
        return text, tuple(type_ for type_, _ in given), tuple(value for _, value in given)

    async def run_text(self, step: RunTextStep) -> StatementResult:
        """Runs the statements of a text, without the variables, with values for $1, $2 and so on."""
        text, types, values = await self.text_of(step)
        result: StatementResult = Command("SELECT 0")
        for statement in parse(text):
            await read_rows(result, 0)
            result = await self._executed(statement, types, values, None)
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
        self.require_allowed(statement)
        planned = await self._session.planner.planned(statement, types, names)
        return await run_within(self._session, planned, values)

    def require_allowed(self, statement: ParsedStatement) -> None:
        """Raises SqlError 0A000 for a statement that changes something in a function that is not VOLATILE."""
        if self._rules is not None:
            require_allowed(statement, self._rules)

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
        if variable.alias is not None:
            self.known[variable.name] = HeldVariable(None, None, alias=self._meant(variable.alias))
            return
        declared = await self._declared(variable.type)
        type_ = None if declared is None else await self._type_named(declared)
        self.known[variable.name] = HeldVariable(declared, type_, cursor=variable.cursor)
        if variable.default is not None:
            await self.assign(variable.name, *await self.value(variable.default))
        elif not variable.nullable:
            message = f'variable "{variable.name}" must have a default value, since it\'s declared NOT NULL'
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
        known = self.known[variable.name]
        self.known[variable.name] = replace(known, constant=variable.constant, nullable=variable.nullable)

    def _meant(self, name: str) -> str:
        """Returns the name of the variable that a name, or $1, means. Raises SqlError 42704 for none."""
        place = name.removeprefix("$")
        if name.startswith("$") and 0 < int(place) <= len(self._parameters):
            return self._parameters[int(place) - 1]
        if name not in self.known:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'variable "{name}" does not exist')
        return self.known[name].alias or name

    def held(self, name: str) -> HeldVariable:
        """Returns a variable by its name, and of an alias the one that it means."""
        found = self.known[name]
        return found if found.alias is None else self.known[found.alias]

    def hide(self, names: Sequence[str], before: Mapping[str, HeldVariable]) -> None:
        """Gives names the variables of before again."""
        for name in names:
            if name in before:
                self.known[name] = before[name]
            else:
                self.known.pop(name, None)

    async def made(self, type_: str, given: ScalarType, value: Datum) -> HeldVariable:
        """Returns a variable of a type, as it is written, with a value."""
        declared = await self._declared(type_)
        assert declared is not None, "it is written"
        wanted = await self._type_named(declared)
        return HeldVariable(declared, wanted, await self.cast(given, value, wanted, declared))

    async def _type_named(self, declared: str) -> ScalarType:
        result = await self.run(f"SELECT CAST(NULL AS {declared})")
        assert isinstance(result, Rows), "a query has rows"
        await read_rows(result, 0)
        return result.desc.types[0]

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
        if variable.alias is not None:
            await self.assign(variable.alias, given, value)
            return
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

    async def _row(self, variable: HeldVariable, types: tuple[ScalarType, ...], row: Row) -> Datum:
        """Returns a row of a variable's type: without columns more than the type's, with NULL for missing ones."""
        assert variable.declared is not None and variable.type is not None, "it has a type"
        arity = len(variable.type.fields)
        taken = ", ".join(f"${at + 1}" if at < len(row) else "NULL" for at in range(arity))
        return await self._run_cast(f"ROW({taken})", variable.declared, types[:arity], row[:arity])

    def takes_rows(self, name: str) -> bool:
        variable = self.known.get(name)
        return variable is None or variable.type is None or variable.type.name is TypeName.RECORD

    def found(self, found: bool) -> None:
        """Sets FOUND."""
        self.known[FOUND] = HeldVariable("boolean", BOOL, found)
