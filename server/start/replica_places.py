"""Where the replicas of a server run: as processes beside it, each in a folder of its own in the data directory, or at
an address, where somebody else has started them.

r1                         the data directory itself
r2, r3, … of the options   replicas/r2, replicas/r3, …
of SQL                     replicas/<oid>

Replicas of a standby that run beside the leader's replicas have `beside/<name>` in place of the data directory. Once
the standby leads, the file `replicas-at` names the place, and the next standby uses the other place.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import structlog

from catalog.nouns.clusters import ClusterReplica
from compute.arrangement.blob.states import forget_replica, replicas_with_states
from compute.controller.address import AddressHost
from compute.controller.link import Host
from compute.controller.process import ProcessHost, ProcessOptions
from compute.directory_lock import holder_of
from compute.protocol.siblings import ARRANGEMENTS, StatesPlace
from compute.protocol.vocabulary import VERSION
from model.errors.sql_error import SqlError
from model.time.clock import Clock, Randomness
from server.options import ServeOptions
from storage.persist.location import Blob, Consensus, Indeterminate
from timeline.lease import LeaderPlace

log = structlog.get_logger()

BESIDE = "beside"
"""The folder of replicas that run beside those of a leader in the same data directory."""
_CHOSEN = "replicas-at"
_NAME_LENGTH = 8


class ReplicaProcesses:
    """Implements ReplicaPlaces. `at` is the place's name; empty: the data directory itself."""

    def __init__(
        self,
        options: ServeOptions,
        consensus: Consensus,
        blob: Blob,
        clock: Clock,
        randomness: Randomness,
        at: str = "",
    ) -> None:
        self.at = at
        self._options = options
        self._consensus = consensus
        self._blob = blob
        self._clock = clock
        self._randomness = randomness
        self._base = options.data_dir / BESIDE / at if at else options.data_dir
        self._folder = self._base / "replicas"

    @property
    def place(self) -> LeaderPlace:
        """Returns the place for the lease's record."""
        if self._options.replica is not None:
            return LeaderPlace("", self._options.replica, VERSION)
        folder = str(self._base.absolute())
        return LeaderPlace(socket.gethostname(), folder, VERSION, self._in_blob(""))

    def chosen(self) -> ReplicaProcesses:
        """Returns the recorded place of the data directory's replicas. Raises OSError."""
        return self._at(chosen_place(self._options.data_dir))

    def _at(self, at: str) -> ReplicaProcesses:
        return ReplicaProcesses(self._options, self._consensus, self._blob, self._clock, self._randomness, at)

    def other(self) -> ReplicaProcesses:
        """Returns the other place of the data directory."""
        others = [each.name for each in (self._options.data_dir / BESIDE).glob("*") if each.is_dir()]
        return self._at("" if self.at else next(iter(sorted(others)), self._randomness.token()[:_NAME_LENGTH]))

    def choose(self) -> None:
        """Records the place as the data directory's. Raises OSError."""
        path = self._options.data_dir / _CHOSEN
        temporary = path.with_suffix(".temporary")
        temporary.write_text(self.at)
        temporary.replace(path)

    async def end(self, replicas: Iterable[ClusterReplica]) -> None:
        """Ends all replica processes left in the place. Raises ReplicaUnavailable."""
        hosts = [*self.given().values(), *(self.host(each) for each in replicas if not each.given)]
        for host in hosts:
            if isinstance(host, ProcessHost):
                await host.end_recorded()

    def _in_blob(self, name: str) -> str:
        return f"{self.at}-{name}" if self.at else name

    def given(self) -> dict[str, Host]:
        """Returns where each replica of the options runs, by its name. The first one has the data directory itself, as
        it had alone."""
        options = self._options
        if options.replica is not None:
            return {"r1": self._elsewhere(options.replica)}
        names = [f"r{number}" for number in range(1, options.replicas + 1)]
        return {name: self._process(name, self._base if name == "r1" else self._folder / name) for name in names}

    def host(self, replica: ClusterReplica) -> Host:
        if replica.address is not None:
            return self._elsewhere(replica.address)
        return self._process(replica.id, self._folder / replica.id, replica)

    def _elsewhere(self, address: str) -> AddressHost:
        authorities = None if address.startswith("unix:") else self._options.replica_ca
        return AddressHost(address, self._options.replica_secret.get_secret_value(), authorities)

    def _process(self, name: str, data_dir: Path, replica: ClusterReplica | None = None) -> ProcessHost:
        options = self._options
        process = ProcessOptions(
            data_dir=data_dir,
            master=(None if replica is None else replica.master) or options.spark_master,
            memory=(None if replica is None else replica.memory) or options.replica_memory,
            executor_memory=options.executor_memory,
            wait_s=options.replica_grace_ms / 1000,
            warm_up=options.warm_up,
            state_in_blob=self._in_blob(name) if options.replica_state == "blob" else None,
            state_cache_bytes=options.replica_state_cache_bytes,
        )
        return ProcessHost(process, self._clock, self._randomness)

    async def clear(self, replica: ClusterReplica) -> None:
        await asyncio.to_thread(_remove, self._folder / replica.id)
        await self._forget([replica.id])

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        """Removes the places of dropped replicas, except a place whose process still runs: the process ends by itself,
        because no controller speaks to it.
        """
        try:
            found = await asyncio.to_thread(lambda: list(_left(self._folder, {each.id for each in kept})))
        except OSError as error:
            log.warning("what dropped replicas have left can't be looked for", reason=str(error))
            return
        for left in found:
            log.info("what a dropped replica has left is removed", folder=str(left))
            await asyncio.to_thread(_remove, left)
        if self._options.replica_state == "blob":
            try:
                known = await replicas_with_states(self._consensus)
            except (OSError, Indeterminate, SqlError) as error:
                log.warning("what dropped replicas have left in blob can't be looked for", reason=str(error))
                return
            kept_ids = {each.id for each in kept}
            gone = {each for each in known if each.isdecimal() and each not in kept_ids}
            await self._forget(sorted(each for each in gone if holder_of(self._folder / each) is None))

    async def _forget(self, replicas: Sequence[str]) -> None:
        """Removes the states in blob of replicas that are no more, as far as possible."""
        for replica in replicas if self._options.replica_state == "blob" else ():
            try:
                await forget_replica(self._consensus, self._blob, replica)
            except (OSError, Indeterminate, SqlError) as error:
                log.warning("a dropped replica's state stays in blob", replica=replica, reason=str(error))


def chosen_place(data_dir: Path) -> str:
    """Returns the name of the recorded place in a data directory; empty: the directory itself."""
    try:
        return (data_dir / _CHOSEN).read_text().strip()
    except FileNotFoundError:
        return ""


def states_of(leader: LeaderPlace, names: Iterable[str]) -> dict[str, StatesPlace]:
    """Returns the places of states of a leader's replicas; `names` are names of given replicas, and ids of others."""
    if not leader.host:
        return {}
    found: dict[str, StatesPlace] = {}
    for name in names:
        folder = Path(leader.folder) if name == "r1" else Path(leader.folder) / "replicas" / name
        found[f"the leader's {name}"] = StatesPlace(str(folder / ARRANGEMENTS))
    return found


def _left(folder: Path, kept: set[str]) -> Iterator[Path]:
    """Yields the folders of replicas that are no more."""
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.name.isdecimal() and each.name not in kept and holder_of(each) is None:
            yield each


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
