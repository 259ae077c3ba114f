"""The tools of each door: for agents, who read data and may write by two calls, and for developers, who look at the
server. Each tool asks as the caller's role; all but those of transactions run where nothing can be written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.agents.arguments import (
    ROWS_DEFAULT,
    ROWS_MAX,
    TIMEOUT_MS_DEFAULT,
    TIMEOUT_MS_MAX,
    Argument,
    Arguments,
)
from server.agents.asking import AgentSessions, Caller, anything, only_result, require_select
from server.agents.held_writes import HeldWrites
from server.agents.products import DETAILS, LIST, at_time, qualified, read_by_key
from server.api.sql_requests import SqlQuery

_SYSTEM_PATH = "mz_catalog, mz_internal, pg_catalog, information_schema"
_SQL = Argument("sql", "string", "One SELECT statement, in PostgreSQL's dialect.", required=True)
_LIMIT = Argument(
    "limit",
    "integer",
    f"How many rows at most; by default {ROWS_DEFAULT}. More are left out, and told as truncated.",
    limits={"minimum": 1, "maximum": ROWS_MAX},
)
_TIMEOUT = Argument(
    "timeout_ms",
    "integer",
    f"How long a statement may take; by default {TIMEOUT_MS_DEFAULT} milliseconds.",
    limits={"minimum": 1, "maximum": TIMEOUT_MS_MAX},
)
_TIMEOUT_OF_ALL = replace(
    _TIMEOUT,
    description=f"How long the statements may take together; by default {TIMEOUT_MS_DEFAULT} milliseconds.",
)
_AS_OF = Argument(
    "as_of",
    "string",
    "Read the contents of this time: milliseconds since 1970, or a time with its zone (2026-11-27T12:00:00Z).",
)
_SCHEMA = Argument("schema", "string", 'The schema; by default "public".')
_NAME = Argument("name", "string", "The name, as get_data_products tells it.", required=True)
_TRANSACTION = Argument("transaction", "string", "The transaction, as preview_writes named it.", required=True)

Run = Callable[[Caller, Arguments], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as callers see it. `reads_only` and `idempotent` are hints to the caller's program; what a tool may do is
    held by the session that runs it."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    run: Run
    reads_only: bool = True
    destructive: bool = False

    @property
    def declaration(self) -> dict[str, Any]:
        """Returns what tools/list tells of the tool."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": {each.name: each.schema for each in self.arguments},
                "required": [each.name for each in self.arguments if each.required],
                "additionalProperties": False,
            },
            "annotations": {
                "readOnlyHint": self.reads_only,
                "destructiveHint": self.destructive,
                "idempotentHint": self.reads_only,
                "openWorldHint": False,
            },
        }


