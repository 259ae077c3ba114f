"""The relations that all databases share: databases, roles, tablespaces, settings; and the schemas of the reader's
database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_table
from catalog.nouns.items import SUPERUSER_OID, Role
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from model.types.datum import Row

_DEFAULT_TABLESPACE_OID = 1663
_UTF8 = 6


def pg_namespace(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_namespace")
    for schema in SYSTEM_SCHEMAS:
        yield make(oid=schema.oid, nspname=schema.name, nspowner=SUPERUSER_OID)
    database = snapshot.state.database_named(snapshot.database)
    if database is not None:
        for own in snapshot.state.schemas_in(database.oid):
            yield make(oid=own.oid, nspname=own.name, nspowner=own.owner)


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
        )


def pg_tablespace(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_tablespace")


@cache
def predefined_roles() -> Mapping[int, Role]:
    """Returns PostgreSQL's predefined roles by oid; nobody can log in as one."""
    names = stored_desc("pg_authid").names
    oid, name = names.index("oid"), names.index("rolname")
    found = [
        Role(int(str(row[oid])), str(row[name]), superuser=False, createrole=False, createdb=False, login=False)
        for row in stored_table("pg_authid")
    ]
    return {role.oid: role for role in found}


def roles(snapshot: SystemSnapshot) -> list[Role]:
    """Returns the catalog's roles, then the predefined ones."""
    return [*snapshot.state.roles.values(), *predefined_roles().values()]


def pg_authid(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_authid")
    for role in roles(snapshot):
        yield make(
            oid=role.oid,
            rolname=role.name,
            rolsuper=role.superuser,
            rolinherit=role.inherit,
            rolcreaterole=role.createrole,
            rolcreatedb=role.createdb,
            rolcanlogin=role.login,
            rolreplication=role.superuser,
            rolbypassrls=role.superuser,
            rolconnlimit=-1,
        )


def pg_roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_roles")
    for role in roles(snapshot):
        yield make(
            oid=role.oid,
            rolname=role.name,
            rolsuper=role.superuser,
            rolinherit=role.inherit,
            rolcreaterole=role.createrole,
            rolcreatedb=role.createdb,
            rolcanlogin=role.login,
            rolreplication=role.superuser,
            rolbypassrls=role.superuser,
            rolconnlimit=-1,
            rolpassword="********",
        )


def pg_user(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_user")
    for role in snapshot.state.roles.values():
        if role.login:
            yield make(
                usename=role.name,
                usesysid=role.oid,
                usecreatedb=role.createdb,
                usesuper=role.superuser,
                userepl=role.superuser,
                usebypassrls=role.superuser,
                passwd="********",
            )


def pg_settings(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_settings")
    for setting in sorted(snapshot.settings, key=lambda setting: setting.name):
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
            source="default" if setting.default in (None, setting.value) else "session",
            boot_val=setting.value if setting.default is None else setting.default,
            reset_val=setting.value if setting.default is None else setting.default,
            pending_restart=False,
        )
