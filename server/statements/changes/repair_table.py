"""ALTER TABLE … REPAIR: removes impossible retractions from a table.

A table that retracts a row it does not hold is damaged: its contents are undefined, and every read fails. Retractions
without a row are dropped, and reported. Rows that the table holds stay.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.securables import item_securable
from model.errors.sql_error import NotSupported, Severity
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from planner.plans.changes import RepairTablePlan
from server.ledgers.row_text import row_text
from server.pgwire.backend import Command
from server.planning.statement_plans import ReadSet
from server.reads.reading import Reader
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.transaction_writes import BufferedWrite
from server.writes.writing import item_of, lock_for_write, require_writable
from storage.persist.held import overdrawn_rows

_TOLD_MAX = 100
"""So many rows are told one by one."""


async def sequence_repair_table(plan: RepairTablePlan, execution: Execution, session: StatementSession) -> Command:
    transaction, environment, id_ = execution.transaction, execution.environment, plan.target
    require_writable(execution, id_, "ALTER TABLE")
    item = item_of(execution.catalog, id_)
    require_owner(execution.catalog, execution.role, item_securable(execution.catalog, item))
    if id_ in transaction.writes.ids() | transaction.changes.created:
        raise NotSupported("ALTER TABLE … REPAIR of a table that the same transaction has written")
    await lock_for_write(environment, transaction, frozenset({id_}))
    reads, storage = ReadSet(frozenset({id_}), frozenset(), timed=False), environment.storage
    with ExitStack() as holds:
        timestamp = (await Reader(environment, execution).read_point(reads, None, holds)).timestamp
        source = replace(storage.reads.snapshot(id_, timestamp), desc=item.desc)
        overdrawn = await overdrawn_rows(source, storage.blob, storage.runner)
    if overdrawn.num_rows:
        counts: list[int] = pc.negate(overdrawn.column(DIFF_COLUMN)).to_pylist()
        place = overdrawn.schema.get_field_index(DIFF_COLUMN)
        given = overdrawn.set_column(place, DIFF_COLUMN, pa.array(counts, pa.int64()))
        transaction.writes.buffered.append(BufferedWrite(id_, [given]))
        rows = rows_from_arrow(overdrawn.slice(0, _TOLD_MAX), item.desc)
        for row, count in zip(rows, counts, strict=False):
            text = row_text(row, item, execution.asker.text_context)
            session.notice(
                Severity.NOTICE,
                Sqlstate.SUCCESSFUL_COMPLETION,
                f'"{item.name}" takes {text} {count} times more often than it holds it: that is dropped',
            )
    left = overdrawn.num_rows - _TOLD_MAX
    if left > 0:
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, f"the same of {left} other rows")
    return Command("ALTER TABLE")
