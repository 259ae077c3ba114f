"""Rounds without Java: ticks that are computed beforehand go together, and give what they have found as members do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from compute.executors.task_done import ExportDone
from compute.maintain.wide import ExportTarget
from compute.replica.dataflows.maintained import Outputs, TickRows
from compute.replica.dataflows.together import Member, Together
from model.ids.global_id import GlobalId
from tests.compute.dataflows.mortal import Steps


class _Died(BaseException):
    """The thread of a round ends where it stands."""


class _Ended:
    """A tick that has all its answers."""

    result, failure, asked, seconds = True, None, None, 0.0

    def begin(self) -> None:
        return


class Given:
    """What a tick gives, until its round gives it on."""

    def __init__(self) -> None:
        self._rows: list[tuple[GlobalId, pa.Table]] = []
        self._errors: list[tuple[GlobalId, pa.Table]] = []

    def take(self, output: GlobalId, updates: pa.Table) -> None:
        self._rows.append((output, updates))

    def targets(self, _output: GlobalId) -> Mapping[str, ExportTarget]:
        return {}

    def adopt(self, _output: GlobalId, _done: Mapping[str, Sequence[ExportDone]]) -> None:
        raise AssertionError("a round has no tasks")

    def take_errors(self, output: GlobalId, errors: pa.Table) -> None:
        self._errors.append((output, errors))

    def give(self, outputs: Outputs) -> None:
        for output, updates in self._rows:
            outputs.take(output, updates)
        for output, errors in self._errors:
            outputs.take_errors(output, errors)


class InlineRounds:
    """What a Together needs of a worker. So many rounds have come to their end."""

    def __init__(self) -> None:
        self.ended = 0

    def run_round(self, work: Callable[[], None]) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            work()
        except _Died:
            return done
        self.ended += 1
        done.set_result(None)
        return done


async def go_in_round(together: Together, steps: Steps, given: Given, outputs: Outputs, read: TickRows) -> TickRows:
    """A tick that has read and given so much ends as one of a round's members: that is a step."""

    def end(_: object) -> TickRows:
        if not steps.survives():
            raise _Died
        given.give(outputs)
        return read

    rows = await together.go(Member(_Ended, end))  # type: ignore[arg-type]
    assert rows is not None
    return rows
