"""Large views by tasks of Spark: the memory of their hydration, two executors over one, large ticks, small ticks beside
them; and lookups in state of which a quarter fits into the cache. Each in processes of its own."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.report import Measure
from compute.arrangement.arrangement import Arrangement
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.states import BlobStates
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.layout import Layout
from model.time.clock import SystemRandomness
from storage.persist.files import FileBlob
from storage.persist.open import open_consensus
from storage.persist.row_hash import row_hash

_MIB_MAX = 1024
_STEP_S = 0.3
_INSERTED = 500_000
_LOOKUPS = 400
_LAYOUT = Layout((pa.int64(),), (pa.int64(),))


def measure_wide_ticks(hydrated: int, ticked: int, changes: int) -> Iterator[Measure]:
    """Hydrates `hydrated` rows; lets `changes` follow on `ticked` rows, on one executor and on two."""
    for case in ("group-by", "join", "top-3"):
        (took,) = _told(case, hydrated, "0", executors=2)
        name = f"{case}, {hydrated:,} rows hydrated by tasks"
        yield Measure(f"{name}: the replica's Python", took["python MiB"], "MiB", _MIB_MAX, at_least=False)
        yield Measure(f"{name}: its Java", took["java MiB"], "MiB", _MIB_MAX, at_least=False)
        yield Measure(f"{name}: all of it", took["seconds"], "s")
        yield Measure(f"{name}: the replica's Python, processor", took["processor seconds"]["python"], "s")
    for case in ("group-by", "join"):
        one, two = (_told(case, ticked, str(changes), executors=number) for number in (1, 2))
        name = f"{case}, two executors over one"
        yield Measure(f"{name}: {ticked:,} rows hydrated", one[0]["seconds"] / two[0]["seconds"], "times", 1.6)
        slow, fast = (statistics.median(_wide(each, "seconds")) for each in (one, two))
        yield Measure(f"{name}: ticks of {changes:,}", slow / fast, "times", 1.6)
        kernels = statistics.median(_wide(two, "task seconds"))
        name = f"{case}, a tick of {changes:,} changes by tasks"
        yield Measure(name, fast, "s", 1.5 * kernels + _STEP_S, at_least=False, note=f"tasks took {kernels:.1f} s")


def measure_small_ticks(rows: int) -> Iterator[Measure]:
    """Small ticks beside large ones, over themselves alone."""
    for took in _hydration(rows, "beside", [], {}):
        for percent, target in (("p50", None), ("p99", 3.0)):
            ratio = took["beside ms"][percent] / took["alone ms"][percent]
            name = f"ticks of {took['rows']} rows beside a view's wide ticks, over quiet: {percent}"
            yield Measure(name, ratio, "times", target, at_least=False)


def _told(case: str, rows: int, changes: str, executors: int) -> list[dict[str, Any]]:
    return _hydration(rows, changes, [case], {"EXECUTORS": str(executors)})


def _hydration(rows: int, changes: str, cases: list[str], options: dict[str, str]) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "benchmarks.by_tasks.hydration", str(rows), changes, *cases]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **options}).stdout
    return [json.loads(line[line.index("{") :]) for line in told.splitlines() if line.endswith("}")]


def _wide(ticks: list[dict[str, Any]], name: str) -> list[float]:
    return [each[name] for each in ticks[1:] if each["tick"] == "wide"]


def measure_cold_lookups(rows: int) -> Iterator[Measure]:
    """Keys looked up one by one in a state in blob of which a quarter fits into the cache, over a state on the disk."""
    with tempfile.TemporaryDirectory(prefix="lookups-") as name:
        place = Path(name)
        local = _filled(local_store(place / "local"), rows)
        size = local.size.bytes
        consensus = f"sqlite:///{place}/consensus.sqlite"
        blob = BlobStates(
            "r1",
            lambda: (open_consensus(consensus), FileBlob(place / "blob")),
            dict,
            BlockCache(place / "cache", size // 4),
            SystemRandomness(),
        )
        remote = _filled(blob.store("state"), rows)
        _looked((local, remote), 1, _LOOKUPS)  # what is used for the first time is compared with checksums
        for keys, times in ((1, 3 * _LOOKUPS), (10, _LOOKUPS), (1_000, 10)):
            (near, near_cpu), (far, far_cpu) = _looked((local, remote), keys, times)
            name = f"{keys:,} keys of {rows:,}" if keys > 1 else f"a key of {rows:,}"
            yield Measure(f"{name}, on the disk: p50", near, "ms", note=f"processor {near_cpu:.2f} ms")
            yield Measure(f"{name}, a quarter in the cache: p50", far, "ms", note=f"processor {far_cpu:.2f} ms")
            target = 2.0 if keys == 1 else None
            yield Measure(
                f"{name}, a quarter in the cache over all on the disk", far / near, "times", target, at_least=False
            )
        blob.close()


def _filled(store: ArrangementStore, rows: int) -> Arrangement:
    arrangement = store.arrangement(_LAYOUT)
    for first in range(0, rows, _INSERTED):
        keys = np.arange(first, min(first + _INSERTED, rows))
        count = len(keys)
        columns = [row_hash([pa.array(keys)], count), keys, keys * 3, np.full(count, 5), np.ones(count, np.int64)]
        arrangement.insert(pa.table([pa.array(column) for column in columns], schema=_LAYOUT.schema))
        arrangement.seal()
    store.checkpoint("lookups", 6, {"rows": 5}, {"rows": arrangement})
    return arrangement


def _looked(arrangements: Sequence[Arrangement], keys: int, times: int) -> list[tuple[float, float]]:
    """Looks up the same keys in each arrangement by turns. Returns the medians of a lookup's milliseconds: elapsed, and
    the processor's."""
    numbers, rows = np.random.default_rng(keys * times), arrangements[0].size.rows
    took: list[list[tuple[float, float]]] = [[] for _ in arrangements]
    for _ in range(times):
        wanted = pa.array(numbers.integers(0, rows, keys))
        probes = pa.table({"h": pa.array(row_hash([wanted], keys)), "k0": wanted})
        for arrangement, each in zip(arrangements, took, strict=True):
            before, begun = time.perf_counter(), time.process_time()
            assert arrangement.lookup(probes, provisional=False).rows.num_rows == keys
            each.append((time.perf_counter() - before, time.process_time() - begun))
    return [
        (1000 * statistics.median(one for one, _ in each), 1000 * statistics.median(two for _, two in each))
        for each in took
    ]
