"""Passes commands to the replicas of a cluster, and their responses to those who wait.

The history of all commands is sent to each replica that connects (`connection`), without what only the leader gets
(`replication`). When the leader is lost, or stands still (`standing`), another connected replica leads, and is sent the
history once more: a peek of the leader's without a row seen so far is asked once more, any other one that has lost its
replica fails. When no replica comes up several times in a row, waiting peeks fail, so that nothing hangs. Replicas come
and go at any time; a cluster without any keeps its history, and answers nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import structlog

from compute.controller.address import standstill_of
from compute.controller.asked import NO_REPLICA, ConnectedReplicas
from compute.controller.connection import ReplicaConnection
from compute.controller.dataflows import DataflowController
from compute.controller.exports import ServedCluster
from compute.controller.link import Host, Silence
from compute.controller.lookups import Lookups
from compute.controller.peeks import PendingPeeks
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.controller.replica_status import ObservedReplica, ReplicaPhase
from compute.controller.replication import is_for_all
from compute.controller.siblings import ToldSiblings
from compute.controller.standing import LeaderWatch
from compute.controller.subscription import Subscriptions
from compute.protocol.codec import MalformedMessage
from compute.protocol.command import (
    Await,
    Command,
    CreateInstance,
    InitializationComplete,
    Peek,
    PeekIndex,
    UpdateConfiguration,
)
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.framing import Frame
from compute.protocol.history import CommandHistory
from compute.protocol.response import (
    DataflowMeasures,
    DataflowStatus,
    Frontiers,
    IngestionMeasures,
    PeekDone,
    PeekFailed,
    PeekRows,
    SinkMeasures,
    SubscribeBatch,
)
from compute.protocol.siblings import StatesPlace
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.cluster_id import FIRST_CLUSTER
from model.time.antichain import EMPTY
from model.time.clock import Clock, Randomness
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from storage.subscription import SubscriptionEvent

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ControllerOptions:
    """The options of an environment's controller of replicas. `nonce` must be greater, as text, than that of every
    earlier environment on the same consensus.

    `timeline` and `preconditions` as in the command CreateInstance. `states`: places from which replicas may copy
    states, beside those of each other.
    """

    consensus_url: str
    blob_url: str
    nonce: str
    timeline: str
    preconditions: tuple[tuple[str, int | None], ...]
    drain_s: float = 5.0
    states: Mapping[str, StatesPlace] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """Returns a name of the environment's data, which tells nothing of their locations."""
        return hashlib.sha256(f"{self.consensus_url} {self.blob_url}".encode()).hexdigest()[:16]


