"""ALTER SEQUENCE: a change of the catalog that also depends on the sequence's state."""

from __future__ import annotations

from catalog.nouns.items import SequenceDefinition
from catalog.translation.sequence import translate_alter_sequence
from model.errors.sql_error import Severity
from planner.plans.sequences import AlterSequencePlan
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution

_TAG = "ALTER SEQUENCE"


def sequence_alter_sequence(plan: AlterSequencePlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable(_TAG)
    counters, allocator = execution.environment.counters, execution.environment.catalog.allocator

    def last_value(definition: SequenceDefinition) -> int:
        return counters.counter(definition).last

    changes, notices = translate_alter_sequence(plan, execution.catalog, execution.ddl_session, allocator, last_value)
    execution.change_catalog(*changes)
    for change in changes:
        counters.settle(change.definition)
    for notice in notices:
        session.notice(Severity.NOTICE, notice.sqlstate, notice.message, detail=notice.detail)
    return Command(_TAG)
