"""Whether what a connection leads to answers: asked in a thread, for a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from catalog.connections import Connection
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from planner.statements.connections.checked_options import security_protocol
from server.coordinator.execution import Execution
from server.secrets.stored import secrets_of
from storage.sources.kafka.probe import ask_brokers
from storage.sources.kafka.settings import kafka_settings
from storage.sources.schema_registry import ask_registry
from storage.sources.unreachable import Unreachable

_TIMEOUT_S = 10.0
_HINT = "WITH (VALIDATE = false) makes a connection without trying it."
_SHOWN_LENGTH_MAX = 500


async def require_answer(connection: Connection, execution: Execution) -> None:
    """08001 when it does not answer, with the reason."""
    secrets = secrets_of(execution.environment.keyring, execution.catalog, connection)
    options = dict(connection.options)

    def ask() -> None:
        if connection.of == "KAFKA":
            ask_brokers(kafka_settings(options, security_protocol(options), secrets), _TIMEOUT_S)
            return
        texts = {
            name: secrets[value] if isinstance(value, GlobalId) else value
            for name, value in options.items()
            if not isinstance(value, tuple)
        }
        login = (texts["USERNAME"], texts.get("PASSWORD", "")) if "USERNAME" in texts else None
        ask_registry(texts["URL"], login, texts.get("SSL CERTIFICATE AUTHORITY"), "subjects", _TIMEOUT_S)

    try:
        # It ends by itself, whether or not anybody still waits.
        await asyncio.get_running_loop().run_in_executor(execution.environment.probes, ask)
    except Unreachable as failure:
        raise SqlError(
            Sqlstate.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
            f"cannot connect to {connection.of}",
            detail=_without(failure.reason, secrets.values())[:_SHOWN_LENGTH_MAX],
            hint=_HINT,
        ) from None


def _without(text: str, secrets: Iterable[str]) -> str:
    """A library's words, in case it repeats what it was given."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "…")
    return text
