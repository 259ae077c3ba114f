"""Notices on their way to the client. Those of a run that may be repeated wait for the run's end: a run that has lost
to another commit has not happened, and neither have its notices."""

from __future__ import annotations

from model.errors.sql_error import Severity
from server.pgwire.backend import Client
from server.pgwire.messages import NoticeResponse
from server.settings.settings import Settings

_ORDER = {Severity.DEBUG: 0, Severity.LOG: 1, Severity.NOTICE: 2, Severity.WARNING: 3}
_LEAST = {"log": 1, "info": 2, "notice": 2, "warning": 3, "error": 4}
"""Of client_min_messages; its levels of DEBUG let all pass."""


class Notices:
    """Notices of one session."""

    def __init__(self, client: Client, variables: Settings) -> None:
        self._client = client
        self._variables = variables
        self._held: list[NoticeResponse] | None = None

    def tell(self, notice: NoticeResponse) -> None:
        """Sends a notice, or holds it, unless client_min_messages suppresses it."""
        least = self._variables.get("client_min_messages")
        told = _ORDER.get(notice.severity)
        if told is not None and told < _LEAST.get(least, 0):
            return
        if self._held is None:
            self._client.notify(notice)
        else:
            self._held.append(notice)

    def hold(self) -> None:
        """Holds notices from now on; forgets the ones held."""
        self._held = []

    def release(self) -> None:
        """Sends the notices held, and holds no more."""
        held, self._held = self._held or (), None
        for notice in held:
            self._client.notify(notice)
