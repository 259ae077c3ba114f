"""Reports to the environment: frontiers of exports, statuses, measures.

Frontiers that only time moves are reported a few times a second, for there may be hundreds of commits in a second;
awaited frontiers are reported at once. Measures follow some seconds after work.

Failures and recoveries are logged here: a line a change, however many attempts come between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from compute.protocol.response import (
    DataflowMeasures,
    DataflowPhase,
    DataflowReport,
    DataflowStatus,
    Frontiers,
    SinkMeasures,
)
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp

PERIOD_S = 0.1
MEASURE_PERIOD_S = 2.0
_AWAITED_MAX = 100
"""Of an export. Who waits for later times than these, as readers AS OF times to come may, hears with all others."""

_REASONS_MAX = 20
"""So many reasons are logged of one trouble; more would be one reason that is told with a number of its own."""
_log = structlog.get_logger()

Report = Callable[[DataflowReport], None]


class Reporter:
    """Reports on one dataflow. `report` takes each response; `measures` returns the measures of an export, if
    available."""

    def __init__(
        self,
        ids: tuple[GlobalId, ...],
        report: Report,
        measures: Callable[[GlobalId], DataflowMeasures | SinkMeasures | None],
    ) -> None:
        self._ids = ids
        self._report = report
        self._measures = measures
        self._measuring: asyncio.TimerHandle | None = None
        self._told: dict[GlobalId, Frontiers] = {}
        self._newest: dict[GlobalId, Frontiers] = {}
        self._awaited: dict[GlobalId, set[Timestamp]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._status = (DataflowPhase.CREATED, 0, 0, "", 0, "")
        self._reasons: set[str] = set()
        """Why it does not go on, as it was logged; empty where it does."""

    @property
    def phase(self) -> DataflowPhase:
        return self._status[0]

    def awaits_any(self, before: Antichain) -> bool:
        """Returns whether a reader waits for any export at a time before `before`."""
        return any(self.awaits(id_, before) for id_ in self._awaited)

    def awaits(self, id_: GlobalId, upper: Antichain) -> bool:
        """Returns whether a reader waits for a time before `upper`."""
        return any(not upper.less_equal(time) for time in self._awaited.get(id_, ()))

    def add(self, ids: tuple[GlobalId, ...]) -> None:
        """Adds exports to report on."""
        self._ids += ids
        for id_ in ids:
            self._report(DataflowStatus(id_, *self._status))

    def take(self, other: Reporter) -> None:
        """Takes over the reports of another reporter."""
        self._told |= other._told
        self._newest |= other._newest
        self._awaited |= other._awaited
        self.add(other._ids)

    def drop(self, id_: GlobalId) -> None:
        """Stops reporting on an export; the measures of the others change, because fewer share the dataflow."""
        self._ids = tuple(each for each in self._ids if each != id_)
        self._told.pop(id_, None)
        self._newest.pop(id_, None)
        self._awaited.pop(id_, None)
        if self._ids:
            self.measure_soon()

    def finished(self, id_: GlobalId, message: str) -> None:
        """Reports that a single export has ended."""
        self.drop(id_)
        self._report(DataflowStatus(id_, DataflowPhase.FINISHED, 0, 0, message, 0))

    def expect(self, id_: GlobalId, time: Timestamp) -> None:
        """Notes that someone waits until the export is complete at `time`."""
        awaited = self._awaited.setdefault(id_, set())
        awaited.add(time)
        if len(awaited) > _AWAITED_MAX:
            awaited.remove(max(awaited))
        self._tell_awaited(id_)

    def frontiers(self, frontiers: Frontiers) -> None:
        """Takes an export's frontiers."""
        self._newest[frontiers.id] = frontiers
        self._tell_awaited(frontiers.id)
        if self._timer is None and self._told.get(frontiers.id) != frontiers:
            self._timer = asyncio.get_running_loop().call_later(PERIOD_S, self.flush)

    def status(
        self,
        phase: DataflowPhase,
        *,
        rows: int = 0,
        rows_total: int = 0,
        message: str = "",
        retries: int = 0,
        hint: str = "",
    ) -> None:
        """Reports the dataflow's status."""
        status = (phase, rows, rows_total, message, retries, hint)
        if status != self._status:
            self._status = status
            self._note(phase, message)
            for id_ in self._ids:
                self._report(DataflowStatus(id_, *status))

    def stalled(self) -> None:
        """Turns a failing status into a stalled status: the next attempt waits for a change of the inputs."""
        phase, rows, rows_total, message, retries, hint = self._status
        if phase is DataflowPhase.FAILING:
            stalled = DataflowPhase.STALLED
            self.status(stalled, rows=rows, rows_total=rows_total, message=message, retries=retries, hint=hint)

    def _note(self, phase: DataflowPhase, message: str) -> None:
        if not message or phase is DataflowPhase.FINISHED:
            if self._reasons and phase is DataflowPhase.RUNNING:
                _log.info("goes on", about=[str(id_) for id_ in self._ids])
                self._reasons.clear()
        elif message not in self._reasons and len(self._reasons) < _REASONS_MAX:
            self._reasons.add(message)
            _log.warning("does not go on", about=[str(id_) for id_ in self._ids], reason=message)

    def measure_soon(self) -> None:
        """Reports measures soon."""
        if self._measuring is None:
            self._measuring = asyncio.get_running_loop().call_later(MEASURE_PERIOD_S, self._measure)

    def _measure(self) -> None:
        self._measuring = None
        for id_ in self._ids:
            measures = self._measures(id_)
            if measures is not None:
                self._report(measures)

    def flush(self) -> None:
        """Reports everything not yet reported."""
        self._cancel_timer()
        for id_ in self._newest:
            self._tell(id_)

    def end(self) -> None:
        """Ends all delayed reports."""
        self._cancel_timer()
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell_awaited(self, id_: GlobalId) -> None:
        newest = self._newest.get(id_)
        if newest is not None and newest.upper is not None and self.awaits(id_, newest.upper):
            later = {time for time in self._awaited.pop(id_) if newest.upper.less_equal(time)}
            if later:
                self._awaited[id_] = later
            self._tell(id_)

    def _tell(self, id_: GlobalId) -> None:
        if self._told.get(id_) != self._newest[id_]:
            self._told[id_] = self._newest[id_]
            self._report(self._newest[id_])
