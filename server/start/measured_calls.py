"""Measures calls of consensus, of blob and of replicas, for /metrics: how long each took, and which failed.

Each class does what it wraps does; the durations are of what the caller waited for.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Iterator, Mapping, Sequence

import pyarrow as pa
from prometheus_client import CollectorRegistry, Histogram

from compute.controller.dataflows import DataflowController
from compute.controller.link import Host
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.controller.replica_status import ObservedReplica
from compute.protocol.dataflow import DataflowDescription
from model.time.clock import Clock
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.environment.environment import ComputeClient
from storage.persist.location import Blob, Consensus, Versioned
from storage.subscription import SubscriptionEvent

_OK, _ROWS, _FAILED, _GIVEN_UP = "ok", "rows", "error", "canceled"
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)


class CallDurations:
    """The histograms, of which a registry is told once there is one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        labels = ("operation", "result")
        self.consensus = Histogram(
            "headwater_consensus_call_seconds",
            "How long calls of consensus took.",
            labels,
            buckets=_BUCKETS,
            registry=None,
        )
        self.blob = Histogram(
            "headwater_blob_call_seconds",
            "How long calls of blob took.",
            labels,
            buckets=_BUCKETS,
            registry=None,
        )
        self.peeks = Histogram(
            "mz_compute_peek_duration_seconds",
            "From a read asked of a replica until its last row, or its end.",
            ("instance_id", "result"),
            buckets=_BUCKETS,
            registry=None,
        )

    def register(self, registry: CollectorRegistry) -> None:
        """Has scrapes find the histograms."""
        for each in (self.consensus, self.blob, self.peeks):
            registry.register(each)

    def call(self, of: Histogram, operation: str) -> contextlib.AbstractContextManager[None]:
        """Measures a call while the block runs."""
        return self._measured(of, operation, _OK)

    def peek(self, cluster: int) -> contextlib.AbstractContextManager[None]:
        """Measures a peek of a cluster while the block runs."""
        return self._measured(self.peeks, str(cluster), _ROWS)

    @contextlib.contextmanager
    def _measured(self, of: Histogram, subject: str, well: str) -> Iterator[None]:
        """Observes how long the block runs, as `well`, as failed, or as given up by its caller."""
        began_ns, result = self._clock.elapsed_ns(), _GIVEN_UP
        try:
            yield
            result = well
        except Exception:
            result = _FAILED
            raise
        finally:
            of.labels(subject, result).observe((self._clock.elapsed_ns() - began_ns) / 1e9)


class MeasuredConsensus:
    """Implements Consensus."""

    def __init__(self, consensus: Consensus, durations: CallDurations) -> None:
        self._consensus = consensus
        self._durations = durations

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        with self._durations.call(self._durations.consensus, "head"):
            return await self._consensus.head(keys)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        with self._durations.call(self._durations.consensus, "scan"):
            return await self._consensus.scan(key, from_seqno)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        with self._durations.call(self._durations.consensus, "compare_and_set"):
            return await self._consensus.compare_and_set(expected, writes)

    async def truncate(self, key: str, before_seqno: int) -> None:
        with self._durations.call(self._durations.consensus, "truncate"):
            await self._consensus.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        with self._durations.call(self._durations.consensus, "forget"):
            await self._consensus.forget(keys)

    async def list_keys(self, prefix: str) -> list[str]:
        with self._durations.call(self._durations.consensus, "list_keys"):
            return await self._consensus.list_keys(prefix)

    async def close(self) -> None:
        await self._consensus.close()


class MeasuredBlob:
    """Implements Blob."""

    def __init__(self, blob: Blob, durations: CallDurations) -> None:
        self._blob = blob
        self._durations = durations

    async def put(self, key: str, data: bytes) -> None:
        with self._durations.call(self._durations.blob, "put"):
            await self._blob.put(key, data)

    async def get(self, key: str) -> bytes | None:
        with self._durations.call(self._durations.blob, "get"):
            return await self._blob.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        with self._durations.call(self._durations.blob, "read"):
            return self._blob.read(key, ranges)

    async def delete(self, key: str) -> None:
        with self._durations.call(self._durations.blob, "delete"):
            await self._blob.delete(key)

    async def list_keys(self, prefix: str) -> list[str]:
        with self._durations.call(self._durations.blob, "list_keys"):
            return await self._blob.list_keys(prefix)

    def uri(self, key: str) -> str:
        return self._blob.uri(key)

    async def close(self) -> None:
        await self._blob.close()


class MeasuredCompute:
    """Implements ComputeClient: peeks are measured until their last row."""

    def __init__(self, compute: ComputeClient, durations: CallDurations) -> None:
        self._compute = compute
        self._durations = durations

    async def start(self) -> None:
        await self._compute.start()

    @property
    def dataflows(self) -> DataflowController:
        return self._compute.dataflows

    async def peek(self, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        with self._durations.peek(request.cluster):
            async with contextlib.aclosing(self._compute.peek(request)) as batches:
                async for batch in batches:
                    yield batch

    async def peek_index(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        with self._durations.peek(self.dataflows.cluster_of(request.index)):
            async with contextlib.aclosing(self._compute.peek_index(request)) as batches:
                async for batch in batches:
                    yield batch

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None:
        with self._durations.peek(self.dataflows.cluster_of(request.index)):
            return await self._compute.look_up(request, desc)

    def subscribe(self, description: DataflowDescription, cluster: int) -> AsyncGenerator[SubscriptionEvent]:
        return self._compute.subscribe(description, cluster)

    def leading(self) -> tuple[ObservedReplica, ...]:
        return self._compute.leading()

    def statuses(self) -> tuple[ObservedReplica, ...]:
        return self._compute.statuses()

    def add_cluster(self, cluster: int) -> None:
        self._compute.add_cluster(cluster)

    def remove_cluster(self, cluster: int) -> None:
        self._compute.remove_cluster(cluster)

    def add_replica(self, cluster: int, name: str, host: Host) -> None:
        self._compute.add_replica(cluster, name, host)

    def remove_replica(self, cluster: int, name: str) -> Awaitable[None]:
        return self._compute.remove_replica(cluster, name)

    def configure(self, cluster: int, parameters: dict[str, str]) -> None:
        self._compute.configure(cluster, parameters)

    async def stop(self, *, leave_replica: bool = False) -> None:
        await self._compute.stop(leave_replica=leave_replica)
