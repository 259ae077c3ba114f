"""Asks for facts about a session over the wire: catalog's SessionFacts in a worker."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.functions.system.lock_lookup import AdvisoryKey, AdvisoryLock, LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.sequence_rules import SequenceRules
from server.evaluation.messages import Ask, Told
from server.evaluation.work import AskedFacts

Asking = Callable[..., Any]
"""Takes what is asked and its arguments, and returns the answer."""

_BOOKS = "sequences", "locks"


class RemoteFacts:
    """Asks the environment for facts about a session, in a worker. `ask` returns when the environment has answered."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._sequences = _RemoteSequences(ask)
        self._locks = _RemoteLocks(ask)

    def setting(self, name: str) -> str | None:
        answer: str | None = self._ask("setting", name)
        return answer

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        return str(self._ask("change_setting", name, value, local))

    def signal_session(self, pid: int, end: bool) -> bool:
        return bool(self._ask("signal_session", pid, end))

    def reload_configuration(self) -> bool:
        return bool(self._ask("reload_configuration"))

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        self._ask("reset_statistics", role, database, query)

    def notify(self, channel: str, payload: str) -> None:
        self._ask("notify", channel, payload)

    def listening_channels(self) -> tuple[str, ...]:
        answer: tuple[str, ...] = self._ask("listening_channels")
        return answer

    def transaction_id(self) -> int:
        return int(self._ask("transaction_id"))

    def server_version(self) -> str:
        return str(self._ask("server_version"))

    def started(self) -> datetime.datetime:
        answer: datetime.datetime = self._ask("started")
        return answer

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        answer: tuple[str, int | None, str, int | None] = self._ask("addresses")
        return answer

    def stored_bytes(self, id: GlobalId) -> int:
        return int(self._ask("stored_bytes", id))

    @property
    def sequences(self) -> SequenceLookup:
        return self._sequences

    @property
    def locks(self) -> LockLookup:
        return self._locks


class _RemoteSequences:
    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    def next_value(self, oid: int) -> int:
        return int(self._ask("sequences.next_value", oid))

    def current_value(self, oid: int) -> int:
        return int(self._ask("sequences.current_value", oid))

    def latest_value(self) -> int:
        return int(self._ask("sequences.latest_value"))

    def set_value(self, oid: int, value: int, called: bool) -> int:
        return int(self._ask("sequences.set_value", oid, value, called))

    def last_value(self, oid: int) -> int | None:
        answer: int | None = self._ask("sequences.last_value", oid)
        return answer

    def position(self, oid: int) -> tuple[int, int, bool]:
        answer: tuple[int, int, bool] = self._ask("sequences.position", oid)
        return answer

    def rules(self, oid: int) -> SequenceRules:
        answer: SequenceRules = self._ask("sequences.rules", oid)
        return answer


class _RemoteLocks:
    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    def try_lock(self, lock: AdvisoryLock) -> bool:
        return bool(self._ask("locks.try_lock", lock))

    def unlock(self, key: AdvisoryKey, shared: bool) -> bool:
        return bool(self._ask("locks.unlock", key, shared))

    def unlock_all(self) -> None:
        self._ask("locks.unlock_all")

    def blocking(self, pid: int) -> tuple[int, ...]:
        answer: tuple[int, ...] = self._ask("locks.blocking", pid)
        return answer


async def told(ask: Ask, facts: AskedFacts) -> Told:
    """Answers a worker's question, in the environment."""
    book, _, what = ask.what.rpartition(".")
    asked: Any = getattr(facts, book) if book in _BOOKS else facts
    try:
        answer = getattr(asked, what)(*ask.arguments)
        return Told(await answer if isawaitable(answer) else answer)
    except SqlError as error:
        return Told(error=error)
