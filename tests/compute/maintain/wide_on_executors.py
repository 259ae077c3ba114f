"""Maintains some views by tasks of executors that are processes of their own, in a session of this process. Prints what
is wrong, and then how many tasks there were.

    python -m tests.compute.maintain.wide_on_executors SCRATCH [NAME…]
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from compute.executors.step_task import StepDone, StepTask
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.wide import Least, SegmentRows, WideSteps
from compute.spark.session import SparkOptions, profile_sessions, start_session, stop_session
from model.ids.global_id import GlobalId
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import course_of, differences, random_cuts, random_history
from tests.compute.maintain.relations import RELATIONS, TABLES

_TIMES = 5
_VIEW = GlobalId.user(9)


class _Counting:
    """A pool that counts the attempts that count."""

    def __init__(self, pool: SparkPool) -> None:
        self._pool = pool
        self.tasks = 0

    def run(self, task: StepTask, rows: SegmentRows | None) -> list[StepDone]:
        done = self._pool.run(task, rows)
        self.tasks += len(done)
        return done


def main(scratch: Path, names: list[str], master: str = "local-cluster[2,1,1024]") -> None:
    options = SparkOptions(scratch / "spark", master, memory="1g", warm=False, log_path=scratch / "spark.log")
    session = start_session(options)
    sessions = profile_sessions(session)
    pools: list[_Counting] = []

    def steps(queries: Queries) -> WideSteps:
        pools.append(_Counting(SparkPool(sessions, queries)))
        return WideSteps(pools[-1], lambda: 3, Least(0, -1), Least(0, -1))

    for name in names:
        relation, dice = optimize(RELATIONS[name]), random.Random(name)
        history = random_history(dice, TABLES, _TIMES)
        plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
        cuts = random_cuts(dice, _TIMES)
        place = scratch / f"{len(pools)}"
        place.mkdir()
        course = course_of(plan, history, sessions, place, cuts, steps)
        for line in differences(_VIEW, relation, history, course, range(cuts[0], _TIMES)):
            print(f"{name}, cuts {cuts}: {line}")
    stop_session(session)
    print(sum(pool.tasks for pool in pools))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
