"""What a driver says out of turn ends its session, and nothing of it is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.sinks.ordering import Ordering
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
from tests.compute.sinks.faults.kinds import KINDS, next_name, reached
from tests.compute.sinks.faults.trial import Trial, tried

OUT_OF_TURN = {
    LoadsBeforeAcknowledged: "said Loaded, where Acknowledged was to come",
    FlushesBeforeFlush: "said Flushed, where Loaded was to come",
    AcknowledgesTwice: "said Acknowledged, where Loaded was to come",
    SpeaksWhileStoring: "said Flushed, where nothing was to come",
    CommitsTwice: "said StartedCommit, where Acknowledged was to come",
    LoadsTwice: "loaded a document that has come before",
    LoadsWhatNobodyAskedFor: "loaded a document that was not asked for",
}


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
        tried(KINDS[kind], destination, next_name(), work, defect, goes_on=False)


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
