"""Comments in the catalog: kept through a restart, and gone with what they are on."""

from __future__ import annotations

import json

from catalog.changes.apply import apply
from catalog.changes.change import CreateSchema, DropSchemas, SetComment
from catalog.durable.rows import diff, initial_state, load, rows
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import SUPERUSER_OID, Table
from tests.catalog.miniature import Miniature


def test_comments_are_loaded_as_they_were_written() -> None:
    before = initial_state()
    oid = before.next_oid
    made = apply(before, [CreateSchema(oid, "headwater", "s", SUPERUSER_OID), SetComment(oid, 0, "said of it")])
    assert made.comments == {(oid, 0): "said of it"}
    changes = dict(diff(before, made))
    come = {row for row, change in changes.items() if change > 0}
    stored = (rows(before) | come) - {row for row, change in changes.items() if change < 0}
    assert load(stored) == made
    assert apply(made, [SetComment(oid, 0, None)]).comments == {}
    assert apply(made, [DropSchemas((oid,), cascade=False)]).comments == {}


def test_checks_that_were_stored_without_oids_keep_the_ones_that_were_shown() -> None:
    miniature = Miniature()
    miniature.execute("CREATE TABLE t (a int CONSTRAINT x CHECK (a > 0) CONSTRAINT y CHECK (a > 1))")
    older = {(kind, key, _without_oids(value)) for kind, key, value in rows(miniature.state)}
    (table,) = (item for item in load(older).items.values() if item.name == "t")
    assert isinstance(table.definition, Table)
    assert [check.oid for check in table.definition.checks] == [
        derived_oid(table.oid, number) for number in (1601, 1602)
    ]


def _without_oids(value: str) -> str:
    entry = json.loads(value)
    if isinstance(entry, dict) and "checks" in entry:
        entry["checks"] = [check[:3] for check in entry["checks"]]
    return json.dumps(entry)
