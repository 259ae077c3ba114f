"""Notices on their way to the client. Those of a run that may be repeated wait for the run's end: a run that has lost
to another commit has not happened, and neither have its notices."""

from __future__ import annotations

from model.errors.sql_error import Severity
from server.pgwire.backend import Client
from server.pgwire.messages import NoticeResponse
from server.settings.settings import Settings


class Notices:
    """Notices of one session."""

    def __init__(self, client: Client, variables: Settings) -> None:
        self._client = client
        self._variables = variables
        self._held: list[NoticeResponse] | None = None

    def tell(self, notice: NoticeResponse) -> None:
        """Sends a notice, or holds it, unless client_min_messages suppresses it."""
        least = self._variables.get("client_min_messages")
        if least == "error" or (least == "warning" and notice.severity is Severity.NOTICE):
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