class Tools:
    """The tools over one server's sessions."""

    def __init__(self, sessions: AgentSessions, writes: HeldWrites) -> None:
        self._sessions = sessions
        self._writes = writes

    def of_agents(self) -> Mapping[str, Tool]:
        """Returns the tools of /api/mcp/agent by name."""
        return _by_name(*self._of_products(), *self._of_queries(), *self._of_writes())

    def of_developers(self) -> Mapping[str, Tool]:
        """Returns the tools of /api/mcp/developer by name."""
        catalog = Tool(
            "query_system_catalog",
            "Runs one SELECT that finds the system's relations by their names alone: mz_objects, mz_dataflow_statuses, "
            "mz_materialization_lag, mz_recent_activity_log, pg_class and others.",
            (_SQL, _LIMIT, _TIMEOUT),
            self._query_system_catalog,
        )
        return _by_name(catalog, *self._of_queries())

    def _of_products(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "get_data_products",
                "Lists what is kept up to date and may be read: materialized and indexed views, with descriptions.",
                (),
                self._get_data_products,
            ),
            Tool(
                "get_data_product_details",
                "Tells of one data product its columns with types and descriptions, the keys by which reading is "
                "fastest, and how fresh it is.",
                (_SCHEMA, _NAME),
                self._get_data_product_details,
            ),
            Tool(
                "read_data_product",
                "Reads rows of a data product, those with given values of columns, or all.",
                (
                    _SCHEMA,
                    _NAME,
                    Argument("key", "object", "Values by column; null finds NULL. Without it, all rows are read."),
                    _AS_OF,
                    _LIMIT,
                    _TIMEOUT,
                ),
                self._read_data_product,
            ),
        )

    def _of_queries(self) -> tuple[Tool, ...]:
        return (
            Tool("query", "Runs one SELECT, which can write nothing.", (_SQL, _AS_OF, _LIMIT, _TIMEOUT), self._query),
            Tool(
                "check_view",
                "Computes a maintained view anew and compares: returns the rows that differ, none for a right view.",
                (_SCHEMA, _NAME, _LIMIT, _TIMEOUT),
                self._check_view,
            ),
            Tool(
                "explain_incrementality",
                "Tells of a query how a materialized view of it would be kept up to date, step by step: what follows "
                "each change, and what would be recomputed.",
                (_SQL,),
                self._explain_incrementality,
            ),
        )

    def _of_writes(self) -> tuple[Tool, ...]:
        statements = Argument(
            "statements",
            "array",
            "INSERT, UPDATE, DELETE and SELECT statements, one each; they are one transaction.",
            required=True,
            limits={"items": {"type": "string"}, "minItems": 1},
        )
        return (
            Tool(
                "preview_writes",
                "Runs statements in a transaction that is not committed, and tells what they would change. "
                "commit_writes commits it within a minute.",
                (statements, _LIMIT, _TIMEOUT_OF_ALL),
                self._preview_writes,
                reads_only=False,
            ),
            Tool(
                "commit_writes",
                "Commits a transaction of preview_writes; fails with 40001 where what it read has changed since.",
                (_TRANSACTION,),
                self._commit_writes,
                reads_only=False,
                destructive=True,
            ),
            Tool(
                "discard_writes",
                "Rolls back a transaction of preview_writes.",
                (_TRANSACTION,),
                self._discard_writes,
                reads_only=False,
            ),
        )

    # What each does

    async def _get_data_products(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        return await self._sessions.rows(caller, LIST, ROWS_MAX, TIMEOUT_MS_DEFAULT, anything)

    async def _get_data_product_details(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        schema, name = arguments.text("schema", "public"), arguments.text("name")
        queries = [SqlQuery(sql, (schema, name)) for sql in DETAILS.values()]
        async with self._sessions.reading(caller, TIMEOUT_MS_DEFAULT) as session:
            answer = await session.run(queries, ROWS_MAX, anything)
        if answer.error is not None:
            raise answer.error
        told = dict(zip(DETAILS, answer.results, strict=True))
        if not told["product"]["rows"]:
            message = f"there is no data product {qualified(schema, name)} that the role may read"
            raise SqlError(Sqlstate.UNDEFINED_TABLE, message)
        return told

    async def _read_data_product(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        limit, timeout_ms = _limit(arguments), _timeout_ms(arguments)
        schema, name = arguments.text("schema", "public"), arguments.text("name")
        query = read_by_key(schema, name, arguments.key("key"), limit, arguments.as_of("as_of"))
        return await self._sessions.rows(caller, query, limit, timeout_ms, require_select)

    async def _query(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        query = SqlQuery(await at_time(arguments.text("sql"), arguments.as_of("as_of")))
        return await self._sessions.rows(caller, query, _limit(arguments), _timeout_ms(arguments), require_select)

    async def _query_system_catalog(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        async with self._sessions.reading(caller, _timeout_ms(arguments), _SYSTEM_PATH) as session:
            query = SqlQuery(arguments.text("sql"))
            return only_result(await session.run((query,), _limit(arguments), require_select))

    async def _check_view(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        view = qualified(arguments.text("schema", "public"), arguments.text("name"))
        query = SqlQuery(f"CHECK VIEW {view}")
        return await self._sessions.rows(caller, query, _limit(arguments), _timeout_ms(arguments), anything)

    async def _explain_incrementality(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        # The text is one SELECT by itself, before words of this server's stand before it.
        sql = arguments.text("sql")
        async with self._sessions.reading(caller, TIMEOUT_MS_DEFAULT) as session:
            await session.require_alone(sql, require_select)
            query = SqlQuery(f"EXPLAIN PHYSICAL PLAN FOR CREATE MATERIALIZED VIEW explained_here AS {sql}")
            return only_result(await session.run((query,), ROWS_MAX, anything))

    async def _preview_writes(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        statements = arguments.statements("statements")
        return await self._writes.preview(caller, statements, _limit(arguments), _timeout_ms(arguments))

    async def _commit_writes(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        return await self._writes.commit(caller, arguments.text("transaction"))

    async def _discard_writes(self, caller: Caller, arguments: Arguments) -> dict[str, Any]:
        return await self._writes.discard(caller, arguments.text("transaction"))


def _limit(arguments: Arguments) -> int:
    return arguments.number("limit", ROWS_DEFAULT, ROWS_MAX)


def _timeout_ms(arguments: Arguments) -> int:
    return arguments.number("timeout_ms", TIMEOUT_MS_DEFAULT, TIMEOUT_MS_MAX)


def _by_name(*tools: Tool) -> Mapping[str, Tool]:
    return {tool.name: tool for tool in tools}
