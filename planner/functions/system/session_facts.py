"""The questions that functions ask a session: settings, channels, sequences, locks. The server answers them."""

from __future__ import annotations

import datetime
from typing import Protocol

from model.ids.global_id import GlobalId
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup


class SessionFacts(Protocol):
    """The facts about a session that functions ask for, and that no catalog holds."""

    def setting(self, name: str) -> str | None:
        """Returns the value that SHOW prints; None for a setting that doesn't exist."""
        ...

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        """Executes SET [LOCAL] name = value, to DEFAULT for None; returns the value that SHOW then prints."""
        ...

    def signal_session(self, pid: int, end: bool) -> bool:
        """Cancels a session's statement, or ends the session; returns False, with a warning, when no session has the
        pid."""
        ...

    def reload_configuration(self) -> bool:
        """Has the files of the server's configuration read again."""
        ...

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        """Forgets the statistics of statements of a role, in a database, with an id; 0 stands for all."""
        ...

    def notify(self, channel: str, payload: str) -> None:
        """Executes NOTIFY."""
        ...

    def listening_channels(self) -> tuple[str, ...]:
        """Returns the channels that the session listens on."""
        ...

    def transaction_id(self) -> int: ...

    def server_version(self) -> str:
        """Returns the text of version()."""
        ...

    def started(self) -> datetime.datetime:
        """Returns when the server started, in UTC."""
        ...

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        """Returns the client's address and port, and the server's, as the client reaches it: "" and None without a
        network."""
        ...

    def stored_bytes(self, id: GlobalId) -> int:
        """Returns the bytes stored for a table."""
        ...

    @property
    def sequences(self) -> SequenceLookup:
        """Returns the newest values of sequences, as the session has used them."""
        ...

    @property
    def locks(self) -> LockLookup:
        """Returns the advisory locks, as the session may take them without waiting."""
        ...
