"""Who may say what when: the protocol's rules, without I/O. Runtime and drivers' tests hold both sides to them.

    opening ──Open, Opened──▶ loading ──FlushLoads──▶ flushing ──Flushed──▶ storing ──StartCommit──▶ committing
                                 ▲                                                                  │
                                 └──────────────────────── StartedCommit ──────────────────────────┘

Acknowledge and Acknowledged come once a transaction while it is loading, in either order; documents are loaded after
Acknowledged only, and FlushLoads comes after both. While documents are stored the driver says nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from connectors.sinks.messages import (
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


class SinkPhase(StrEnum):
    """The state of a session of the protocol."""

    NEW = "new"
    OPENING = "opening"
    LOADING = "loading"
    FLUSHING = "flushing"
    STORING = "storing"
    COMMITTING = "committing"


class Ordering:
    """Checks the order of one session's messages: pass in each request and each response, in their order. Raises
    SqlError (08P01), with the expected message, for one out of order, which ends the session."""

    def __init__(self) -> None:
        self.phase = SinkPhase.NEW
        self._acknowledge = False
        self._acknowledged = False

    def requested(self, request: Request) -> None:
        """Notes what the runtime says."""
        expected = self._requests()
        if not isinstance(request, expected):
            raise _violation("the runtime", type(request), expected)
        match request:
            case Open():
                self.phase = SinkPhase.OPENING
            case Acknowledge():
                self._acknowledge = True
            case FlushLoads():
                self.phase = SinkPhase.FLUSHING
            case StartCommit():
                self.phase = SinkPhase.COMMITTING
            case Load() | Store():
                pass
            case _:
                assert_never(request)

    def responded(self, response: DriverResponse) -> None:
        """Notes what the driver says."""
        expected = self._responses()
        if not isinstance(response, expected):
            raise _violation("the driver", type(response), expected)
        match response:
            case Opened() | StartedCommit():
                self.phase = SinkPhase.LOADING
                self._acknowledge = self._acknowledged = False
            case Acknowledged():
                self._acknowledged = True
            case Flushed():
                self.phase = SinkPhase.STORING
            case Loaded():
                pass
            case _:
                assert_never(response)

    def _requests(self) -> tuple[type[Request], ...]:
        match self.phase:
            case SinkPhase.NEW:
                return (Open,)
            case SinkPhase.LOADING if not self._acknowledge:
                return (Acknowledge,)
            case SinkPhase.LOADING:
                return (Load, FlushLoads) if self._acknowledged else (Load,)
            case SinkPhase.STORING:
                return (Store, StartCommit)
            case SinkPhase.OPENING | SinkPhase.FLUSHING | SinkPhase.COMMITTING:
                return ()
            case _:
                assert_never(self.phase)

    def _responses(self) -> tuple[type[DriverResponse], ...]:
        match self.phase:
            case SinkPhase.OPENING:
                return (Opened,)
            case SinkPhase.LOADING:
                if not self._acknowledged:
                    return (Acknowledged,)
                return (Loaded,) if self._acknowledge else ()
            case SinkPhase.FLUSHING:
                return (Loaded, Flushed)
            case SinkPhase.COMMITTING:
                return (StartedCommit,)
            case SinkPhase.NEW | SinkPhase.STORING:
                return ()
            case _:
                assert_never(self.phase)


def _violation(who: str, came: type, expected: tuple[type, ...]) -> SqlError:
    wanted = " or ".join(each.__name__ for each in expected) or "nothing"
    message = f"{who} of a sink said {came.__name__}, where {wanted} was to come"
    return SqlError(Sqlstate.PROTOCOL_VIOLATION, message)
