"""CREATE SINK as it is written."""

from __future__ import annotations

from dataclasses import dataclass

from planner.syntax.options import Option
from planner.syntax.own_statements import Place


@dataclass(frozen=True, slots=True)
class SinkKey:
    """KEY (column, …); `enforced` is not so by NOT ENFORCED."""

    columns: tuple[Place, ...]
    enforced: bool


@dataclass(frozen=True, slots=True)
class SinkFormat:
    """FORMAT, in capitals, and the connection to the registry of its schemas."""

    name: str
    registry: Place | None = None


@dataclass(frozen=True, slots=True)
class CreateSink:
    """CREATE SINK as written.

    `into`: the kind of destination, in capitals, with its options; `connection`: the destination's, if any
    `format`: of values; `key_format`: of keys, if given
    `headers`: a column
    `conditions`: options of WITH
    `progress`: the name of the sink's progress relation
    """

    name: Place
    if_not_exists: bool
    cluster: str | None
    source: Place
    into: str
    connection: Place | None
    options: tuple[Option, ...]
    key: SinkKey | None
    key_format: SinkFormat | None
    format: SinkFormat | None
    envelope: str | None
    conditions: tuple[Option, ...]
    headers: Place | None = None
    progress: Place | None = None

    @property
    def kind(self) -> str:
        return "create_sink_stmt"