class ComputeController:
    """Gives one cluster its commands. Call `start` first, `stop` last. `hosts` by the names of their replicas; the
    first one leads unless another is there before it. `dataflows` are those of all clusters."""

    def __init__(
        self,
        options: ControllerOptions,
        hosts: Mapping[str, Host],
        clock: Clock,
        randomness: Randomness,
        cluster: int = FIRST_CLUSTER,
        dataflows: DataflowController | None = None,
    ) -> None:
        self.cluster = cluster
        self._options = options
        self._clock = clock
        self._changed = asyncio.Event()
        self._history = CommandHistory()
        self._history.push(
            CreateInstance(options.consensus_url, options.blob_url, options.timeline, options.preconditions)
        )
        self._replicas = [self._connection(name, host) for name, host in hosts.items()]
        self._siblings = ToldSiblings(self._replicas, self.configure, options.states)
        self._started = False
        self._watch = LeaderWatch(clock, self._candidates, self._pass_over)
        self._leader: ReplicaConnection | None = None
        self.dataflows = DataflowController() if dataflows is None else dataflows

        def standstill() -> Silence:
            return standstill_of(None if self._leader is None else self._leader.host)

        self._served = ServedCluster(list(hosts), self.tell, self._send, self._ready, standstill)
        self.dataflows.add_cluster(cluster, self._served)
        self._asked = ConnectedReplicas(self._replicas, self.tell, randomness)
        self._peeks = PendingPeeks(self._history, self._asked)
        self._lookups = Lookups(self.peek_index)
        self._subscriptions = Subscriptions(cluster, self.dataflows, self._asked)

    def start(self) -> None:
        """Begins to connect, and returns at once: statements wait until a replica is ready."""
        self._started = True
        self._siblings.tell()
        self._watch.start(self.cluster)
        for replica in self._replicas:
            replica.start()

    def _connection(self, name: str, host: Host) -> ReplicaConnection:
        client = f"{self._options.data}/{self.cluster}/{name}"
        return ReplicaConnection(name, self._options.nonce, client, host, self._clock, self)

    def add_replica(self, name: str, host: Host) -> None:
        """Adds a replica, which hydrates what the cluster maintains; it leads when no other one does."""
        assert all(each.name != name for each in self._replicas), f"there is a replica {name} already"
        replica = self._connection(name, host)
        self._replicas.append(replica)
        self.dataflows.add_replica(self._served, name)
        if self._started:
            self._siblings.tell()
            replica.start()

    def remove_replica(self, name: str) -> Awaitable[None]:
        """Removes a replica at once: another one leads where it has led, and what waits fails where there is none. What
        is returned ends its process."""
        (replica,) = (each for each in self._replicas if each.name == name)
        self._replicas.remove(replica)
        self._siblings.tell()
        self.dataflows.remove_replica(self._served, name)
        self._lose(replica, "the replica was dropped")
        if not self._replicas:
            self._fail_all(Sqlstate.FEATURE_NOT_SUPPORTED, NO_REPLICA, None)
        return _ended(replica)

    def remove(self) -> None:
        """Removes the cluster, whose replicas have been removed, and whose dataflows have been dropped."""
        assert not self._replicas, "the replicas of a cluster are removed before it"
        self._watch.end()
        self.dataflows.remove_cluster(self.cluster)

    async def stop(self, *, leave_replica: bool = False) -> None:
        """Waits up to `drain_s` for peeks under way, fails the rest, and ends our own replicas.

        Replicas taken over by a newer environment are no longer ours; replicas that a newer environment may be about
        to take over are left running.
        """
        waited = 0.0
        while self._peeks and waited < self._options.drain_s:
            await self._clock.sleep(0.05)
            waited += 0.05
        superseded = self.superseded
        self._refuse("stopped")
        self._watch.end()
        await asyncio.gather(*(replica.stop() for replica in self._replicas))
        self._fail_all(Sqlstate.ADMIN_SHUTDOWN, "terminating connection due to administrator command", None)
        if not superseded and not leave_replica:
            await asyncio.gather(*(replica.host.stop() for replica in self._replicas))

    @property
    def superseded(self) -> bool:
        """Returns whether a newer environment has taken a replica over."""
        return any(replica.phase is ReplicaPhase.STOPPED for replica in self._replicas)

    def peek(self, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """Yields the rows of `request` in record batches of columns c0, c1, … (column `z` when there are none to be).

        An answer without rows yields no batch.

        Waits until a replica is ready. SqlError when the query fails, or when its replica is lost. Closing the
        generator, or cancelling the task that awaits it, stops the work.
        """
        self._asked.require_replica()
        return self._peeks.ask(request.command(self._asked.name_of_question()), request.told)

    def peek_index(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """Asks an index like `peek`, from its arrangement. Hold the index at as_of first (`dataflows.hold`)."""
        self._asked.require_replica()
        return self._peeks.ask(request.command(self._asked.name_of_question()))

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None:
        """Returns the rows, of columns as in `desc`, with the request's keys; None when they are too many to be had at
        once.

        The finishing is a projection alone. Hold the index at as_of first. SqlError as `peek_index`.
        """
        return await self._lookups.look_up(request, desc)

    def subscribe(self, description: DataflowDescription) -> AsyncGenerator[SubscriptionEvent]:
        """Yields the updates of the description's one export, a SubscribeExport, and statements of progress in
        between.

        Begins the dataflow at once, in all replicas, which may each answer; ends after Progress of the empty frontier,
        at `until`. Closing the generator drops it. The caller holds the imports at as_of, and then at the latest
        progress - 1. SqlError when the dataflow has a live error, and when its replica is lost at a moment at which it
        can't go on.
        """
        self._asked.require_replica()
        return self._subscriptions.follow(description)

    def configure(self, parameters: dict[str, str]) -> None:
        """Sets parameters of every replica, now and later."""
        self.tell(UpdateConfiguration(tuple(sorted(parameters.items()))))

    def statuses(self) -> tuple[ObservedReplica, ...]:
        """Returns the present state of each replica."""
        return tuple(self._observed(replica) for replica in self._replicas)

    def status(self) -> ObservedReplica:
        """Returns the present state of the replica that leads; while none does, of the first one. There is one."""
        return self._observed(self._leader or self._replicas[0])

    def _observed(self, replica: ReplicaConnection) -> ObservedReplica:
        leads = replica is (self._leader or self._replicas[0])
        return ObservedReplica(
            cluster=self.cluster,
            name=replica.name,
            pid=replica.host.pid,
            address=replica.host.address,
            phase=replica.phase,
            message=replica.message,
            since_ms=replica.since_ms,
            peeks=self._peeks.answered if leads else 0,
            pending=len(self._peeks) if leads else 0,
            restarts=replica.restarts,
            stuck=replica.stuck,
            reconciliations=tuple(replica.reconciliations),
            commands=tuple(replica.commands.items()),
            dataflows=self._history.dataflows,
            told=tuple(replica.told.values()),
            uppers=tuple(self.dataflows.uppers(self._served, replica.name)),
            phases=tuple(replica.phases),
        )

    async def wait_ready(self) -> None:
        """Waits until a replica is ready; SqlError when none will be any more."""
        while not self._ready():
            for replica in self._replicas:
                if replica.phase is ReplicaPhase.STOPPED:
                    raise SqlError(Sqlstate.ADMIN_SHUTDOWN, "the server is shutting down", detail=replica.message)
            self._changed.clear()
            await self._changed.wait()

    def _ready(self) -> bool:
        return any(replica.phase is ReplicaPhase.READY for replica in self._replicas)

    # What the connections tell

    def connected(self, replica: ReplicaConnection) -> None:
        """Notes that a replica has connected; it leads if no other replica does."""
        if replica not in self._replicas:
            return
        if self._leader is None:
            self._lead(replica)
        else:
            replica.greet(self._wanted_of(replica))

    def changed(self) -> None:
        """Notes that the phase of a replica is another one."""
        self._changed.set()
        self.dataflows.give_up_waiting()

    def take(self, replica: ReplicaConnection, frame: Frame) -> None:
        """Takes a response. What only a leader is asked, and another one tells of, it was asked when it led; what a
        removed replica says is of no interest, nor what one says that has not heard yet that it was passed over."""
        if replica not in self._replicas:
            return
        response = frame.message
        leads = replica is self._leader
        match response:
            case PeekRows() | PeekDone():
                self._peeks.take(replica.name, response, frame.payload)
            case SubscribeBatch():
                # What it says of a time is so, whenever it was asked.
                self._subscriptions.take(replica.name, response, frame.payload)
            case _ if replica.outdated:
                pass
            case DataflowMeasures():
                replica.note(response)
                self.dataflows.take(self._served, replica.name, response)
            case Frontiers() | IngestionMeasures() | SinkMeasures():
                if isinstance(response, Frontiers) and response.since == EMPTY:
                    replica.told.pop(response.id, None)
                self.dataflows.take(self._served, replica.name, response)
            case DataflowStatus():
                replica.note(response)
                self.dataflows.take(self._served, replica.name, response)
                if leads:
                    self._peeks.give_way(self.dataflows)
                    self._subscriptions.give_up()
            case _:
                raise MalformedMessage(f"{type(response).__name__} is not a response")

    def lost(self, replica: ReplicaConnection, reason: str) -> None:
        """Notes that the replica is gone. What becomes of a dropped one is of no interest: another one may have its
        name."""
        if replica in self._replicas:
            self._lose(replica, reason)

    def _lose(self, replica: ReplicaConnection, reason: str) -> None:
        """Goes on without a replica; when it was the leader, another one leads, which is ready where one is."""
        led = replica is self._leader
        if led:
            self._leader = None
            self._served.leader = None
        self._peeks.lose(replica.name, _lost(reason), led=led)
        self._subscriptions.lose(replica.name, reason)
        if not led:
            return
        others = [each for each in self._replicas if each.connected]
        if others:
            self._lead(max(others, key=lambda each: (each.answers, each.phase is ReplicaPhase.READY)))

    def _candidates(self) -> tuple[ReplicaConnection | None, list[ReplicaConnection]]:
        """Returns the leader, and the others that answer."""
        return self._leader, [each for each in self._replicas if each is not self._leader and each.answers]

    def _pass_over(self, leader: ReplicaConnection, heir: ReplicaConnection) -> None:
        """Has another replica lead, and the former leader go on as one of the others as soon as it hears of that."""
        log.warning("the leader stands still", replica=leader.name, next=heir.name, pid=leader.host.pid)
        self._leader = None
        self._served.leader = None
        leader.passed_over = True
        self._peeks.pass_over(leader.name)
        self._lead(heir)
        leader.greet(self._wanted_of(leader))

    def failed(self, replica: ReplicaConnection, reason: str) -> None:
        """Fails what waits once every replica has failed several times in a row."""
        if replica in self._replicas and all(each.hopeless for each in self._replicas):
            self._fail_all(Sqlstate.CANNOT_CONNECT_NOW, "no replica is available to run the query", reason)

    def broke(self, replica: ReplicaConnection, reason: str) -> None:
        """Fails what waits, unless the replica was dropped."""
        if replica in self._replicas:
            self._fail_all(Sqlstate.INTERNAL_ERROR, "the connection to the replica failed", reason)

    def replaced(self, reason: str) -> None:
        """Fails what waits, and what is asked later."""
        self._refuse(reason)
        self._fail_all(Sqlstate.ADMIN_SHUTDOWN, "another server has taken over", reason)

    def _lead(self, replica: ReplicaConnection) -> None:
        self._leader = replica
        self._served.leader = replica.name
        replica.greet(self._wanted_of(replica))
        if len(self._replicas) > 1:
            log.info("a replica leads", replica=replica.name)

    def _wanted_of(self, replica: ReplicaConnection) -> Iterator[tuple[Command, bytes | None]]:
        """Yields the whole of what the replica is to do, each command with its bytes if they are known."""
        self._history.reduce()
        for command in (*self._history, InitializationComplete(), *self.dataflows.hints(self._served, replica.name)):
            if self._concerns(replica, command):
                yield command, self._peeks.encoded(command)
        for peek in self._peeks.indexes_asked() if replica is self._leader else ():
            # It may be behind the one that led, and only hints have it hurry.
            yield Await(peek.index, peek.as_of), None

    def _concerns(self, replica: ReplicaConnection, command: Command) -> bool:
        leads = replica is self._leader
        if isinstance(command, Peek | PeekIndex):
            return self._peeks.is_asked(command, replica.name, leads=leads)
        return leads or is_for_all(command)

    def tell(self, command: Command, encoded: bytes | None = None) -> list[str]:
        """Hands a command on now, and to each replica that connects later; returns the names of those that have it."""
        self._history.push(command)
        return self._send(command, encoded)

    def _send(self, command: Command, encoded: bytes | None = None) -> list[str]:
        """Returns the names of the replicas to which the command was sent; `encoded` are its bytes, where they are
        known."""
        sent = [each for each in self._replicas if each.connected and self._concerns(each, command)]
        for replica in sent:
            replica.send(command, encoded)
        return [replica.name for replica in sent]

    def _refuse(self, reason: str) -> None:
        refusal = PeekFailed(Sqlstate.ADMIN_SHUTDOWN.value, "the server is shutting down", reason)
        self._peeks.refuse(refusal)
        self._subscriptions.refuse(refusal)

    def _fail_all(self, sqlstate: Sqlstate, message: str, detail: str | None) -> None:
        failure = PeekFailed(sqlstate.value, message, detail)
        self._peeks.fail(failure)
        self._subscriptions.fail(failure)


async def _ended(replica: ReplicaConnection) -> None:
    await replica.stop()
    await replica.host.stop()


def _lost(reason: str) -> PeekFailed:
    return PeekFailed(
        Sqlstate.SYSTEM_ERROR.value,
        "the replica that ran the query was lost",
        reason,
        "The query changed nothing; it can be run again.",
    )
