"""Finds out whether the system behind a connection answers: asked in a thread, for a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from catalog.facts.roles.decide import is_superuser
from catalog.nouns.connections import Connection
from connectors.systems import CONNECTIONS
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.process.redaction import redacted
from server.secrets.stored import secrets_of
from server.transactions.execution import Execution

_HINT = "WITH (VALIDATE = false) makes a connection without trying it."
_SHOWN_LENGTH_MAX = 500


Asked = TypeVar("Asked")


async def require_answer(connection: Connection, owner: int, execution: Execution) -> None:
    """Raises 08001 with the reason when the system does not answer. `owner` is the connection's."""
    options = dict(connection.options)
    others = not is_superuser(execution.newest_catalog, owner)

    def ask(secrets: Mapping[GlobalId, str]) -> None:
        CONNECTIONS[connection.of].ask(options, secrets, others)

    await answer_of(connection, execution, ask, _HINT)


async def answer_of(
    connection: Connection, execution: Execution, ask: Callable[[Mapping[GlobalId, str]], Asked], hint: str | None
) -> Asked:
    """Asks with the values of the connection's secrets, and returns the answer; raises 08001 without an answer, 42501
    for a connection to what is switched off."""
    if (refused := execution.environment.outside.access.to_connection(connection)) is not None:
        raise refused
    secrets = secrets_of(execution.environment.outside.keyring, execution.catalog, connection)
    try:
        return await in_probe(lambda: ask(secrets), execution)
    except Unreachable as failure:
        raise SqlError(
            Sqlstate.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
            f"cannot connect to {connection.of}",
            detail=redacted(failure.reason)[:_SHOWN_LENGTH_MAX],
            hint=hint,
        ) from None
    except SqlError as error:
        error.message, error.detail = redacted(error.message), error.detail and redacted(error.detail)
        raise


async def in_probe(ask: Callable[[], Asked], execution: Execution) -> Asked:
    """Runs a question in a thread, where it ends by itself even if nobody waits any more."""
    return await asyncio.get_running_loop().run_in_executor(execution.environment.outside.probes, ask)
