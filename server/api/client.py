"""A session's client over HTTP: keeps notices and changed variables until a statement's result is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from server.pgwire.messages import NoticeResponse, NotificationResponse

_NOTICES_MAX = 100
_LINGER_S = 10.0


class HttpClient:
    """Implements Client. `abort` ends the connection of a client that takes nothing, whose session would never end."""

    def __init__(self, abort: Callable[[], None]) -> None:
        self._abort = abort
        self._notices: list[dict[str, str]] = []
        self._left_out = 0
        self._parameters: dict[str, str] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.sent_bytes = 0
        self.ended: SqlError | None = None
        """Why the session was ended from outside."""
        self.when_ended: Callable[[], None] | None = None
        """What follows at once."""

    def set_parameter(self, name: str, value: str) -> None:
        self._parameters[name] = value

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        if isinstance(message, NotificationResponse):
            return
        if len(self._notices) == _NOTICES_MAX:
            self._left_out += 1
            return
        told = {"message": message.message, "code": message.sqlstate, "severity": message.severity.value.lower()}
        beside = {"detail": message.detail, "hint": message.hint}
        self._notices.append(told | {name: text for name, text in beside.items() if text is not None})

    @property
    def taking(self) -> bool:
        # What other sessions tell is not kept.
        return True

    def terminate(self, error: SqlError) -> None:
        if self.ended is None:
            self.ended = error
            self._timer = asyncio.get_running_loop().call_later(_LINGER_S, self._abort)
            if self.when_ended is not None:
                self.when_ended()

    def close(self) -> None:
        """Ends the time limit of a terminated client, and forgets what was not told: the session is over."""
        if self._timer is not None:
            self._timer.cancel()
        self.take_notices()
        self.take_parameters()

    def take_notices(self) -> list[dict[str, str]]:
        """Returns the notices since the last time; of very many the first, and how many others there were."""
        taken, self._notices = self._notices, []
        if self._left_out:
            taken.append({"message": f"{self._left_out} more notices", "code": "00000", "severity": "notice"})
            self._left_out = 0
        return taken

    def take_parameters(self) -> list[dict[str, Any]]:
        """Returns the session variables that have changed since the last call."""
        taken, self._parameters = self._parameters, {}
        return [{"name": name, "value": value} for name, value in taken.items()]
