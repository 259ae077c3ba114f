"""The fault cases of the materialization protocol that come about between runtime and driver, by their numbers.

Each runs on every kind of destination that it names, with a defect planted that it has to see; all of them, and where
each is held, are in docs/sink_faults.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from connectors.sinks.messages import (
    Acknowledge,
    Acknowledged,
    Flushed,
    FlushLoads,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.time.timestamp import Timestamp
from tests.compute.sinks.faults.defects import (
    AppliesAgain,
    AppliesAtOnce,
    AppliesWhatIsNamed,
    CommitsWhileStoring,
    DropsDocuments,
    ForgetsItsState,
    GoesOnWhenFenced,
    LeasesByTheClock,
    PromisesWhenFlushed,
    PromisesWhenOpened,
    SkipsEmptyTransactions,
    Sound,
    TrustsTheLog,
)
from tests.compute.sinks.faults.interposer import CRASH, DIE, FREEZE, Replay, Rule, Stall
from tests.compute.sinks.faults.trial import Life, Trial
from tests.simulation.virtual_time import VirtualClock

TABLES = ("sqlite", "postgres", "mysql", "redis", "connector")
LAKES = ("delta", "iceberg")
LOADED = (*TABLES, *LAKES)
COUNTED = ("redis-stream",)
AUTHORITATIVE = (*LOADED, *COUNTED, "dynamodb", "opensearch", "kafka")
STAGED = ("json", "bucket")
PLAIN = ("webhook",)
ALL = (*AUTHORITATIVE, *STAGED, *PLAIN)
EVERY = (*ALL, "delta-bucket", "parquet", "csv")


_FEW = 5
"""Kinds of which each run tries all, for so few."""
RANGED = {
    "redis": frozenset(range(40)),
    "postgres": frozenset(range(40)),
    "mysql": frozenset((5, 8)),
    "dynamodb": frozenset((8, 29, 35)),
}
"""Which cases are tried in several ranges of keys, and where: all where that is quick, else what ranges change most."""


@dataclass(frozen=True, slots=True)
class Case:
    """`kinds`: where it is tried. `defect`: what it sees, and `seen_on`: where."""

    number: int
    work: Callable[[Trial], Awaitable[None]]
    kinds: tuple[str, ...]
    defect: type[Sound]
    seen_on: tuple[str, ...]

    def ranged(self, kinds: tuple[str, ...]) -> Iterator[str]:
        """Those of some kinds where it is tried in ranges."""
        return (kind for kind in kinds if self.number in RANGED.get(kind, ()))

    def tried_each_time(self, kind: str) -> bool:
        """Returns whether every run tries it on a kind; with `--whole` it is tried on all: every fourth number each
        kind, and every fourth kind each number."""
        return len(self.kinds) < _FEW or (EVERY.index(kind) + self.number // 3 + self.number) % 4 == 0


CASES: list[Case] = []


def case(
    number: int, kinds: tuple[str, ...], defect: type[Sound], seen_on: tuple[str, ...] | None = None
) -> Callable[[Callable[[Trial], Awaitable[None]]], Callable[[Trial], Awaitable[None]]]:
    """A case by its number."""

    def taken(work: Callable[[Trial], Awaitable[None]]) -> Callable[[Trial], Awaitable[None]]:
        CASES.append(Case(number, work, kinds, defect, kinds if seen_on is None else seen_on))
        return work

    return taken


@case(1, EVERY, DropsDocuments, ALL)
async def nothing_fails(trial: Trial) -> None:
    trial.live()
    await trial.settled(4)


@case(2, ALL, PromisesWhenOpened, (*TABLES, *COUNTED, "dynamodb", "opensearch"))
async def the_driver_ends_before_it_has_opened(trial: Trial) -> None:
    life = trial.live()
    await trial.settled(2)
    for on in (Open, Opened):
        life.end()
        before = trial.world.now
        life = trial.live(Rule(on, CRASH, nth=trial.parallelism))
        await trial.settled()
        assert {*_opened_at(life)} == {before}


def _opened_at(life: Life) -> list[Timestamp]:
    """Where the sessions of a life were to go on, each time that they were opened."""
    opens = life.conversation.opens
    return [request.frontier if opened.frontier is None else opened.frontier for request, opened in opens]


@case(3, AUTHORITATIVE, CommitsWhileStoring)
async def the_driver_ends_while_it_stores(trial: Trial) -> None:
    trial.live(Rule(Store, CRASH, nth=2, after=2))
    await trial.settled(4)


@case(4, AUTHORITATIVE, PromisesWhenFlushed, (*TABLES, *COUNTED, "dynamodb", "opensearch"))
async def the_driver_ends_when_all_is_loaded(trial: Trial) -> None:
    trial.live(Rule(Flushed, CRASH, after=2))
    await trial.settled(4)


@case(5, AUTHORITATIVE, TrustsTheLog)
async def the_driver_ends_when_it_has_committed(trial: Trial) -> None:
    life = trial.live(Rule(StartedCommit, CRASH, after=2))
    await trial.settled(4)
    _require_apart(trial, life)


@case(6, AUTHORITATIVE, TrustsTheLog)
async def all_ends_before_the_log_has_the_commit(trial: Trial) -> None:
    trial.live(Rule(StartedCommit, DIE, after=2))
    await trial.settled(2)
    await trial.transfer()
    await trial.until(lambda: trial.lives[0].conversation.dead)
    life = trial.live()
    await trial.settled(2)
    _require_apart(trial, life)


def _require_apart(trial: Trial, life: Life) -> None:
    """One range has committed what the others have not."""
    if trial.parallelism > 1:
        assert len({*_opened_at(life)[-trial.parallelism :]}) == 2, "the ranges have not come apart"


@case(8, AUTHORITATIVE, GoesOnWhenFenced, (*LOADED, *COUNTED, "kafka"))
async def a_session_that_was_taken_over_goes_on_two_commits_later(trial: Trial) -> None:
    await _thawed(trial, Store if trial.kind.waits_unbegun else StartCommit)
    assert trial.lives[0].conversation.refusals, "nobody has refused the zombie"


@case(15, STAGED, AppliesAtOnce)
async def the_log_never_has_what_was_staged(trial: Trial) -> None:
    trial.live(Rule(StartedCommit, DIE, after=2))
    await trial.settled(2)
    before = trial.found()
    await trial.transfer()
    await trial.until(lambda: trial.lives[0].conversation.dead)
    assert trial.found() == before, "it shows, and the log does not have it"
    trial.live()
    await trial.settled(2)


@case(16, (*STAGED, "parquet", "csv"), ForgetsItsState)
async def all_ends_before_what_the_log_has_is_applied(trial: Trial) -> None:
    trial.live(Rule(Acknowledge, DIE, after=3))
    await trial.settled(2)
    before = trial.found()
    await trial.transfer()
    await trial.until(lambda: trial.lives[0].conversation.dead)
    assert trial.found() == before, "it was to be applied later"
    trial.live()
    await trial.settled(2)


@case(18, STAGED, AppliesWhatIsNamed)
async def the_driver_ends_when_all_is_applied(trial: Trial) -> None:
    trial.live(Rule(Acknowledged, CRASH, after=2), Rule(Acknowledged, CRASH, nth=2, after=3))
    await trial.settled(4)


@case(19, ALL, AppliesAgain, STAGED)
async def it_is_acknowledged_again_and_again(trial: Trial) -> None:
    trial.live(*(Rule(Acknowledge, Replay(3), after=after) for after in range(1, 4)))
    await trial.settled(4)


@case(21, STAGED, AppliesAtOnce)
async def a_session_that_was_taken_over_stages_what_nobody_applies(trial: Trial) -> None:
    for on in (Store, StartCommit):
        await _thawed(trial, on)


async def _thawed(trial: Trial, on: type[Request]) -> None:
    """A session opens, and hangs; another one commits twice; the first goes on."""
    for life in trial.lives:
        life.end()
    first = trial.live(Rule(on, FREEZE, after=2))
    await trial.settled(2)
    await trial.transfer()
    await trial.until(lambda: not [*first.conversation.unfired])
    trial.live()
    await trial.settled(2)
    first.conversation.last_words = True
    first.thaw()
    await trial.until(lambda: first.conversation.dead)


@case(22, STAGED, ForgetsItsState)
async def a_sink_pauses_while_something_is_to_be_applied(trial: Trial) -> None:
    """It has no bindings that could be removed: the whole is paused, and resumed."""
    first = trial.live(Rule(Acknowledge, FREEZE, after=3))
    await trial.settled(2)
    before = trial.found()
    await trial.transfer()
    await trial.until(lambda: not [*first.conversation.unfired])
    await first.stop()
    await trial.transfer(2)
    assert trial.found() == before, "it was to be applied later"
    trial.live()
    await trial.settled(2)


@case(27, COUNTED, TrustsTheLog)
async def a_counted_stream_is_ahead_of_the_log(trial: Trial) -> None:
    await all_ends_before_the_log_has_the_commit(trial)


@case(25, PLAIN, DropsDocuments)
async def the_driver_ends_while_each_document_shows_at_once(trial: Trial) -> None:
    """Nothing is lost; changes come again, with the times that they had."""
    trial.live(Rule(Store, CRASH, nth=2, after=2))
    await trial.settled(4)


@case(29, (*STAGED, *COUNTED, "dynamodb", "opensearch", "kafka", *PLAIN), TrustsTheLog, (*COUNTED, "dynamodb", "kafka"))
async def changes_are_written_again(trial: Trial) -> None:
    await all_ends_before_the_log_has_the_commit(trial)


@case(32, ALL, CommitsWhileStoring, (*LOADED, "dynamodb", "opensearch", *COUNTED))
async def a_commit_takes_half_a_minute(trial: Trial) -> None:
    """Nothing is flushed, nor said to be there, before it has come to its end; then all that has waited is one more."""
    life = trial.live(Rule(StartCommit, Stall(30.0), after=2))
    await trial.settled(2)
    conversation = life.conversation
    position = conversation.position
    flushes = conversation.heard.count(FlushLoads)
    await trial.transfer()
    await trial.until(lambda: not [*conversation.unfired])
    for _ in range(20):
        await trial.transfer()
        await trial.world.clock.sleep(1.0)
        assert conversation.heard.count(FlushLoads) == flushes + trial.parallelism, (
            "it is flushed while a commit is under way"
        )
        assert conversation.position == position
        trial.look()
    await trial.arrived()


@case(
    35,
    ALL,
    SkipsEmptyTransactions,
    (*TABLES, *COUNTED, "dynamodb", "opensearch"),
)
async def nothing_has_changed_and_time_goes_on(trial: Trial) -> None:
    first = trial.live()
    await trial.settled(2)
    await trial.commit([])
    await trial.arrived()
    now = trial.world.now
    first.end()
    trial.live()
    await trial.arrived()
    assert {*_opened_at(trial.lives[-1])} == {now}


@case(38, ALL, CommitsWhileStoring, (*LOADED, "dynamodb", "opensearch", *COUNTED))
async def the_server_ends_by_itself_during_a_commit(trial: Trial) -> None:
    first = trial.live(Rule(StartCommit, Stall(5.0), after=2))
    await trial.settled(2)
    await trial.transfer()
    await trial.until(lambda: not [*first.conversation.unfired])
    await first.stop()
    trial.look()
    trial.live()
    await trial.settled(2)


@case(39, ALL, LeasesByTheClock)
async def clocks_jump(trial: Trial) -> None:
    first = trial.live(Rule(StartedCommit, CRASH, after=4))
    clock = trial.world.clock
    assert isinstance(clock, VirtualClock)
    for jump in (3_600_000, -7_200_000, 86_400_000, -172_800_000, 50_000):
        await trial.settled()
        clock.offset_ms += jump
    first.end()
    clock.offset_ms -= 604_800_000
    trial.live()
    await trial.settled(2)
