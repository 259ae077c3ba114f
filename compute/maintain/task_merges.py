"""The merges of a dataflow's batches that tasks do, beside its ticks.

    seal of a tick that had tasks ─▶ a large merge is due ─▶ awaited: its batches are read on
        P tasks, each with the files that may have hashes of its partition ─▶ P files = one batch ─▶ in their place

A merge changes no contents, so its commit is that of the next checkpoint: the manifest that names the new files in
place of the old ones. Until then a crash leaves the old ones. Of the attempts at a partition one counts, as in a wide
step; what others wrote is named by nobody, and is garbage once the store expects no more of the merge's token. A
process that does not own the state any more writes files, and its manifest is refused.

What tasks have failed at is merged by this process after all, beside its next ticks.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.merge import AwaitedMerge
from compute.arrangement.partition import files_by_partition
from compute.arrangement.stores import BatchPlace, BatchStore, open_batch
from compute.executors.step_task import StepTask, TaskMerge
from compute.executors.task_done import StepDone
from compute.executors.task_pool import counted
from compute.maintain.wide import WideSteps
from model.time.clock import SystemRandomness

_log = structlog.get_logger("dataflows")


@dataclass(frozen=True, slots=True, eq=False)
class _Due:
    name: str
    arrangement: Arrangement
    merge: AwaitedMerge


def merges_due(arrangements: Mapping[str, Arrangement]) -> bool:
    """Returns whether any arrangement awaits a merge."""
    return any(each.awaits_merge for each in arrangements.values())


def merge_by_tasks(steps: WideSteps, arrangements: Mapping[str, Arrangement], scratch: Path) -> None:
    """Does one awaited merge of each arrangement. Ticks of the dataflow may go on in another thread; one call at a
    time. `scratch` is a directory that nobody else empties.

    Raises what ended the tasks, LostTask, OSError: then what was awaited is merged beside later seals.
    """
    stores: dict[int, list[_Due]] = {}
    for name, arrangement in arrangements.items():
        merge = arrangement.begin_merge()
        if merge is not None:
            stores.setdefault(id(arrangement.store), []).append(_Due(name, arrangement, merge))
    left = [each for due in stores.values() for each in due]
    try:
        for due in stores.values():
            merged = _merged_in_store(steps, due, scratch)
            for each, batch in zip(due, merged, strict=True):
                each.arrangement.end_merge(each.merge, batch)
                left.remove(each)
    finally:
        for each in left:
            each.arrangement.end_merge(each.merge, None)


def _merged_in_store(steps: WideSteps, due: list[_Due], scratch: Path) -> list[ArrangementBatch]:
    """Merges batches whose files lie in one store; returns what has come of each merge."""
    store = due[0].arrangement.store
    assert store is not None and store.elsewhere is not None, "tasks have written there"
    token = SystemRandomness().token()
    exchange = scratch / f"merge-{token}"
    exchange.mkdir(parents=True)
    store.expect(token)
    try:
        done = _answers(steps, due, store.elsewhere, token, exchange)
        return [_batch(store, each, done) for each in due]
    except BaseException:
        # Before their files: a task that still writes finds that nobody wants it, and removes its own.
        shutil.rmtree(exchange, ignore_errors=True)
        store.elsewhere.remove(token)
        raise
    finally:
        shutil.rmtree(exchange, ignore_errors=True)
        store.expect_no_more(token)


def _answers(steps: WideSteps, due: list[_Due], place: BatchPlace, token: str, exchange: Path) -> list[StepDone]:
    partitions = steps.partitions()
    merges = tuple(_task_merge(each, partitions) for each in due)
    few = steps.merges.few_bytes
    task = StepTask(token, partitions, place, str(exchange), None, merges=merges, few_bytes=few)
    done = counted(partitions, steps.pool.run(task, None))
    rows = sum(each.merge.rows for each in due)
    tasks = sum(each.in_task for each in done)
    seconds = round(sum(each.seconds for each in done), 3)
    _log.info("batches were merged", rows=rows, arrangements=len(due), tasks=tasks, task_seconds=seconds)
    return done


def _task_merge(due: _Due, partitions: int) -> TaskMerge:
    due.arrangement.file_batches()
    merge = due.merge
    files = files_by_partition(merge.inputs, partitions)
    return TaskMerge(due.name, due.arrangement.layout, merge.since, merge.dropped_below, files)


def _batch(store: BatchStore, due: _Due, done: list[StepDone]) -> ArrangementBatch:
    files = [each.files[due.name] for each in done if due.name in each.files]
    return ArrangementBatch.joined(open_batch(store, due.arrangement.layout, [file]) for file in files)
