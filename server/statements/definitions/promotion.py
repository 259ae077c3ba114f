"""ALTER SYSTEM PROMOTE: the server that leads gives way to a standby, which leads at once.

The statement is answered before anything ends. Then each connection ends as it comes to the end of its transaction, and
the standby takes over.
"""

from __future__ import annotations

from catalog.facts.roles.decide import is_superuser
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.replicas import PromotePlan
from server.pgwire.backend import Command
from server.transactions.execution import Execution
from timeline.lease import Lease
from timeline.promotion import PresentStandby


async def sequence_promotion(plan: PromotePlan, execution: Execution) -> Command:
    """Begins the changeover. SqlError: 42501 for others than superusers, 25001 in a transaction block, 55000 without a
    standby that would lead at once, or with several while none is named."""
    if not is_superuser(execution.newest_catalog, execution.role):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to promote a standby")
    if execution.transaction.lasts:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "ALTER SYSTEM PROMOTE cannot run inside a transaction block")
    lease = execution.environment.outside.lease
    if lease is None:
        raise _none()
    lease.give_way(_chosen(plan, lease).name)
    return Command("ALTER SYSTEM")


def _chosen(plan: PromotePlan, lease: Lease) -> PresentStandby:
    """Returns the standby that is to lead."""
    named = [each for each in lease.standbys.present if plan.standby in (None, each.name)]
    ready = [each for each in named if each.record.ready]
    match ready:
        case [only]:
            return only
        case []:
            raise _none("; ".join(f"{each.name}: {each.record.message}" for each in named))
        case _:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                "there are several standbys",
                hint=f"Name one of them: ALTER SYSTEM PROMOTE '{ready[0].name}'.",
            )


def _none(detail: str = "") -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        "there is no such standby that would lead at once",
        detail=detail or None,
        hint="mz_internal.mz_standbys has those that are there.",
    )
