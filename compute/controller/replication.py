"""What the replicas of a cluster do each, and what is told of what they all say. Pure.

Every replica maintains every index and every materialized view, answers what is asked of an index, and sends what is
subscribed to. One of them **leads**: it alone answers other reads, runs sources and sinks, and tells of the state of
dataflows. When it is lost, or stands still, another one leads. Hints are the leader's, too: the others look at
consensus by themselves, so that they come to a change once the leader has written what a view makes of it, and find it
there.

    upper, since     the furthest of any replica: what one has written or compacted, is so
    input, durable   the least of all replicas: none may lose inputs that it reads or, after kill -9, would read again
    versions         the oldest of all replicas: none may lose files that it reads

Each is told as it moves forward; none goes back, when a replica is lost and works its way up once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from compute.protocol.command import (
    AdvanceTimeline,
    Await,
    Command,
    CreateDataflow,
    CreateSinks,
    CreateSources,
    Peek,
    RenderSources,
    TellSecrets,
)
from compute.protocol.dataflow import DataflowDescription, Installed
from compute.protocol.response import Frontiers
from model.time.antichain import MINIMUM, Antichain

_OF_LEADER = AdvanceTimeline | Await | CreateSinks | CreateSources | Peek | RenderSources | TellSecrets


def is_for_all(command: Command) -> bool:
    """Returns whether every replica gets the command; else only the one that leads."""
    if isinstance(command, CreateDataflow):
        return runs_everywhere(command.description)
    return not isinstance(command, _OF_LEADER)


def runs_everywhere(description: Installed) -> bool:
    """Returns whether every replica runs what is installed; else only the one that leads."""
    return isinstance(description, DataflowDescription)


@dataclass(frozen=True, slots=True)
class ExportFrontiers:
    """Readable at times in [since, upper). `input` and `durable` as in the response Frontiers."""

    since: Antichain
    upper: Antichain
    input: Antichain
    durable: Antichain

    def joined(self, said: Frontiers) -> ExportFrontiers:
        """Returns the furthest of each."""
        return ExportFrontiers(
            since=self.since.join(said.since or MINIMUM),
            upper=self.upper.join(said.upper or MINIMUM),
            input=self.input.join(said.input or MINIMUM),
            durable=self.durable.join(said.durable or MINIMUM),
        )


@dataclass(slots=True)
class ExportOfReplicas:
    """The reports on an export by the replicas that run it.

    `replicas`: those that maintain it at present; each may have said nothing yet.
    `frontiers`: what is told.
    """

    replicas: Sequence[str]
    frontiers: ExportFrontiers
    _beginning: ExportFrontiers = field(init=False)
    _frontiers: dict[str, ExportFrontiers] = field(default_factory=dict)
    _versions: dict[str, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._beginning = self.frontiers

    def upper_of(self, replica: str) -> Antichain | None:
        """Returns up to where a replica has told the export complete, itself; None before the first word."""
        told = self._frontiers.get(replica)
        return None if told is None else told.upper

    @property
    def least_upper(self) -> Antichain | None:
        """Returns the least upper told by the replicas; None before every replica has told one."""
        told = [self.upper_of(each) for each in self.replicas]
        known = [each for each in told if each is not None]
        return reduce(Antichain.meet, known) if known and len(known) == len(told) else None

    def take(self, replica: str, said: Frontiers) -> bool:
        """Takes frontiers, and returns whether other ones are told now."""
        self._frontiers[replica] = self._of(replica).joined(said)
        since = self.frontiers.since.join(said.since or MINIMUM)
        upper = self.frontiers.upper.join(said.upper or MINIMUM)
        return self._told(replace(self.frontiers, since=since, upper=upper))

    def forget(self, replica: str) -> bool:
        """Forgets what a replica has said that is no longer among `replicas`, and returns whether other frontiers are
        told now: those that are left need less of the past."""
        self._frontiers.pop(replica, None)
        self._versions.pop(replica, None)
        return self._told(self.frontiers)

    def _told(self, furthest: ExportFrontiers) -> bool:
        """Tells of the least of all replicas what goes by it, and returns whether anything is new."""
        before, least = self.frontiers, [self._of(each) for each in self.replicas]
        if not least:
            # Nobody runs it: what inputs hold for a replica to come, they go on to hold.
            self.frontiers = furthest
            return furthest != before
        self.frontiers = replace(
            furthest,
            input=before.input.join(reduce(Antichain.meet, (each.input for each in least))),
            durable=before.durable.join(reduce(Antichain.meet, (each.durable for each in least))),
        )
        return self.frontiers != before

    def _of(self, replica: str) -> ExportFrontiers:
        return self._frontiers.get(replica, self._beginning)

    def take_versions(self, replica: str, versions: Mapping[str, int]) -> dict[str, int]:
        """Takes the versions of shards that a replica reads, and returns the oldest that any reads; without shards of
        which some replica has said nothing."""
        self._versions[replica] = dict(versions)
        said = [self._versions.get(each, {}) for each in self.replicas]
        return {shard: min(each[shard] for each in said) for shard in versions if all(shard in each for each in said)}
