"""pg_extension: what tools take for extensions, and the relations that belong to one.

pg_stat_statements  tools look there whether they may ask
pg_trgm, vector     the functions and operators are built in
pgcrypto, uuid-ossp likewise, of pgcrypto some
plpgsql             the language
headwater           has the relations of mz_catalog and mz_internal, so that pg_dump leaves them out as the server's own
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.own_items import PG_CLASS_OID
from catalog.builtin.shape import shape
from catalog.declared.listing import declarations
from catalog.declared.snapshot import SystemSnapshot
from catalog.nouns.items import SUPERUSER_OID
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from model.types.datum import Datum, Row

_PG_NAMESPACE_OID, _PG_EXTENSION_OID = 2615, 3079
_OWN_OID = 13998
_EXTENSIONS = (
    (_OWN_OID, "headwater", "1.0"),
    (13999, "pg_stat_statements", "1.10"),
    (13997, "pg_trgm", "1.6"),
    (13996, "vector", "0.7.4"),
    (13995, "pgcrypto", "1.3"),
    (13994, "uuid-ossp", "1.1"),
    (13993, "plpgsql", "1.0"),
)
"""By oids below 16384, which say that a new server has them: pg_dump does not make them."""
_POSTGRES_OWN = ("pg_catalog", "information_schema")


def pg_extension(_snapshot: SystemSnapshot) -> Iterable[Row]:
    (schema,) = (schema.oid for schema in SYSTEM_SCHEMAS if schema.name == "pg_catalog")
    for oid, name, version in _EXTENSIONS:
        yield shape("pg_extension")(
            oid=oid,
            extname=name,
            extowner=SUPERUSER_OID,
            extnamespace=schema,
            extrelocatable=False,
            extversion=version,
        )


def extension_dependencies() -> Iterable[Row]:
    """Lists the schemas and relations that PostgreSQL lacks as members (e) of the server's own extension."""
    make = shape("pg_depend")
    to: dict[str, Datum] = {"refclassid": _PG_EXTENSION_OID, "refobjid": _OWN_OID, "deptype": "e"}
    for schema in SYSTEM_SCHEMAS:
        if schema.name not in _POSTGRES_OWN:
            yield make(classid=_PG_NAMESPACE_OID, objid=schema.oid, **to)
    for relation in declarations():
        if relation.schema not in _POSTGRES_OWN:
            yield make(classid=PG_CLASS_OID, objid=relation.oid, **to)
