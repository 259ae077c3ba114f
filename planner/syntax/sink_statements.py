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
    """`into` is the kind of destination, in capitals, with its options; `connection` where it has one. `format` is of
    values; `key_format` of keys, where that is said. `headers` is a column. `conditions` are WITH's options.
    `progress`: what the relation is called that tells how far the sink is."""

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
