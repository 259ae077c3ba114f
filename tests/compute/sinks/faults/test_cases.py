"""A fault between runtime and driver loses nothing and doubles nothing, and a driver with a defect is seen by it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from compute.replica.sinks import input_updates, sink_runner
from connectors.sinks.ordering import Ordering
from tests.compute.sinks.faults.cases import CASES, Case
from tests.compute.sinks.faults.defects import (
    AcknowledgesTwice,
    CommitsTwice,
    FlushesBeforeFlush,
    LoadsBeforeAcknowledged,
    LoadsTwice,
    LoadsWhatNobodyAskedFor,
    Sound,
    SpeaksWhileStoring,
)
from tests.compute.sinks.faults.kinds import KINDS, reached
from tests.compute.sinks.faults.trial import Trial, tried
from tests.kafka_broker import run_broker

_names = itertools.count()
broker = pytest.fixture(scope="module")(run_broker)


OUT_OF_TURN = {
    LoadsBeforeAcknowledged: "said Loaded, where Acknowledged was to come",
    FlushesBeforeFlush: "said Flushed, where Loaded was to come",
    AcknowledgesTwice: "said Acknowledged, where Loaded was to come",
    SpeaksWhileStoring: "said Flushed, where nothing was to come",
    CommitsTwice: "said StartedCommit, where Acknowledged was to come",
    LoadsTwice: "loaded a document that has come before",
    LoadsWhatNobodyAskedFor: "loaded a document that was not asked for",
}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction takes several messages, and several files; ended sessions are not waited for."""
    for module in (input_updates, sink_runner):
        monkeypatch.setattr(module, "STORE_ROWS", 2)
    monkeypatch.setattr("connectors.sinks.drivers.kafka._ABORT_S", 0.2)
    monkeypatch.setattr("connectors.sinks.drivers.sqlite._BUSY_S", 0.2)


def _run(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest, defect: type[Sound], ranges: int = 1
) -> None:
    with reached(kind, tmp_path, request) as destination:
        tried(KINDS[kind], destination, f"faults-{next(_names)}", case.work, defect, parallelism=ranges)


@pytest.mark.parametrize(
    ("case", "kind"),
    [pytest.param(case, kind, id=f"{case.number}-{kind}") for case in CASES for kind in case.kinds],
)
def test_a_fault_loses_nothing_and_doubles_nothing(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _run(case, kind, tmp_path, request, Sound)


async def _ends_its_session(trial: Trial, said: str) -> None:
    """What was there before stays, and the log is where it was."""
    life = trial.live()
    await trial.settled()
    before, position = trial.found(), life.conversation.position
    await trial.transfer()
    await trial.until(lambda: life.was_told(said))
    assert life.conversation.position == position
    assert trial.found() == before


@pytest.mark.fault(30)
@pytest.mark.parametrize("defect", OUT_OF_TURN, ids=lambda defect: defect.__name__)
@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_what_is_said_out_of_turn_ends_the_session(
    defect: type[Sound], kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async def work(trial: Trial) -> None:
        if defect is CommitsTwice:
            return await _commits_twice(trial)
        await _ends_its_session(trial, OUT_OF_TURN[defect])

    with reached(kind, tmp_path, request) as destination:
        tried(KINDS[kind], destination, f"faults-{next(_names)}", work, defect, goes_on=False)


async def _commits_twice(trial: Trial) -> None:
    """The commit itself was right; what follows it is not believed."""
    life = trial.live()
    await trial.settled()
    await trial.transfer()
    await trial.until(lambda: life.was_told(OUT_OF_TURN[CommitsTwice]))
    trial.look()
    assert trial.witnessed == []


def test_a_runtime_that_believes_all_is_seen(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ordering, "responded", lambda ordering, response: None)
    monkeypatch.setattr(Ordering, "requested", lambda ordering, request: None)
    for defect in (AcknowledgesTwice, SpeaksWhileStoring):
        with pytest.raises(AssertionError):
            test_what_is_said_out_of_turn_ends_the_session(defect, "sqlite", tmp_path, request)


@pytest.mark.parametrize(
    ("case", "kind"),
    [pytest.param(case, kind, id=f"{case.number}-{kind}") for case in CASES for kind in case.seen_on],
)
def test_a_driver_with_a_defect_is_seen(case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with pytest.raises(AssertionError):
        _run(case, kind, tmp_path, request, case.defect)


_RANGES = 3


def _in_ranges(kinds: Callable[[Case], tuple[str, ...]]) -> pytest.MarkDecorator:
    params = ((case, kind) for case in CASES for kind in case.ranged(kinds(case)))
    return pytest.mark.parametrize(
        ("case", "kind"), [pytest.param(case, kind, id=f"{case.number}-{kind}") for case, kind in params]
    )


@_in_ranges(lambda case: case.kinds)
def test_a_fault_in_ranges_loses_nothing_and_doubles_nothing(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _run(case, kind, tmp_path, request, Sound, _RANGES)


@_in_ranges(lambda case: case.seen_on)
def test_a_driver_with_a_defect_is_seen_in_ranges(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(AssertionError):
        _run(case, kind, tmp_path, request, case.defect, _RANGES)
