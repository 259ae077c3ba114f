"""At which time a read happens, and why: a pure function (source: seed 2, "Timelines", rules 1 to 4).

strict serializable      t = max(since of all inputs, oracle's read_ts); the read waits until every upper passes t
max_staleness d          t = the greatest complete time (min of uppers, minus 1), at least read_ts - d and since
AS OF t                  exactly t, or an error when t is before a since
AS OF AT LEAST t         max(t, since, read_ts): as fresh as a read without it, and never before t
"""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp, step_back


@dataclass(frozen=True, slots=True)
class InputFrontiers:
    """One collection that a read needs; `name` is the user's name for the collection."""

    name: str
    since: Antichain
    upper: Antichain


@dataclass(frozen=True, slots=True)
class AsOfTime:
    time: Timestamp
    at_least: bool


@dataclass(frozen=True, slots=True)
class TimestampQuestion:
    """The question at which time to read. `read_ts` is the oracle's time, asked for after the statement arrived and
    after its read holds were taken."""

    inputs: tuple[InputFrontiers, ...]
    read_ts: Timestamp
    as_of: AsOfTime | None = None
    max_staleness_ms: int | None = None


@dataclass(frozen=True, slots=True)
class TimestampAnswer:
    """The chosen time. `reasons` has a line for each bound that counted, in the order of application."""

    timestamp: Timestamp
    read_ts: Timestamp
    complete: bool
    since: Antichain
    upper: Antichain
    reasons: tuple[str, ...]


def _since_of(inputs: tuple[InputFrontiers, ...]) -> Antichain:
    since = Antichain.at(TIMESTAMP_MIN)
    for each in inputs:
        since = since.join(each.since)
    return since


def _upper_of(inputs: tuple[InputFrontiers, ...]) -> Antichain:
    upper = Antichain(None)
    for each in inputs:
        upper = upper.meet(each.upper)
    return upper


def _readable(inputs: tuple[InputFrontiers, ...]) -> Timestamp:
    """Returns the least time at which all inputs are readable; raises SqlError when an input will never be readable
    again."""
    for each in inputs:
        if each.since.empty:
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'"{each.name}" can no longer be read')
    since = _since_of(inputs).time
    assert since is not None
    return since


def select_timestamp(question: TimestampQuestion) -> TimestampAnswer:
    """Chooses the time of a read. Raises SqlError 22023 for an impossible AS OF, 40001 for an impossible staleness."""
    least = _readable(question.inputs)
    upper = _upper_of(question.inputs)
    reasons = [f"inputs can be read from {least}"]
    if question.as_of is not None:
        timestamp = _as_of(question.as_of, question, least, reasons)
    elif question.max_staleness_ms is not None:
        timestamp = _bounded(question.max_staleness_ms, question.read_ts, least, upper, reasons)
    else:
        timestamp = Timestamp(max(least, question.read_ts))
        reasons.append(f"strict serializable: the oracle's read timestamp is {question.read_ts}")
    complete = not upper.less_equal(timestamp)
    reasons.append(
        f"inputs are complete before {upper}"
        if complete
        else f"inputs are complete only before {upper}: the read waits"
    )
    return TimestampAnswer(timestamp, question.read_ts, complete, _since_of(question.inputs), upper, tuple(reasons))


def _as_of(as_of: AsOfTime, question: TimestampQuestion, least: Timestamp, reasons: list[str]) -> Timestamp:
    if as_of.at_least:
        reasons.append(f"AS OF AT LEAST {as_of.time}; the oracle's read timestamp is {question.read_ts}")
        return Timestamp(max(as_of.time, least, question.read_ts))
    if as_of.time < least:
        latest = max(question.inputs, key=lambda each: each.since.time or TIMESTAMP_MIN)
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f"Timestamp ({as_of.time}) is not valid for all inputs: "
            f'"{latest.name}" can be read from {latest.since.time}',
            detail=f"The since of {latest.name} is {latest.since.time}; history before it has been compacted.",
            hint="Read at or after the since, or give the table a longer RETAIN HISTORY.",
        )
    reasons.append(f"AS OF {as_of.time}")
    return as_of.time


def _bounded(
    staleness_ms: int, read_ts: Timestamp, least: Timestamp, upper: Antichain, reasons: list[str]
) -> Timestamp:
    freshest = read_ts if upper.time is None else step_back(max(upper.time, Timestamp(1)))
    reasons.append(f"max_staleness {staleness_ms} ms: the freshest complete time is {freshest}")
    bound = max(least, read_ts - staleness_ms)
    if freshest < bound:
        raise SqlError(
            Sqlstate.SERIALIZATION_FAILURE,
            f"could not find a complete timestamp within max_staleness: inputs are {read_ts - freshest} ms behind",
            hint="Raise max_staleness, or reset it to wait for the inputs.",
        )
    return freshest
