"""Sessions and their resources: pg_stat_activity, prepared statements, cursors; and time zones."""

from __future__ import annotations

import datetime
import decimal
import zoneinfo
from collections.abc import Iterable

from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.decide import has_privileges_of
from catalog.facts.roles.predefined import READ_ALL_STATS
from catalog.state.catalog_state import CatalogState
from model.types.datum import Datum, Interval, Row


def pg_stat_activity(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_stat_activity")
    reader = snapshot.state.role_named(snapshot.reader.user)
    waiting = {lock.pid: lock.kind for lock in snapshot.locks if not lock.granted}
    for session in snapshot.sessions:
        database = snapshot.state.database_named(session.database)
        role = snapshot.state.role_named(session.user)
        if reader is None or role is None or not _tells(snapshot.state, reader.oid, role.oid):
            yield make(
                datid=None if database is None else database.oid,
                datname=session.database,
                pid=session.pid,
                usesysid=None if role is None else role.oid,
                usename=session.user,
                application_name=session.application_name,
                query="<insufficient privilege>",
            )
            continue
        yield make(
            datid=None if database is None else database.oid,
            datname=session.database,
            pid=session.pid,
            usesysid=None if role is None else role.oid,
            usename=session.user,
            application_name=session.application_name,
            client_addr=session.client_address,
            client_port=session.client_port,
            backend_start=session.connected_at,
            xact_start=session.transaction_started_at,
            query_start=session.query_started_at,
            state_change=session.query_started_at,
            wait_event_type="Lock" if session.pid in waiting else None,
            wait_event=waiting.get(session.pid),
            state=session.state,
            query=session.query,
            backend_type=session.kind,
        )


def pg_stat_ssl(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_stat_ssl")
    reader = snapshot.state.role_named(snapshot.reader.user)
    for session in snapshot.sessions:
        role, encryption = snapshot.state.role_named(session.user), session.encryption
        if reader is None or role is None or not _tells(snapshot.state, reader.oid, role.oid):
            yield make(pid=session.pid)
            continue
        if encryption is None:
            yield make(pid=session.pid, ssl=False)
            continue
        serial = encryption.client_serial
        yield make(
            pid=session.pid,
            ssl=True,
            version=encryption.version,
            cipher=encryption.cipher,
            bits=encryption.bits,
            client_dn=encryption.client_name,
            client_serial=None if serial is None else decimal.Decimal(serial),
            issuer_dn=encryption.issuer_name,
        )


def _tells(state: CatalogState, reader: int, role: int) -> bool:
    """Returns whether a reader may see the statements of a role's sessions."""
    return has_privileges_of(state, reader, role) or has_privileges_of(state, reader, READ_ALL_STATS)


def pg_hba_file_rules(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the rules for clients, from the last reading of the file."""
    make = shape("pg_hba_file_rules")
    for rule in snapshot.rules:
        yield make(
            rule_number=rule.number,
            file_name=rule.file,
            line_number=rule.line,
            type=rule.place,
            database=rule.databases,
            user_name=rule.users,
            address=rule.address,
            netmask=rule.netmask,
            auth_method=rule.method,
            options=rule.options,
            error=rule.error,
        )


def pg_prepared_statements(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_prepared_statements")
    for prepared in snapshot.reader.prepared:
        yield make(
            name=prepared.name,
            statement=prepared.statement,
            prepare_time=prepared.prepared_at,
            parameter_types=prepared.parameter_types,
            from_sql=prepared.from_sql,
        )


def pg_cursors(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_cursors")
    for cursor in snapshot.reader.cursors:
        yield make(
            name=cursor.name,
            statement=cursor.statement,
            is_holdable=cursor.holdable,
            is_binary=cursor.binary,
            is_scrollable=cursor.scrollable,
            creation_time=cursor.created_at,
        )


def pg_locks(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists locks. A lock on a row is shown as one on a tuple of its table, without a place, because rows have none."""
    make = shape("pg_locks")
    database = snapshot.state.database_named(snapshot.database)
    for lock in snapshot.locks:
        held: dict[str, Datum] = {
            "virtualtransaction": f"{lock.pid}/0" if lock.pid else f"-1/{lock.transaction}",
            "pid": lock.pid or None,
            "mode": lock.mode,
            "granted": lock.granted,
        }
        if lock.advisory is not None:
            oid, key = lock.advisory
            place: dict[str, Datum] = {"classid": key.classid, "objid": key.objid, "objsubid": key.objsubid}
            yield make(locktype=lock.kind, database=oid, **place, **held, fastpath=False)
            continue
        item = None if lock.table is None else snapshot.state.items.get(lock.table)
        yield make(
            locktype=lock.kind,
            database=None if database is None else database.oid,
            relation=None if item is None else item.oid,
            **held,
            fastpath=False,
        )


def pg_prepared_xacts(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, state = shape("pg_prepared_xacts"), snapshot.state
    for prepared in snapshot.prepared_transactions:
        owner, database = state.roles.get(prepared.role), state.databases.get(prepared.database)
        yield make(
            transaction=prepared.number,
            gid=prepared.gid,
            prepared=datetime.datetime.fromtimestamp(prepared.prepared_ms / 1000, datetime.UTC),
            owner=None if owner is None else owner.name,
            database=None if database is None else database.name,
        )


def pg_timezone_names(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists time zones with their offsets at the time of the read."""
    make = shape("pg_timezone_names")
    for name in sorted(zoneinfo.available_timezones()):
        local = snapshot.now.astimezone(zoneinfo.ZoneInfo(name))
        offset = local.utcoffset() or datetime.timedelta()
        yield make(
            name=name,
            abbrev=local.tzname(),
            utc_offset=Interval(0, 0, offset // datetime.timedelta(microseconds=1)),
            is_dst=bool(local.dst()),
        )
