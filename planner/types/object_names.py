"""Names in reg* constants, read while planning: 'orders'::regclass means the table that FROM orders would."""

from __future__ import annotations

import re

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.names import split_name, type_named
from model.types.scalar_type import ScalarType, TypeName, array_of, declared_oid, type_oid, users_array_oid, users_type
from planner.catalog_view import PlanningContext

_ROLE_OID = 10
_MODIFIERS = re.compile(r" *\([^()]*\)")


class CatalogNames:
    """model.text.context.ObjectNames over one version of the catalog."""

    def __init__(self, context: PlanningContext, used: set[GlobalId]) -> None:
        """Adds named relations to `used`: a view depends on the relations that its text names."""
        self._context = context
        self._used = used

    def name(self, kind: TypeName, oid: int) -> str | None:
        """Returns the name to print for an oid; None prints the number."""
        if kind is not TypeName.REGCLASS:
            return None
        item = self._context.catalog.item_by_oid(oid)
        return None if item is None else item.name.name

    def oid(self, kind: TypeName, name: str) -> int:
        """Returns the oid that a name means; raises SqlError when no object has the name."""
        match kind:
            case TypeName.REGCLASS:
                return self._relation(name)
            case TypeName.REGTYPE:
                return self._type(name)
            case TypeName.REGNAMESPACE:
                return self._schema(name)
            case TypeName.REGROLE:
                if name == self._context.user:
                    return _ROLE_OID
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'role "{name}" does not exist')
            case _:
                raise NotSupported(f"an array of {kind} as a constant", hint="Use ARRAY[...].")

    def _relation(self, name: str) -> int:
        context = self._context
        item = context.catalog.resolve_item(split_name(name), context.search_path, context.database)
        if item is None:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist')
        self._used.add(item.id)
        return item.oid

    def _schema(self, name: str) -> int:
        oid = self._context.catalog.schema_oid(self._context.database, split_name(name)[-1])
        if oid is None:
            raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
        return oid

    def _type(self, name: str) -> int:
        plain = _MODIFIERS.sub("", name).strip().removesuffix("[]").strip()
        type_ = type_named(plain.removeprefix("pg_catalog."))
        if type_ is None and (system := self._context.catalog.system_type_oid(name)) is not None:
            return system
        type_ = type_ or self._users_type(plain)
        if type_ is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{name}" does not exist')
        if not name.strip().endswith("[]"):
            return declared_oid(type_)
        return type_oid(array_of(type_)) if users_type(type_) is None else users_array_oid(type_)

    def _users_type(self, name: str) -> ScalarType | None:
        context = self._context
        if " " in name:
            return None
        item = context.catalog.resolve_type(split_name(name), context.search_path, context.database)
        if item is None:
            return None
        self._used.add(item.id)
        return item.value_type
