"""Decides how soon a dataflow is to go on, by who reads it."""

from __future__ import annotations

import asyncio

from compute.replica.dataflows.exports.subscribe_sink import SubscribeSink
from compute.replica.dataflows.opening import OpenedDataflow
from compute.replica.running.reporter import Reporter
from compute.replica.running.watch import Watch
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp

_ATTENTION_S = 10.0
"""Who has been read is kept at the present for so long: it may be read again."""

_SOON_MS = 10_000
"""Further ahead of what is known of the timeline no read is but one that says so."""


class Attention:
    """The readers of one dataflow, which the watch knows by `number`."""

    def __init__(self, watch: Watch, reporter: Reporter) -> None:
        self._watch = watch
        self._reporter = reporter
        self._read_until_s = 0.0

    def note_reader(self) -> None:
        """Notes that the dataflow is being read now."""
        self._read_until_s = asyncio.get_running_loop().time() + _ATTENTION_S

    def take(self, other: Attention) -> None:
        """Takes over the readers of another dataflow."""
        self._read_until_s = max(self._read_until_s, other._read_until_s)

    def awaited(self, number: int, opened: OpenedDataflow) -> bool:
        """Returns whether a reader waits for the results of the next ticks."""
        return self._reporter.awaits_any(self._soon) or self._feeds(number, opened)

    def soon(self, time: Timestamp) -> bool:
        """Returns whether the next ticks may reach `time`; false for a read AS OF a time to come."""
        return not self._soon.less_equal(time)

    @property
    def _soon(self) -> Antichain:
        upper = self._watch.timeline_upper.time
        return EMPTY if upper is None else Antichain(Timestamp(min(upper + _SOON_MS, TIMESTAMP_MAX)))

    def tell(self, number: int, opened: OpenedDataflow) -> None:
        """Tells the watch how soon to report news to the dataflow."""
        feeds = self._feeds(number, opened)
        attends = feeds or self._watch.attended(number) or self._attends(opened)
        self._watch.attend(number, attends=attends, first=feeds)

    def _feeds(self, number: int, opened: OpenedDataflow) -> bool:
        """Returns whether a SUBSCRIBE or a sink takes the results, directly or through other dataflows."""
        return self._watch.feeds(number) or bool(opened.exports.of(SubscribeSink))

    def _attends(self, opened: OpenedDataflow) -> bool:
        """Returns whether the passing of time matters soon for another reason."""
        return (
            not (opened.hydrated and opened.settled and opened.description.until.empty)
            or asyncio.get_running_loop().time() < self._read_until_s
            or opened.maintained.next_due() is not None
        )
