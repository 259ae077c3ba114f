"""What dataflows tell of what they take: arrangements, ticks, errors; and nothing while nothing happens."""

from __future__ import annotations

import random

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.protocol.measures import StepMeasure
from compute.protocol.response import DataflowMeasures
from compute.replica.dataflows.exports.error_log import LAYOUT, ErrorLog
from compute.replica.dataflows.maintained import TickRows
from compute.replica.dataflows.tick_log import STEPS_WINDOW, WINDOW, TickLog
from compute.replica.tasks.events import Reported
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_QUOTIENT = Call("divide_int4_int4", (Literal(10, INT4), Column(0, INT4)), INT4)
_QUOTIENTS: Relation = Project(Map(Get(GlobalId.user(1), DESC), (_QUOTIENT,), ("q",)), (2,))
_QUOTIENTS_DESC = relation_desc(("q", INT4))


def _measures(replica: Replica, number: int) -> list[DataflowMeasures]:
    reports = [event.report for event in replica.heard if isinstance(event, Reported)]
    return [each for each in reports if isinstance(each, DataflowMeasures) and each.id == GlobalId.user(number)]


async def _quotients(world: World) -> Replica:
    """10 / a of table 1, in the shard 2 and the index 3."""
    item = await world.table(1)
    await world.commit({1: [((1, "a"), 1), ((2, "a"), 1)]})
    shard = await world.view_shard(2, _QUOTIENTS_DESC)
    replica = Replica(world)
    replica.start(describe([item], (2, _QUOTIENTS), [shard, index_on(3, 2, Column(0, INT4))], world.now - 1))
    await replica.caught_up(2, 3)
    return replica


async def _settled(world: World, replica: Replica) -> None:
    await replica.caught_up(2, 3)
    await world.clock.sleep(5.0)


def test_live_errors_are_counted_until_they_heal() -> None:
    async def work(world: World) -> None:
        replica = await _quotients(world)
        counts = []
        for rows in ([((0, "a"), 1)], [((0, "b"), 1), ((5, "a"), 1)], [((0, "a"), -1), ((0, "b"), -1)]):
            await world.commit({1: rows})
            await _settled(world, replica)
            counts.append({_measures(replica, number)[-1].errors for number in (2, 3)})
        assert counts == [{1}, {1}, {0}]

    run(work)


def test_ticks_and_arrangements_are_told_after_ticks_and_not_while_idle() -> None:
    async def work(world: World) -> None:
        replica = await _quotients(world)
        await world.commit({1: [((5, "a"), 1), ((5, "b"), 1), ((2, "a"), -1)]})
        await _settled(world, replica)
        last = _measures(replica, 3)[-1]
        assert last.ticks is not None
        assert (last.ticks.count, last.ticks.last_rows_read, last.ticks.rows_read) == (2, 3, 5)
        assert last.ticks.last_rows_written == 2  # 2 twice more, 5 gone
        assert {each.name: each.rows for each in last.arrangements if each.rows} == {"index u3": 4}
        told = len(replica.heard), len(_measures(replica, 3))
        for _ in range(50):
            await world.commit({})
            replica.hint()
            await world.clock.sleep(1.0)
        assert len(replica.heard) > told[0] and len(_measures(replica, 3)) == told[1]

    run(work)


def test_a_log_of_ticks_tells_of_all_in_sums_and_of_the_last_in_quantiles() -> None:
    log, source = TickLog(), random.Random(0)
    assert log.measure() is None
    times = [source.uniform(1, 100) for _ in range(3 * WINDOW)]
    for at, time in enumerate(times):
        log.note(time, TickRows(at, 2 * at), at)
    measure, recent = log.measure(), sorted(times[-WINDOW:])
    assert measure is not None
    assert measure.count == len(times) and abs(measure.elapsed_ms - sum(times)) < 1e-6
    assert (measure.rows_read, measure.rows_written) == (sum(range(len(times))), 2 * sum(range(len(times))))
    for value, percent in ((measure.median_ms, 50), (measure.p99_ms, 99), (measure.max_ms, 100)):
        below = sum(each <= value for each in recent)
        assert 100 * below >= percent * WINDOW and 100 * (below - 1) < percent * WINDOW
    assert (measure.last_ms, measure.last_at_ms, measure.last_rows_read) == (times[-1], len(times) - 1, len(times) - 1)


def test_a_log_of_ticks_adds_up_what_each_step_did_in_the_last_ones() -> None:
    log = TickLog()
    log.note(1.0, TickRows(1, 1), 0)
    measure = log.measure()
    assert measure is not None and (measure.steps, measure.steps_window) == ((), 0)
    for at in range(3 * STEPS_WINDOW):
        log.note(1.0, TickRows(1, 1, (StepMeasure(at, 1, 2, 0.5), StepMeasure(0, at, 0, 0.25))), at)
    measure, last = log.measure(), sum(range(2 * STEPS_WINDOW, 3 * STEPS_WINDOW))
    assert measure is not None and measure.steps_window == STEPS_WINDOW
    first, second = measure.steps
    assert first == StepMeasure(last, STEPS_WINDOW, 2 * STEPS_WINDOW, 0.5 * STEPS_WINDOW)
    assert second == StepMeasure(0, last, 0, 0.25 * STEPS_WINDOW)
    for tasks, narrow in ((4, ""), (0, "first"), (0, "second"), (0, "")):
        log.note(1.0, TickRows(1, 1, (StepMeasure(0, 0, 0, 0.0, tasks, 25.0 * tasks, narrow),) * 2), 1)
    measure = log.measure()
    assert measure is not None and (measure.wide, measure.tasks) == (1, 8)
    assert [(each.tasks, each.task_ms, each.narrow) for each in measure.steps] == [(4, 100.0, "second")] * 2


def test_an_error_log_that_is_opened_again_has_the_same_live_errors() -> None:
    source, arrangement = random.Random(1), Arrangement(LAYOUT)
    log = ErrorLog(arrangement, Timestamp(0))
    live: list[str] = []
    for time in range(40):
        gone = [live.pop(source.randrange(len(live))) for _ in range(source.randrange(3)) if live]
        come = [f"22012 division by zero in row {source.randrange(3)}" for _ in range(source.randrange(3))]
        diffs = [-1] * len(gone) + [1] * len(come)
        errors = pa.table({"err": pa.array([*gone, *come], pa.string()), "time": [time] * len(diffs), "diff": diffs})
        log.insert(errors.cast(pa.schema([("err", pa.string()), ("time", pa.int64()), ("diff", pa.int64())])))
        if source.random() < 0.2:
            log.discard()
            live += gone
        else:
            log.seal()
            live += come
        assert log.live == len(live) == ErrorLog(arrangement, Timestamp(time + 1)).live
        assert log.least(Timestamp(time)) == min(live, default=None)
