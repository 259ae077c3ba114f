"""Comments in the catalog: kept through a restart, and gone with what they are on."""

from __future__ import annotations

from catalog.apply import apply
from catalog.changes import CreateSchema, DropSchemas, SetComment
from catalog.durable import diff, initial_state, load, rows
from catalog.items import SUPERUSER_OID


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
