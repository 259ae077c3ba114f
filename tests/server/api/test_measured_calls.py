"""What wraps consensus, blob and compute does what they do, and counts how each call ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

import pyarrow as pa
import pytest
from prometheus_client import CollectorRegistry

from compute.controller.pending import PeekRequest
from model.time.clock import SystemClock
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Constant, Finishing
from server.environment.environment import ComputeClient
from server.start.measured_calls import CallDurations, MeasuredBlob, MeasuredCompute, MeasuredConsensus
from storage.persist.location import Blob, Consensus
from tests.storage.memory import MemoryBlob, MemoryConsensus

_REQUEST = PeekRequest(Constant((), RelationDesc(())), (), Timestamp(1), Finishing((), None, None, ()), cluster=20_000)


@pytest.fixture
def durations() -> CallDurations:
    return CallDurations(SystemClock())


def _counts(durations: CallDurations, name: str) -> dict[tuple[str, str], float]:
    """How many calls a histogram has seen, by its labels."""
    registry = CollectorRegistry()
    durations.register(registry)
    return {
        (sample.labels.get("operation") or sample.labels["instance_id"], sample.labels["result"]): sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == f"{name}_count"
    }


async def test_consensus_and_blob_answer_as_before(durations: CallDurations) -> None:
    consensus: Consensus = MeasuredConsensus(MemoryConsensus(), durations)
    assert await consensus.compare_and_set({"k": None}, {"k": b"1"})
    assert not await consensus.compare_and_set({"k": None}, {"k": b"2"})
    (newest,) = (await consensus.head(["k"])).values()
    assert newest is not None and newest.data == b"1"
    assert [each.data for each in await consensus.scan("k", 1)] == [b"1"]
    assert await consensus.list_keys("") == ["k"]
    await consensus.truncate("k", 1)
    await consensus.forget(["k"])
    assert await consensus.list_keys("") == []
    blob: Blob = MeasuredBlob(MemoryBlob(), durations)
    await blob.put("a", b"x")
    assert await blob.get("a") == b"x" and await blob.list_keys("") == ["a"] and blob.uri("a")
    await blob.delete("a")
    assert await blob.get("a") is None
    assert _counts(durations, "headwater_consensus_call_seconds") == {
        ("compare_and_set", "ok"): 2,
        ("head", "ok"): 1,
        ("scan", "ok"): 1,
        ("list_keys", "ok"): 2,
        ("truncate", "ok"): 1,
        ("forget", "ok"): 1,
    }
    assert _counts(durations, "headwater_blob_call_seconds")["get", "ok"] == 2


async def test_failures_are_counted_and_raised(durations: CallDurations) -> None:
    class Failing(MemoryBlob):
        async def get(self, key: str) -> bytes | None:
            raise OSError("gone")

    blob = MeasuredBlob(Failing(), durations)
    with pytest.raises(OSError, match="gone"):
        await blob.get("a")
    assert _counts(durations, "headwater_blob_call_seconds") == {("get", "error"): 1}


class _Compute:
    """Answers peeks with two batches; of the second call on, with an error behind the first."""

    def __init__(self) -> None:
        self.closed = 0
        self.fails = False

    async def peek(self, request: Any) -> AsyncGenerator[pa.RecordBatch]:
        batch = pa.RecordBatch.from_pydict({"c0": [1]})
        try:
            yield batch
            if self.fails:
                raise ValueError("lost")
            yield batch
        finally:
            self.closed += 1


async def test_a_peek_ends_with_rows_an_error_or_its_reader(durations: CallDurations) -> None:
    compute = _Compute()
    measured = MeasuredCompute(cast(ComputeClient, compute), durations)
    assert len([batch async for batch in measured.peek(_REQUEST)]) == 2
    given_up = measured.peek(_REQUEST)
    await anext(given_up)
    await given_up.aclose()
    cancelled = measured.peek(_REQUEST)
    await anext(cancelled)
    with pytest.raises(asyncio.CancelledError):
        await cancelled.athrow(asyncio.CancelledError())
    compute.fails = True
    with pytest.raises(ValueError, match="lost"):
        [batch async for batch in measured.peek(_REQUEST)]
    assert compute.closed == 4
    assert _counts(durations, "mz_compute_peek_duration_seconds") == {
        ("20000", "rows"): 1,
        ("20000", "canceled"): 2,
        ("20000", "error"): 1,
    }
