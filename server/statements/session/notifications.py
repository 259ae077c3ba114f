"""LISTEN, UNLISTEN and NOTIFY: they count from COMMIT on."""

from __future__ import annotations

from planner.plans.session import ListenPlan, NotifyPlan
from server.ledgers.notifications import ListeningChange, checked_note
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession


def sequence_listen(plan: ListenPlan, session: StatementSession) -> Command:
    session.transactions.ensure().notes.changes.append(ListeningChange(plan.channel, plan.begins))
    return Command("LISTEN" if plan.begins else "UNLISTEN")


def sequence_notify(plan: NotifyPlan, session: StatementSession) -> Command:
    """Notes a NOTIFY, which is sent when the transaction commits. Raises SqlError 22023 for a payload that is too
    long."""
    session.transactions.ensure().notes.add(checked_note(plan.channel, plan.payload))
    return Command("NOTIFY")
