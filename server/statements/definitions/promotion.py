"""ALTER SYSTEM PROMOTE: the server that leads gives way to a standby, which leads at once.

Unless FORCE is given, the statement waits until the standby's views and indexes are up to date; then until the standby
has answered. The statement is answered before anything ends. Then each connection ends as it comes to the end
of its transaction, and the standby takes over.
"""

from __future__ import annotations

from catalog.facts.roles.decide import is_superuser
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.replicas import PromotePlan
from server.pgwire.backend import Command
from server.transactions.execution import Execution
from storage.persist.location import Indeterminate
from timeline.lease import Lease
from timeline.promotion import PresentStandby

_CATCHES_UP_S = 60.0
_LOOK_S = 0.1


async def sequence_promotion(plan: PromotePlan, execution: Execution) -> Command:
    """Begins the changeover. SqlError: 42501 for others than superusers, 25001 in a transaction block, 55000 without a
    standby that would lead at once and answers, with several while none is named, and for one that stays behind."""
    if not is_superuser(execution.newest_catalog, execution.role):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to promote a standby")
    if execution.transaction.lasts:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "ALTER SYSTEM PROMOTE cannot run inside a transaction block")
    lease = execution.environment.outside.lease
    if lease is None:
        raise _none()
    standby = _chosen(plan, lease)
    if not plan.force:
        await _until_caught_up(standby.name, lease, execution)
    try:
        answers = await lease.answers(standby.name)
    except Indeterminate as error:
        raise SqlError(Sqlstate.IO_ERROR, "the standby could not be asked", detail=str(error)) from error
    if not answers:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'standby "{standby.name}" does not answer',
            detail="This server leads on.",
        )
    lease.give_way(standby.name)
    return Command("ALTER SYSTEM")


async def _until_caught_up(name: str, lease: Lease, execution: Execution) -> None:
    """Waits until a standby's views and indexes are up to date. SqlError 55000 when the standby is gone, or stays
    behind for long."""
    clock = execution.environment.clock
    begun_ns = clock.elapsed_ns()
    while True:
        found = next((each.record for each in lease.standbys.present if each.name == name), None)
        if found is None:
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'standby "{name}" is gone')
        if found.caught_up:
            return
        if clock.elapsed_ns() - begun_ns > _CATCHES_UP_S * 1e9:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'standby "{name}" is not up to date',
                detail=found.message,
                hint="ALTER SYSTEM PROMOTE … FORCE does not wait; what has not hydrated by then hydrates afterwards.",
            )
        await clock.sleep(_LOOK_S)


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
