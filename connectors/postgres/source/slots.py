"""Replication slots: upstream's record of a source's progress, which keeps the WAL behind that point from being
removed.

A slot belongs to one source. Its `confirmed_flush_lsn` is the last durable bound that the source has acknowledged:
never beyond the source's bound, unless somebody has moved the slot, or upstream is another database.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import psycopg
from psycopg import sql

from connectors.postgres.probe import Upstream, connected, reason_of
from connectors.postgres.source.walsender import format_lsn, parse_lsn
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import UpstreamSystem

_LOOKS, _LOOK_S = 200, 0.05
_ANEW = "Drop the source and create it again."


def identify(replication: Upstream) -> tuple[UpstreamSystem, int]:
    """Returns the database system, and the end of its WAL."""
    row = replication.execute("IDENTIFY_SYSTEM").fetchone()
    assert row is not None
    return UpstreamSystem(str(row[0]), int(row[1])), parse_lsn(str(row[2]))


def require_system(replication: Upstream, system: UpstreamSystem, bound: int) -> None:
    """Raises 55000 where WAL positions no longer mean the same, or the WAL ends before the bound."""
    now, wal_end = identify(replication)
    if now.identifier != system.identifier:
        what, detail = "is not the database system", f"It has the identifier {now.identifier}, not {system.identifier}."
    elif now.timeline != system.timeline:
        what, detail = "is on another timeline than", f"It is on timeline {now.timeline}, not {system.timeline}."
    elif wal_end < bound:
        what, detail = "has less WAL than", f"It ends at {format_lsn(wal_end)}, and was read up to {format_lsn(bound)}."
    else:
        return
    raise SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f"upstream {what} that the source has read",
        detail=f"{detail} It was restored from a backup, or another server has taken its place.",
        hint=_ANEW,
    )


def require_slot(upstream: Upstream, slot: str, bound: int) -> None:
    """Raises 55000 for a slot that no longer has all changes from `bound` on."""
    row = upstream.execute(
        "SELECT confirmed_flush_lsn::text, wal_status FROM pg_replication_slots WHERE slot_name = %s", (slot,)
    ).fetchone()
    if row is None:
        why = "It was dropped, or the server was restored from a backup."
    elif row[1] == "lost":
        why = "The server has removed WAL that it needs: see its max_slot_wal_keep_size."
    elif row[0] is not None and parse_lsn(row[0]) > bound:
        why = f"It was moved to {row[0]} by somebody else; the source was read up to {format_lsn(bound)}."
    else:
        return
    raise SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'replication slot "{slot}" no longer has the changes that come next',
        detail=why,
        hint=_ANEW,
    )


def standing(upstream: Upstream, slot: str) -> int | None:
    """Returns the position from which the slot has everything; None when there is no slot, or it has lost WAL."""
    row = upstream.execute(
        "SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE slot_name = %s AND wal_status <> 'lost'",
        (slot,),
    ).fetchone()
    return None if row is None or row[0] is None else parse_lsn(row[0])


def free_slot(upstream: Upstream, slot: str) -> bool:
    """Ends whoever reads the slot, as a process of ours that is no more than a shadow may; false when it won't."""
    for _ in range(_LOOKS):
        found = upstream.execute(
            "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = %s AND active", (slot,)
        ).fetchone()
        if found is None:
            return True
        upstream.execute("SELECT pg_sleep(%s)", (_LOOK_S,))
    return False


def drop_slot(upstream: Upstream, slot: str) -> None:
    """Drops the slot; does nothing where there is none."""
    free_slot(upstream, slot)
    with contextlib.suppress(psycopg.errors.UndefinedObject):
        upstream.execute("SELECT pg_drop_replication_slot(%s)", (slot,))


def create_slot(replication: Upstream, slot: str, *, lasting: bool) -> tuple[int, str]:
    """Creates a slot, and returns its consistent point and its snapshot: transactions that commit at the point or
    later are in the slot, all earlier ones in the snapshot. The snapshot lasts until the connection does anything
    else; a slot that is not `lasting`, until the connection ends."""
    create = sql.SQL("CREATE_REPLICATION_SLOT {}{} LOGICAL pgoutput EXPORT_SNAPSHOT").format(
        sql.Identifier(slot), sql.SQL("" if lasting else " TEMPORARY")
    )
    row = replication.execute(create).fetchone()
    assert row is not None
    return parse_lsn(str(row[1])), str(row[2])


def drop_temporary_slot(replication: Upstream, slot: str) -> None:
    """Drops a temporary slot, on the connection that has created it."""
    replication.execute(sql.SQL("DROP_REPLICATION_SLOT {}").format(sql.Identifier(slot)))


def forget_slot(settings: Mapping[str, str], slot: str, system: str) -> None:
    """Drops a slot of a source that is gone. Raises Unreachable when that fails for now, or another database system
    answers: the slot may then still exist."""
    try:
        with connected(settings, replication=True) as replication:
            now, _ = identify(replication)
        if now.identifier != system:
            raise Unreachable(f"another database system answers: {now.identifier}, not {system}")
        with connected(settings) as upstream:
            drop_slot(upstream, slot)
    except psycopg.Error as failure:
        raise Unreachable(reason_of(failure)) from None


def in_use(error: psycopg.Error) -> bool:
    """Tells whether an error says that somebody else reads the slot."""
    return isinstance(error, psycopg.errors.ObjectInUse)
