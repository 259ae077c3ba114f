"""The commands so far, reduced to the fewest with the same effect.

The environment keeps one history, and sends all of it to a replica that connects. Reduction keeps the history as long
as the list of installed dataflows, not as long as the past. Order of a reduced history, and why:

    Hello, CreateInstance, one UpdateConfiguration     global, and so hoisted to the front
    CreateSources, CreateSinks, CreateDataflow …,
    Schedule …                                         each dataflow as_of the earliest time still readable
    Peek …, PeekIndex …                                peeks not cancelled
    AllowCompaction …                                  after the peeks, so that peeks stay answerable
    AllowWrites …, RenderSources, InitializationComplete

Acknowledgements, hints (AdvanceTimeline, Await), Rebuild and secrets belong to a connection, and leave nothing behind.

Source: seed 4 ("the log can be compacted by collapsing commands that supersede previous commands").
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from compute.protocol.command import (
    AcknowledgeBatches,
    AcknowledgeRows,
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Await,
    CancelPeek,
    Command,
    CreateDataflow,
    CreateInstance,
    CreateSinks,
    CreateSources,
    Hello,
    InitializationComplete,
    Peek,
    PeekIndex,
    Ping,
    Rebuild,
    RenderSources,
    Schedule,
    TellSecrets,
    UpdateConfiguration,
)
from compute.protocol.dataflow import DataflowDescription, Installed
from connectors.sinks.description import SinkDescription
from connectors.sources.description import IngestionDescription, StorageCollectionId
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, MINIMUM, Antichain

_REDUCE_FROM = 64


@dataclass(slots=True)
class _Sum:
    """The sum of a history, by kind of command."""

    hello: Hello | None = None
    instance: CreateInstance | None = None
    complete: InitializationComplete | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    installed: list[Installed] = field(default_factory=list)
    rendered: dict[StorageCollectionId, None] = field(default_factory=dict)
    scheduled: dict[GlobalId, None] = field(default_factory=dict)
    writable: dict[GlobalId, None] = field(default_factory=dict)
    peeks: dict[str, Peek | PeekIndex] = field(default_factory=dict)
    compactions: dict[GlobalId, Antichain] = field(default_factory=dict)

    def add(self, command: Command) -> None:
        match command:
            case Hello():
                self.hello = command
            case CreateInstance():
                self.instance = command
            case InitializationComplete():
                self.complete = command
            case UpdateConfiguration(parameters):
                self.parameters.update(parameters)
            case CreateDataflow(description):
                if any(self.compactions.get(id_, MINIMUM).empty for id_ in description.export_ids):
                    # A materialized view that has left the cluster comes again.
                    self._replace((description,))
                else:
                    self.installed.append(description)
            case CreateSources(descriptions) | CreateSinks(descriptions):
                self._replace(descriptions)
            case RenderSources(collections):
                self.rendered |= dict.fromkeys(collections)
            case Schedule(id_):
                self.scheduled[id_] = None
            case AllowWrites(id_):
                self.writable[id_] = None
            case Peek() | PeekIndex():
                self.peeks[command.uuid] = command
            case CancelPeek(uuid):
                self.peeks.pop(uuid, None)
            case AcknowledgeRows() | AcknowledgeBatches() | AdvanceTimeline() | Await() | Rebuild():
                pass
            case TellSecrets() | Ping():
                pass
            case AllowCompaction(id_, frontier):
                self.compactions[id_] = self.compactions.get(id_, MINIMUM).join(frontier)
            case _:
                assert_never(command)

    def _replace(self, descriptions: Iterable[Installed]) -> None:
        """Forgets commands about what is installed again after a drop."""
        for description in descriptions:
            ids = set(description.export_ids)
            self.installed = [each for each in self.installed if ids.isdisjoint(each.export_ids)]
            self.compactions = {id_: since for id_, since in self.compactions.items() if id_ not in ids}
            self.rendered = {each: None for each in self.rendered if each.id not in ids}
            self.scheduled = {id_: None for id_ in self.scheduled if id_ not in ids}
            self.writable = {id_: None for id_ in self.writable if id_ not in ids}
            self.installed.append(description)


def readable_from(description: Installed, compactions: dict[GlobalId, Antichain]) -> Antichain:
    """Returns the earliest time at which some export must still be readable; empty when none must."""
    earliest = EMPTY
    for id_ in description.export_ids:
        earliest = earliest.meet(compactions.get(id_, description.as_of))
    return earliest.join(description.as_of)


def reduce_commands(commands: Iterable[Command]) -> list[Command]:
    """Returns the fewest commands with the same effect on a replica as `commands`."""
    total = _Sum()
    for command in commands:
        total.add(command)
    installed: list[Installed] = []
    for description in total.installed:
        as_of = readable_from(description, total.compactions)
        dropped = as_of.empty
        if not dropped:
            installed.append(dataclasses.replace(description, as_of=as_of))
        for id_ in description.export_ids:
            if dropped:
                total.scheduled.pop(id_, None)
                total.writable.pop(id_, None)
                total.rendered = {each: None for each in total.rendered if each.id != id_}
            if id_ in total.compactions and total.compactions[id_].precedes(as_of):
                del total.compactions[id_]
    return [*_emit(total, installed)]


def _emit(total: _Sum, installed: list[Installed]) -> Iterator[Command]:
    if total.hello is not None:
        yield total.hello
    if total.instance is not None:
        yield total.instance
    if total.parameters:
        yield UpdateConfiguration(tuple(sorted(total.parameters.items())))
    sources = tuple(each for each in installed if isinstance(each, IngestionDescription))
    if sources:
        yield CreateSources(sources)
    sinks = tuple(each for each in installed if isinstance(each, SinkDescription))
    if sinks:
        yield CreateSinks(sinks)
    yield from (CreateDataflow(each) for each in installed if isinstance(each, DataflowDescription))
    yield from map(Schedule, total.scheduled)
    yield from total.peeks.values()
    for id_, frontier in total.compactions.items():
        yield AllowCompaction(id_, frontier)
    yield from map(AllowWrites, total.writable)
    if total.rendered:
        yield RenderSources(tuple(total.rendered))
    if total.complete is not None:
        yield total.complete


class CommandHistory:
    """The log of one environment; `push` reduces the log whenever its length has doubled."""

    def __init__(self) -> None:
        self._commands: list[Command] = []
        self._reduced_length = _REDUCE_FROM

    def push(self, command: Command) -> None:
        self._commands.append(command)
        if len(self._commands) > 2 * self._reduced_length:
            self.reduce()

    def reduce(self) -> None:
        self._commands = reduce_commands(self._commands)
        self._reduced_length = max(_REDUCE_FROM, len(self._commands))

    @property
    def dataflows(self) -> int:
        """Returns how many dataflows the log would begin; those dropped since it was last reduced count, too."""
        return sum(isinstance(command, CreateDataflow) for command in self._commands)

    def __iter__(self) -> Iterator[Command]:
        return iter(tuple(self._commands))

    def __len__(self) -> int:
        return len(self._commands)
