"""An instance: opened locations of data, with the peeks and dataflows over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.key_door import KeyDoor
from compute.arrangement.blob.remote_place import RemoteBlob
from compute.arrangement.blob.states import BlobStates
from compute.protocol.command import CreateInstance
from compute.protocol.siblings import StatesPlace
from compute.replica.dataflows.on_spark import SparkMaintenance
from compute.replica.dataflows.states import LocalStates, Moved, States, StatesInBlob
from compute.replica.ingestions.ranges.ahead import RangeBounds
from compute.replica.ingestions.ranges.spark_ranges import SparkRanges
from compute.replica.peeks.arranged import ArrangedInputs
from compute.replica.peeks.peek import Peeks, Rendering
from compute.replica.running.places import Fencing, Places
from compute.replica.running.worker import SparkWorker
from compute.replica.tasks.dataflows import Dataflows
from compute.replica.tasks.events import Event
from compute.spark.session import range_tasks_max
from model.time.clock import SystemClock, SystemRandomness
from storage.persist.location import Blob, Consensus
from storage.persist.open import access_of, open_blob, open_consensus
from storage.persist.runner import ThreadRunner
from storage.persist.write import Stage

_THREADS = 4


@dataclass(frozen=True, slots=True)
class BlobKeeping:
    """The way in which states are kept in blob: below `name`, with copies of `cache_bytes` at most in `cache`. `moved`
    is called when another process has taken them over."""

    name: str
    cache: Path
    cache_bytes: int
    moved: Moved


class OpenedInstance:
    """An opened instance. `arrangements` is for state of dataflows unless it is kept in blob, `copies` for copies of
    sources; files in `directory` are useless to later processes."""

    def __init__(
        self,
        instance: CreateInstance,
        on: Callable[[Event], None],
        rendering: Rendering,
        arrangements: Path,
        copies: Path,
        directory: Path,
        keeping: BlobKeeping | None,
    ) -> None:
        self.directory = directory
        self._rendering = rendering
        self._fencing = Fencing(dict(instance.preconditions))
        clock, randomness, runner = SystemClock(), SystemRandomness(), ThreadRunner(_THREADS)
        consensus, blob = open_consensus(instance.consensus_url), open_blob(instance.blob_url)
        stage = Stage(blob, clock, randomness, runner)
        remote = _remote(instance.blob_url)
        own = (consensus, blob, stage, self._fencing, clock, randomness, runner, directory, copies)
        self._places = Places(*own, remote)
        scratch = directory / "dataflows"
        scratch.mkdir(parents=True, exist_ok=True)
        self._states = self._open_states(instance, arrangements, keeping)
        self._maintenance = SparkMaintenance(self._places, arrangements, self._states, scratch)
        self._ranges = SparkRanges(instance.blob_url)
        ranging = (self._ranges, RangeBounds(at_once=range_tasks_max()))
        self.dataflows = Dataflows(self._places, instance.timeline, self._maintenance, on, ranging=ranging)

    def _open_states(self, instance: CreateInstance, arrangements: Path, keeping: BlobKeeping | None) -> States:
        if keeping is None:
            return LocalStates(arrangements)

        def open_places() -> tuple[Consensus, Blob]:
            return open_consensus(instance.consensus_url), open_blob(instance.blob_url)

        cache = BlockCache(keeping.cache, keeping.cache_bytes)
        fence, randomness = (lambda: self._fencing.preconditions), self._places.randomness
        blob = BlobStates(keeping.name, open_places, fence, cache, randomness, instance.blob_url)
        return StatesInBlob(blob, keeping.moved)

    def fence(self, instance: CreateInstance) -> None:
        """Writes have the fence of a newer environment from now on."""
        self._fencing.replace(dict(instance.preconditions))

    def know_siblings(self, siblings: Mapping[str, StatesPlace]) -> None:
        """Notes where all replicas of the cluster keep states."""
        self._states.know_siblings(siblings)

    def worker_ready(self, worker: SparkWorker) -> Peeks:
        """Starts whatever waited for Spark: dataflows go on, and peeks can be answered."""
        self._maintenance.worker_ready(worker)
        self._ranges.worker_ready(worker)
        places = self._places
        arranged = ArrangedInputs(self.dataflows, self.directory, worker)
        return Peeks(worker, self._rendering, places.consensus, places.blob, arranged, self.directory, places.clock)


def _remote(url: str) -> RemoteBlob:
    """Returns blob as tasks reach it: this process's keys, where it has any, they are told at a door."""
    return RemoteBlob(url, None if access_of(url) is None else KeyDoor(lambda: access_of(url)).ticket)
