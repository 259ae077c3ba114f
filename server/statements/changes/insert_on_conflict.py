"""INSERT … ON CONFLICT: rows whose keys the table has are left out, or change the table's rows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from catalog.nouns.items import Item
from model.errors.sql_error import SqlError
from model.physical.columns import rows_from_arrow
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from planner.interpret.parameters import bind_scalar
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Let
from planner.plans.constraints import ConflictUpdate, OnConflict, TableRules
from planner.statements.changes.implied_conditions import keys_meant
from server.planning.statement_plans import read_set
from server.reads.reading import Reader
from server.transactions.execution import Execution
from server.writes.constraints.conflicts import Meeting, affected_twice, conflicts_of
from server.writes.constraints.guards import RowGuards
from server.writes.constraints.held_rules import HeldRules
from server.writes.writing import TableWriter, arrow_rows, check_not_null


def with_parameters(conflict: OnConflict, rules: TableRules, execution: Execution) -> OnConflict:
    """Returns the ON CONFLICT with the keys that it means by the statement's parameters; raises SqlError 42P10 for
    none."""
    if conflict.given is None:
        return conflict
    given = bind_scalar(conflict.given, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    return replace(conflict, keys=keys_meant(conflict, rules, given), likely=(), given=None)


async def insert_on_conflict(
    conflict: OnConflict,
    source: AsyncIterator[Sequence[Row]],
    item: Item,
    rules: HeldRules,
    writer: TableWriter,
    execution: Execution,
) -> list[Row]:
    """Inserts or updates rows, and returns them as given to `writer`. Raises SqlError 21000 for a row that would change
    twice."""
    proposed: list[Row] = []
    async for batch in source:
        table = arrow_rows(batch, item.desc, item.id)
        check_not_null(table, item, execution)
        proposed.extend(rows_from_arrow(table, item.desc))
    rules.require_checks(proposed)
    keys = await rules.rows_with(conflict.keys, proposed)
    found = conflicts_of(proposed, keys, updating=conflict.update is not None)
    written = {number: proposed[number] for number in found.new}
    await writer.add_signed(arrow_rows([proposed[number] for number in found.new], item.desc, item.id), 1)
    if conflict.update is not None and found.meetings:
        visible = await _visible(conflict.update, proposed, found.meetings, item, execution)
        changed = await _changed(conflict.update, proposed, visible, execution)
        await RowGuards(conflict.update.guards, item, execution).require(
            [changed[number] for number in sorted(changed)]
        )
        met = [meeting for meeting in found.meetings if meeting.number in changed]
        olds, news = [meeting.existing for meeting in met], [changed[meeting.number] for meeting in met]
        if len(set(olds)) < len(olds):
            raise affected_twice()
        await writer.add_signed(arrow_rows(olds, item.desc, item.id), -1)
        await writer.add_signed(arrow_rows(news, item.desc, item.id), 1)
        written.update(changed)
    return [written[number] for number in sorted(written)]


async def _visible(
    update: ConflictUpdate, proposed: Sequence[Row], meetings: Sequence[Meeting], item: Item, execution: Execution
) -> Sequence[Meeting]:
    """Returns the meetings with rows that the role may change. Raises SqlError 42501 for another one, unless WHERE is
    not true of it: whatever fails over its row would tell of the row, and is 42501, too."""
    if not update.existing:
        return meetings
    guards = RowGuards(update.existing, item, execution, existing=True)
    refused_rows = await guards.refusals([meeting.existing for meeting in meetings])
    refusals = {meeting.number: refused for meeting, refused in zip(meetings, refused_rows, strict=True)}
    hidden = [meeting for meeting in meetings if refusals[meeting.number] is not None]
    for meeting in hidden:
        refused = refusals[meeting.number]
        assert refused is not None, "it is hidden"
        try:
            changed = await _changed(update, proposed, [meeting], execution)
        except SqlError as error:
            raise refused from error
        if changed:
            raise refused
    return [meeting for meeting in meetings if refusals[meeting.number] is None]


async def _changed(
    update: ConflictUpdate, proposed: Sequence[Row], meetings: Sequence[Meeting], execution: Execution
) -> dict[int, Row]:
    """Returns the new rows for conflicts where WHERE is true, by the numbers of the proposed rows."""
    desc = update.met
    met = Constant(tuple(((*m.existing, *proposed[m.number], m.number), 1) for m in meetings), desc)
    query = whole_query(Let(update.local_id, met, update.relation))
    changed: dict[int, Row] = {}
    async for rows in Reader(execution.environment, execution).rows(query, read_set(query.relation)):
        for row in rows:
            number = row[-1]
            assert isinstance(number, int)
            changed[number] = row[:-1]
    return changed
