"""TRUNCATE: every row that the tables hold at the read timestamp is retracted."""

from __future__ import annotations

from catalog.facts.roles.decide import require_item
from catalog.translation.sequence import restarted
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.ir.query import whole_query
from planner.ir.relation import Get
from planner.plans.changes import TruncatePlan
from planner.privileges import TRUNCATE
from server.pgwire.backend import Command
from server.planning.statement_plans import ReadSet
from server.reads.reading import Reader
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.relations_in_use import refuse_in_use
from server.writes.writing import TableWriter, item_of, lock_for_write


async def sequence_truncate(plan: TruncatePlan, execution: Execution, session: StatementSession) -> Command:
    transaction = execution.transaction
    transaction.require_writable("TRUNCATE TABLE")
    targets = _with_referencing(plan, execution, session)
    await lock_for_write(execution.environment, transaction, frozenset(targets))
    used = execution.asker.relations_in_use()
    for id_ in targets:
        refuse_in_use(used, execution.catalog, id_, "TRUNCATE")
        item = item_of(execution.catalog, id_)
        transaction.deferred.require_none_of(id_, item.name, "TRUNCATE")
        writer = TableWriter(execution, item)
        try:
            reads = ReadSet(frozenset({id_}), frozenset(), timed=False)
            query = whole_query(Get(id_, item.desc))
            async for table in Reader(execution.environment, execution).tables(query, reads):
                await writer.add_signed(table, -1)
            transaction.writes.buffered.append(await writer.finish())
        except BaseException:
            await writer.abandon()
            raise
    if plan.restart:
        owned = [item for id_ in targets for item in execution.catalog.owned_sequences(id_)]
        allocator = execution.environment.catalog.allocator
        execution.change_catalog(*(restarted(item, allocator) for item in owned))
    return Command("TRUNCATE TABLE")


def _with_referencing(plan: TruncatePlan, execution: Execution, session: StatementSession) -> list[GlobalId]:
    """Adds all tables that reference the targets, however indirectly, with CASCADE; raises 0A000 for any without, 42501
    for any that the role may not truncate."""
    targets = list(plan.targets)
    for id_ in targets:
        for child, _ in execution.catalog.referencing(id_):
            if child.id in targets:
                continue
            if not plan.cascade:
                message = "cannot truncate a table referenced in a foreign key constraint"
                parent = execution.catalog.items[id_].name
                detail = f'Table "{child.name}" references "{parent}".'
                hint = f'Truncate table "{child.name}" at the same time, or use TRUNCATE ... CASCADE.'
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail, hint=hint)
            notice = f'truncate cascades to table "{child.name}"'
            session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, notice)
            require_item(execution.newest_catalog, execution.role, child.id, TRUNCATE)
            targets.append(child.id)
    return targets
