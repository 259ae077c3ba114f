"""Programs of users, as a destination on the server."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import SystemDestination, as_planned
from model.external.sinks import ConnectorProgram, SinkTarget


def _target(clauses: SinkClauses) -> SinkTarget:
    clauses.refuse_messages()
    return ConnectorProgram(_command(clauses), _config(clauses))


def _command(clauses: SinkClauses) -> str:
    """Reads words as a shell's, the first of which is a program."""
    command = clauses.text("COMMAND") or ""
    try:
        words = [] if "\x00" in command else shlex.split(command)
    except ValueError:
        raise clauses.invalid("COMMAND") from None
    if not words:
        raise clauses.lacks("COMMAND")
    return command


def _config(clauses: SinkClauses) -> tuple[tuple[str, str], ...]:
    """Reads CONFIG '{"name": "text", …}': what a program is told of its destination."""
    text = clauses.text("CONFIG")
    try:
        told = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise clauses.invalid("CONFIG") from None
    if not isinstance(told, dict) or not all(isinstance(value, str) for value in told.values()):
        raise clauses.invalid("CONFIG")
    return tuple(told.items())


def _driver(place: ConnectorProgram, _token: str, _directory: Path) -> Driver:
    from connectors.program.driver import ConnectorDriver

    return ConnectorDriver(place)


DESTINATION = SystemDestination(
    name="CONNECTOR",
    options=("COMMAND", "CONFIG"),
    on_server=_target,
    places=(ConnectorProgram,),
    place=as_planned,
    promise="Exactly once, if the program keeps to the protocol",
    open_driver=_driver,
    undivided="What a program remembers can't be divided.",
)
