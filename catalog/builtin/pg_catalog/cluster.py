"""The relations that all databases share: databases, roles, tablespaces, settings; and the schemas of the reader's
database."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.code import pg_proc
from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_table
from catalog.facts.roles.shown_acls import role_name, shown_acl
from catalog.nouns.items import SUPERUSER_OID
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from model.types.datum import Row

_DEFAULT_TABLESPACE_OID = 1663
_UTF8 = 6
_SYSTEM_FILE = "postgresql.auto.conf"


_PG_PROC_OID, _PG_NAMESPACE_OID = 1255, 2615


def _system_acl(snapshot: SystemSnapshot) -> tuple[str, ...]:
    """Returns the access list of each of the system's schemas."""
    owner = role_name(snapshot.state, SUPERUSER_OID)
    return f"{owner}=UC/{owner}", f"=U/{owner}"


def pg_namespace(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_namespace")
    for schema in SYSTEM_SCHEMAS:
        yield make(oid=schema.oid, nspname=schema.name, nspowner=SUPERUSER_OID, nspacl=_system_acl(snapshot))
    database = snapshot.state.database_named(snapshot.database)
    if database is not None:
        for own in snapshot.state.schemas_in(database.oid):
            acl = shown_acl(snapshot.state, own.oid)
            yield make(oid=own.oid, nspname=own.name, nspowner=own.owner, nspacl=acl)


def pg_init_privs(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the privileges that a new server has given: pg_dump repeats those alone that differ from them."""
    make = shape("pg_init_privs")
    for schema in SYSTEM_SCHEMAS:
        yield make(objoid=schema.oid, classoid=_PG_NAMESPACE_OID, privtype="i", initprivs=_system_acl(snapshot))
    names = stored_desc("pg_proc").names
    for row in pg_proc(snapshot):
        oid, acl = row[names.index("oid")], row[names.index("proacl")]
        if acl is not None:
            yield make(objoid=oid, classoid=_PG_PROC_OID, privtype="i", initprivs=acl)


def pg_database(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_database")
    for database in snapshot.state.databases.values():
        yield make(
            oid=database.oid,
            datname=database.name,
            datdba=database.owner,
            encoding=_UTF8,
            datlocprovider="c",
            datallowconn=True,
            datconnlimit=-1,
            dattablespace=_DEFAULT_TABLESPACE_OID,
            datcollate="C",
            datctype="C.UTF-8",
            datacl=shown_acl(snapshot.state, database.oid),
        )


def pg_tablespace(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_tablespace")


def pg_settings(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_settings")
    for setting in sorted(snapshot.reader.settings, key=lambda setting: setting.name):
        yield make(
            name=setting.name,
            setting=setting.value,
            unit=setting.unit,
            category=setting.category,
            short_desc=setting.description,
            context=setting.context,
            vartype=setting.kind,
            min_val=setting.least,
            max_val=setting.most,
            enumvals=setting.choices,
            source=setting.source,
            boot_val=setting.value if setting.default is None else setting.default,
            reset_val=setting.value if setting.reset is None else setting.reset,
            pending_restart=False,
        )


def pg_file_settings(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Returns what ALTER SYSTEM has set, which lies in the catalog. The line is that of PostgreSQL's file, which begins
    with two of comments."""
    make = shape("pg_file_settings")
    for at, setting in enumerate(snapshot.state.system_settings, 1):
        name, _, value = setting.partition("=")
        yield make(
            sourcefile=_SYSTEM_FILE, sourceline=at + 2, seqno=at, name=name, setting=value, applied=True, error=None
        )
