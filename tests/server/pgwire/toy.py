"""A backend of a few statements, in memory, to hold the wire against: no planner, no storage, no SQL.

SELECT <literal> [, …]          integers, 'texts', NULL
SELECT $1::int4 [, …]           parameters given back
NUMBERS n                       rows (i int4, 'row i' text), in batches of 1000
BEGIN  COMMIT  ROLLBACK  SET name = value  SLEEP seconds  NOTICE text  DEFECT
RAISE sqlstate message
CREATE name (column type, …)    COPY name FROM STDIN [options]    COPY name TO STDOUT [options]    TABLE name
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import ObjectNames, TextContext
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import (
    INT4,
    TEXT,
    UNKNOWN,
    ScalarType,
    TypeName,
    array_of,
    bpchar,
    numeric,
    type_from_oid,
    varchar,
)
from server.pgwire.backend import (
    Client,
    Command,
    CopyIn,
    CopyOut,
    Credentials,
    EmptyQuery,
    ResultDescription,
    Rows,
    StartupParameters,
    StatementDescription,
    StatementResult,
    TransactionStatus,
)
from server.pgwire.copy.options import CopyClause, resolve_options
from server.pgwire.messages import NoticeResponse

_NUMBERS_MAX = 100_000
_PARAMETERS_MAX = 1000
_PARAMETER = re.compile(r"\$(\d+)(?:::([a-z0-9_]+(?:\([0-9,]+\))?(?:\[\])?))?")
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_TYPES: dict[str, ScalarType] = {
    "varchar(3)": varchar(3),
    "char(5)": bpchar(5),
    "numeric(6,2)": numeric(6, 2),
}


def toy_type(name: str) -> ScalarType:
    if name.endswith("[]"):
        return array_of(toy_type(name[:-2]))
    if name not in _TYPES and name not in TypeName.__members__.values():
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{name}" does not exist')
    return _TYPES.get(name) or ScalarType(TypeName(name))


@dataclass
class ToyBackend:
    sessions: dict[int, ToySession] = field(default_factory=dict)
    tables: dict[str, tuple[RelationDesc, list[Row]]] = field(default_factory=dict)
    opened: int = 0

    def credentials(self, user: str) -> Credentials:
        return Credentials(first_superuser=True, superuser=user != "ordinary")

    async def open_session(self, startup: StartupParameters, client: Client) -> ToySession:
        if startup.database == "absent":
            raise SqlError(Sqlstate.INVALID_CATALOG_NAME, 'database "absent" does not exist')
        self.opened += 1
        session = ToySession(self, client, self.opened, 1_000_000 + self.opened)
        self.sessions[session.pid] = session
        return session

    async def cancel(self, pid: int, secret: int) -> None:
        session = self.sessions.get(pid)
        if session is not None and session.secret == secret and session.sleeping is not None:
            session.sleeping.set_exception(SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to user request"))


@dataclass
class ToySession:
    backend: ToyBackend
    client: Client
    pid: int
    secret: int
    transaction_status: TransactionStatus = "I"
    text_context: TextContext = field(default_factory=TextContext)
    names: ObjectNames | None = None
    sleeping: asyncio.Future[None] | None = None
    statements: dict[str, tuple[str, list[ScalarType]]] = field(default_factory=dict)
    portals: dict[str, tuple[str, Sequence[Datum]]] = field(default_factory=dict)
    running: dict[str, tuple[RelationDesc, list[Row]]] = field(default_factory=dict)
    failures: list[SqlError] = field(default_factory=list)
    closed: bool = False

    @property
    def parameters(self) -> Mapping[str, str]:
        return {
            "server_version": "15.4",
            "server_encoding": "UTF8",
            "client_encoding": "UTF8",
            "DateStyle": "ISO, MDY",
            "IntervalStyle": "postgres",
            "TimeZone": "UTC",
            "integer_datetimes": "on",
            "standard_conforming_strings": "on",
        }

    async def simple_query(self, sql: str) -> AsyncIterator[StatementResult]:
        texts = [text.strip() for text in sql.split(";")]
        texts = [text for text in texts if text]
        if not texts:
            yield EmptyQuery()
        for text in texts:
            self._check_failed(text)
            yield await self._run(text, ())

    def _check_failed(self, text: str) -> None:
        if self.transaction_status == "E" and text.upper() not in ("ROLLBACK", "COMMIT"):
            raise SqlError(
                Sqlstate.IN_FAILED_SQL_TRANSACTION,
                "current transaction is aborted, commands ignored until end of transaction block",
            )

    def function_called(self, oid: int) -> tuple[str, tuple[int, ...]]:
        if oid:
            return f"ECHO ${oid}:int4", (23,)
        raise SqlError(Sqlstate.UNDEFINED_FUNCTION, "function with OID 0 does not exist")

    async def parse(self, name: str, sql: str, parameter_oids: Sequence[int]) -> None:
        self._check_failed(sql)
        types = {int(n): toy_type(t) if t else TEXT for n, t in _PARAMETER.findall(sql)}
        if "SYNTAX" in sql:
            raise SqlError(Sqlstate.SYNTAX_ERROR, 'syntax error at or near "SYNTAX"', position=1)
        types |= {i: given for i, oid in enumerate(parameter_oids, 1) if (given := type_from_oid(oid)) is not None}
        count = max(types, default=0)
        if count > _PARAMETERS_MAX or 0 in types:
            raise SqlError(Sqlstate.UNDEFINED_PARAMETER, f"there is no parameter ${count}")
        self.statements[name] = (sql.strip().rstrip(";"), [types.get(i + 1, TEXT) for i in range(count)])

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        return self._statement(statement)[1]

    def _statement(self, name: str) -> tuple[str, list[ScalarType]]:
        if name not in self.statements:
            raise SqlError(Sqlstate.INVALID_SQL_STATEMENT_NAME, f'prepared statement "{name}" does not exist')
        return self.statements[name]

    async def describe_statement(self, name: str) -> StatementDescription:
        sql, types = self._statement(name)
        return StatementDescription(types, self._described(sql))

    def parameter_check(self, type_: ScalarType) -> Callable[[Datum], Datum]:
        return lambda value: value

    async def bind(
        self, portal: str, statement: str, parameters: Sequence[Datum], result_formats: Sequence[int]
    ) -> None:
        sql, _ = self._statement(statement)
        self._check_failed(sql)
        self.portals[portal] = (sql, parameters)
        self.running.pop(portal, None)

    async def describe_portal(self, portal: str) -> ResultDescription | None:
        return self._described(self._portal(portal)[0])

    def _described(self, sql: str) -> ResultDescription | None:
        desc = self._desc(sql)
        return None if desc is None else ResultDescription(desc)

    def _portal(self, name: str) -> tuple[str, Sequence[Datum]]:
        if name not in self.portals:
            raise SqlError(Sqlstate.INVALID_CURSOR_NAME, f'portal "{name}" does not exist')
        return self.portals[name]

    async def execute(self, portal: str, max_rows: int, *, last: bool = False) -> StatementResult:
        sql, parameters = self._portal(portal)
        self._check_failed(sql)
        if not sql:
            return EmptyQuery()
        if portal not in self.running:
            result = await self._run(sql, parameters)
            if not isinstance(result, Rows) or max_rows == 0:
                return result
            self.running[portal] = (result.desc, [row async for batch in result.batches for row in batch])
        desc, rows = self.running[portal]
        taken = rows[:max_rows] if max_rows else rows[:]
        del rows[: len(taken)]
        return _rows(desc, taken, suspended=bool(max_rows) and len(taken) == max_rows)

    async def close_statement(self, name: str) -> None:
        self.statements.pop(name, None)

    async def close_portal(self, name: str) -> None:
        self.portals.pop(name, None)

    async def sync(self) -> None:
        if self.transaction_status == "I":
            self.portals.clear()
            self.running.clear()

    async def fail(self, error: SqlError) -> None:
        self.failures.append(error)
        if self.transaction_status == "T":
            self.transaction_status = "E"

    async def close(self) -> None:
        self.closed = True
        self.backend.sessions.pop(self.pid, None)

    def _desc(self, sql: str) -> RelationDesc | None:
        word, _, rest = sql.partition(" ")
        match word.upper():
            case "SELECT":
                return _select_desc(rest)
            case "NUMBERS":
                return relation_desc(("i", INT4), ("t", TEXT))
            case "TABLE":
                return self._table(rest.strip())[0]
            case _:
                return None

    def _table(self, name: str) -> tuple[RelationDesc, list[Row]]:
        if name not in self.backend.tables:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist', position=7)
        return self.backend.tables[name]

    async def _run(self, sql: str, parameters: Sequence[Datum]) -> StatementResult:
        word, _, rest = sql.partition(" ")
        match word.upper():
            case "SELECT":
                return _rows(_select_desc(rest), [_select(rest, parameters)])
            case "NUMBERS" if rest.strip().isdecimal() and int(rest) <= _NUMBERS_MAX:
                return _numbers(int(rest))
            case "TABLE":
                return _rows(*self._table(rest.strip()))
            case "BEGIN":
                self.transaction_status = "T"
                return Command("BEGIN")
            case "COMMIT" | "ROLLBACK":
                failed, self.transaction_status = self.transaction_status == "E", "I"
                return Command("ROLLBACK" if failed else word.upper())
            case "SET":
                name, _, value = rest.partition("=")
                self.client.set_parameter(name.strip(), value.strip(" '"))
                return Command("SET")
            case "NOTICE":
                self.client.notify(NoticeResponse("00000", rest))
                return Command("NOTICE")
            case "SLEEP":
                return await self._sleep(float(rest) if _INTEGER.fullmatch(rest) else 0)
            case "RAISE":
                state, _, message = rest.partition(" ")
                if state not in Sqlstate.__members__.values():
                    state = Sqlstate.SYNTAX_ERROR.value
                raise SqlError(Sqlstate(state), message, detail="detail", hint="hint", position=3)
            case "DEFECT":
                raise ZeroDivisionError("a defect")
            case "CREATE":
                return self._create(rest)
            case "COPY":
                return self._copy(rest)
            case _:
                raise SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error at or near "{word}"', position=1)

    async def _sleep(self, seconds: float) -> Command:
        self.sleeping = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait_for(asyncio.shield(self.sleeping), seconds)
        except TimeoutError:
            pass
        finally:
            self.sleeping = None
        return Command("SLEEP")

    def _create(self, rest: str) -> Command:
        name, _, columns = rest.partition("(")
        pairs = [column.split() for column in re.split(r",(?![0-9])", columns.removesuffix(")"))]
        if any(len(pair) != 2 for pair in pairs):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "a column is a name and a type")
        desc = RelationDesc(tuple(ColumnDesc(column, toy_type(type_)) for column, type_ in pairs))
        self.backend.tables[name.strip()] = (desc, [])
        return Command("CREATE TABLE")

    def _copy(self, rest: str) -> StatementResult:
        match = re.fullmatch(r"(\w+) (FROM STDIN|TO STDOUT)\s*(?:WITH )?(?:\((.*)\))?", rest.strip(), re.IGNORECASE)
        if match is None:
            raise SqlError(Sqlstate.SYNTAX_ERROR, 'syntax error at or near "COPY"')
        desc, rows = self._table(match[1])
        pairs = [part.strip().partition(" ") for part in (match[3] or "").split(", ") if part.strip()]
        given = {name: value.strip() for name, _, value in pairs}
        if not set(map(str.lower, given)) <= set(CopyClause.__slots__):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "unknown option of COPY")
        clause = CopyClause(**{name.lower(): value.strip("'") for name, value in given.items()})
        reading = match[2].upper() == "FROM STDIN"
        options = resolve_options(clause, desc.names, reading=reading)
        if reading:
            return CopyIn(match[1], desc, options, ToyReceiver(rows))
        return CopyOut(desc, options, _batches(rows), lambda: f"COPY {len(rows)}")


@dataclass
class ToyReceiver:
    table: list[Row]
    taken: list[Row] = field(default_factory=list)

    async def feed(self, rows: Sequence[Row]) -> None:
        self.taken.extend(rows)

    async def finish(self) -> str:
        self.table.extend(self.taken)
        return f"COPY {len(self.taken)}"

    async def fail(self, error: SqlError) -> None:
        self.taken.clear()


def _literals(rest: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^(]*\))", rest)]


def _select_desc(rest: str) -> RelationDesc:
    columns = []
    for text in _literals(rest):
        parameter = _PARAMETER.fullmatch(text)
        if parameter is not None:
            type_ = toy_type(parameter[2]) if parameter[2] else TEXT
        else:
            type_ = INT4 if _INTEGER.fullmatch(text) else UNKNOWN if text.upper() == "NULL" else TEXT
        columns.append(("?column?", type_))
    return relation_desc(*columns)


def _select(rest: str, parameters: Sequence[Datum]) -> Row:
    values: list[Datum] = []
    for text in _literals(rest):
        parameter = _PARAMETER.fullmatch(text)
        if parameter is not None:
            if not 1 <= int(parameter[1]) <= len(parameters):
                raise SqlError(Sqlstate.UNDEFINED_PARAMETER, f"there is no parameter ${parameter[1]}")
            values.append(parameters[int(parameter[1]) - 1])
        elif _INTEGER.fullmatch(text):
            values.append(int(text))
        else:
            values.append(None if text.upper() == "NULL" else text.strip("'"))
    return tuple(values)


async def _batches(rows: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    for start in range(0, len(rows), 1000):
        yield rows[start : start + 1000]


def _rows(desc: RelationDesc, rows: Sequence[Row], *, suspended: bool = False) -> Rows:
    return Rows(desc, _batches(rows), lambda: f"SELECT {len(rows)}", lambda: suspended)


def _numbers(count: int) -> Rows:
    async def batches() -> AsyncIterator[Sequence[Row]]:
        for start in range(0, count, 1000):
            yield [(i, f"row {i}") for i in range(start, min(start + 1000, count))]
            await asyncio.sleep(0)

    return Rows(relation_desc(("i", INT4), ("t", TEXT)), batches(), lambda: f"SELECT {count}")
