"""What the steps of fixed views keep of fixed histories, as digests.

step_contents.tsv has a line for each of the views: its name, the numbers of the steps and operators in its plan
where these are above 1, and a digest of its arrangements after three ticks. The plan's form is part of the digest's
name: another plan is another state anyway.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import local_store
from compute.maintain.change import literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.plan import MaintenancePlan
from compute.maintain.plan_names import name_of, raised_numbers
from compute.maintain.planning.maintained import plan_maintenance
from compute.protocol.plan_form import nodes_of
from compute.spark.session import Profile
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.ir.aggregate import Aggregate
from planner.ir.relation import FlatMap
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import random_history
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.plan_features import covering

RECORD = Path(__file__).parent / "step_contents.tsv"
_VIEW = GlobalId.user(9)
_CUTS = (2, 5, 8)


def views() -> list[str]:
    """The names of views of `relations` that together have all steps, operators, aggregates and table functions of
    them."""
    return having_all({name: planned(name) for name in RELATIONS})


def having_all(plans: Mapping[str, MaintenancePlan]) -> list[str]:
    """Returns the names of few plans that have together all steps, operators and functions of all of them."""
    return covering({name: used_by(plan) for name, plan in plans.items()})


def used_by(plan: MaintenancePlan) -> frozenset[str]:
    """Returns the steps, operators, aggregates and table functions of a plan."""
    return frozenset(
        node.function if isinstance(node, Aggregate | FlatMap) else type(node).__name__ for node in nodes_of(plan)
    )


def planned(view: str) -> MaintenancePlan:
    """The plan of a view."""
    return plan_maintenance(((_VIEW, optimize(RELATIONS[view])),), (_VIEW,))


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one view."""

    view: str
    plan: str
    numbers: str
    contents: str

    @property
    def line(self) -> str:
        """Returns the view's line in the record."""
        return f"{self.view}\t{self.plan}\t{self.numbers}\t{self.contents}"


def recorded() -> dict[str, Kept]:
    """The record, by the view's name."""
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    return {kept.view: kept for kept in (Kept(*line.split("\t")) for line in lines)}


def write_record(kept: Mapping[str, Kept]) -> None:
    """Writes the record anew."""
    RECORD.write_text("".join(f"{kept[view].line}\n" for view in sorted(kept)))


def differences(before: Mapping[str, Kept], now: Mapping[str, Kept]) -> dict[str, str]:
    """The views of which other contents are kept under the same plan and numbers."""
    return {
        view: "other contents are kept: raise the number of the step in compute/maintain/step_numbers.py"
        for view in before.keys() & now.keys()
        if (before[view].plan, before[view].numbers) == (now[view].plan, now[view].numbers)
        and before[view].contents != now[view].contents
    }


def kept_of(view: str, sessions: Mapping[Profile, SparkSession], scratch: Path) -> Kept:
    """Runs a view over its history, and returns what is kept of it."""
    plan = planned(view)
    history = random_history(random.Random(view), TABLES, _CUTS[-1])
    dataflow = Dataflow(plan, history.descs, sessions, scratch)
    store = local_store(scratch / "state")
    arrangements = {name: store.arrangement(layout) for name, layout in dataflow.layouts.items()}
    dataflow.begin(arrangements, upper=None)
    lower = _CUTS[0]
    for upper in (_CUTS[0] + 1, *_CUTS[1:]):
        first = upper == _CUTS[0] + 1
        tables = history.snapshot(_CUTS[0]) if first else history.changes(lower, upper)
        changes = {id_: literal_change(table) for id_, table in tables.items()}
        dataflow.tick(changes, Timestamp(lower), Timestamp(upper))
        dataflow.seal()
        lower = upper
    digest = hashlib.sha256()
    for name in sorted(arrangements):
        digest.update(f"{name}\n{_contents(arrangements[name])}\n".encode())
    dataflow.close()
    numbers = ",".join(f"{name}={number}" for name, number in sorted(raised_numbers(plan).items()))
    return Kept(view, name_of(plan)[:8], numbers or "-", digest.hexdigest()[:8])


def _contents(arrangement: Arrangement) -> str:
    """All rows at the end, hashes of keys included, in one order."""
    if not arrangement.size.rows:
        return ""
    rows = [repr(row) for chunk in arrangement.rows(_CUTS[-1] - 1) for row in pa.table(chunk).to_pylist()]
    return "\n".join(sorted(rows))
