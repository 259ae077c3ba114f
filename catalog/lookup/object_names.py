"""Names and oids of objects in one version of the catalog: what regclass, regtype and the like read and print.

A name without a schema is looked up along the session's search path, and an object that the path finds prints without
its schema: on the path `public`, the table `public.t` prints as `t`, and `"My s".t` as it stands.
"""

from __future__ import annotations

from catalog.builtin.pg_catalog.code import function_names
from catalog.builtin.registry import builtin_with_oid
from catalog.declared.stored import stored_table
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.visibility import effective_path, item_visible
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.reg_types import type_name, type_oid_named
from catalog.lookup.signatures import (
    function_name,
    function_oid,
    operator_name,
    operator_oid,
    operator_signature,
    operator_signature_oid,
    procedure_name,
    procedure_oid,
    signature_of,
)
from catalog.nouns.items import FunctionDefinition, Role
from catalog.nouns.names import quote, quote_all
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS, system_schema_named
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.names import split_name
from model.types.scalar_type import TypeName, declared_oid, users_array_oid, users_type
from planner.catalog_view import ItemView

_STORED_CATALOGS = frozenset(("pg_type", "pg_operator", "pg_collation", "pg_opclass", "pg_opfamily"))


class NamedObjects:
    """Names the objects of a catalog for a session. It is a planner.functions.system.name_lookup.NameLookup."""

    def __init__(self, state: CatalogState, database: str, search_path: tuple[str, ...], user: str) -> None:
        self._state = state
        self._database = database
        self._search_path = search_path
        self._user = user

    def name(self, kind: TypeName, oid: int) -> str | None:
        match kind:
            case TypeName.REGCLASS:
                return self.relation_name(oid)
            case TypeName.REGTYPE:
                return self._type_name(oid)
            case TypeName.REGPROC:
                return function_name(oid) or self._users_function(oid, with_types=False)
            case TypeName.REGPROCEDURE:
                return procedure_name(oid, self._type_text) or self._users_function(oid, with_types=True)
            case TypeName.REGOPER:
                return operator_name(oid)
            case TypeName.REGOPERATOR:
                return operator_signature(oid, self._type_text)
            case TypeName.REGNAMESPACE:
                return self._schema_name(oid)
            case TypeName.REGROLE:
                role = self.role_name(oid)
                return None if role is None else quote(role)
            case _:
                raise AssertionError(f"{kind} is not a reg* type")

    def oid(self, kind: TypeName, name: str) -> int:
        match kind:
            case TypeName.REGCLASS:
                return self.relation_oid(name)
            case TypeName.REGTYPE:
                return self.type_oid(name)
            case TypeName.REGPROC:
                return self._function_oid(name)
            case TypeName.REGPROCEDURE:
                return self._procedure_oid(name)
            case TypeName.REGOPER:
                return operator_oid(name)
            case TypeName.REGOPERATOR:
                return operator_signature_oid(name, self.type_oid)
            case TypeName.REGNAMESPACE:
                return self.schema_oid(".".join(split_name(name)))
            case TypeName.REGROLE:
                return self.role(".".join(split_name(name))).oid
            case _:
                raise AssertionError(f"{kind} is not a reg* type")

    def visible(self, catalog: str, oid: int) -> bool | None:
        if catalog == "pg_class":
            builtin = builtin_with_oid(oid)
            if builtin is not None:
                return builtin.schema in effective_path(self._search_path)
            item = self._state.item_by_oid(oid)
            return None if item is None else item_visible(self._state, item, self._search_path)
        if catalog == "pg_proc":
            item = self._state.item_by_oid(oid)
            if item is not None and isinstance(item.definition, FunctionDefinition):
                return self._state.schemas[item.schema].name in effective_path(self._search_path)
            return True if oid in function_names() else None
        if catalog == "pg_type" and (type_ := self._state.type_by_oid(oid)) is not None:
            user = users_type(type_)
            return user is not None and item_visible(self._state, self._state.items[user.id], self._search_path)
        if catalog in _STORED_CATALOGS:
            return True if any(row[0] == oid for row in stored_table(catalog)) else None
        return None

    def _users_function(self, oid: int, *, with_types: bool) -> str | None:
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, FunctionDefinition):
            return None
        schema = self._state.schemas[item.schema].name
        path, types = effective_path(self._search_path), item.definition.rules.types
        name = quote(item.name) if schema in path else quote_all(schema, item.name)
        return f"{name}({','.join(self._type_text(declared_oid(type_)) for type_ in types)})" if with_types else name

    def _users_functions(self, name: str) -> tuple[ItemView, ...]:
        view = StateCatalogView(self._state)
        return view.resolve_functions(split_name(name), self._search_path, self._database)

    def _function_oid(self, name: str) -> int:
        """Returns the oid of the only function of a name. Raises SqlError 42883 for no such function, 42725 for
        several."""
        found = self._users_functions(name)
        if len(found) > 1:
            raise SqlError(Sqlstate.AMBIGUOUS_FUNCTION, f'more than one function named "{name}"')
        return found[0].oid if found else function_oid(name)

    def _procedure_oid(self, text: str) -> int:
        """Returns the oid of the function with exactly these argument types."""
        name, arguments = signature_of(text)
        types = tuple(map(self.type_oid, arguments))
        for each in self._users_functions(name):
            if each.function is not None and tuple(map(declared_oid, each.function.types)) == types:
                return each.oid
        return procedure_oid(text, self.type_oid)

    def role_name(self, oid: int) -> str | None:
        role = self._state.roles.get(oid) or predefined_roles().get(oid)
        return None if role is None else role.name

    def relation_name(self, oid: int) -> str | None:
        builtin = builtin_with_oid(oid)
        if builtin is not None:
            visible = builtin.schema in effective_path(self._search_path)
            return quote(builtin.name) if visible else quote_all(builtin.schema, builtin.name)
        item = self._state.item_by_oid(oid)
        if item is None:
            return None
        if item_visible(self._state, item, self._search_path):
            return quote(item.name)
        return quote_all(self._state.schemas[item.schema].name, item.name)

    def relation_oid(self, name: str) -> int:
        role = self._state.role_named(self._user)
        view = StateCatalogView(self._state, None if role is None else role.oid)
        item = view.resolve_item(split_name(name), self._search_path, self._database)
        if item is None:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist')
        return item.oid

    def _type_name(self, oid: int) -> str | None:
        return type_name(oid) or self._users_type_name(oid)

    def _type_text(self, oid: int) -> str:
        return self._type_name(oid) or "???"

    def _users_type_name(self, oid: int) -> str | None:
        type_ = self._state.type_by_oid(oid)
        user = None if type_ is None else users_type(type_)
        if type_ is None or user is None:
            return None
        item = self._state.items[user.id]
        visible = item_visible(self._state, item, self._search_path)
        name = quote(item.name) if visible else quote_all(self._state.schemas[item.schema].name, item.name)
        return name if oid == declared_oid(item.value_type or type_) else f"{name}[]"

    def type_oid(self, name: str) -> int:
        """Returns the oid of PostgreSQL's type, or of a user's type."""
        try:
            return type_oid_named(name)
        except SqlError as unknown:
            plain = name.strip().removesuffix("[]")
            if " " in plain:
                raise unknown from None
            found = StateCatalogView(self._state).resolve_type(split_name(plain), self._search_path, self._database)
            type_ = None if found is None else found.value_type
            if type_ is None:
                raise unknown from None
            return declared_oid(type_) if plain == name.strip() else users_array_oid(type_)

    def _schema_name(self, oid: int) -> str | None:
        for system in SYSTEM_SCHEMAS:
            if system.oid == oid:
                return system.name
        schema = self._state.schemas.get(oid)
        return None if schema is None else quote(schema.name)

    def schema_oid(self, name: str) -> int:
        system = system_schema_named(name)
        if system is not None:
            return system.oid
        database = self._state.database_named(self._database)
        schema = None if database is None else self._state.schema_named(database.oid, name)
        if schema is None:
            raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
        return schema.oid

    def role(self, name: str) -> Role:
        role = self._state.role_named(name)
        if role is None:
            role = next((each for each in predefined_roles().values() if each.name == name), None)
        if role is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'role "{name}" does not exist')
        return role

    def role_named(self, name: str) -> int:
        """Returns the oid of the role with this name. Raises SqlError 42704 when there is no such role."""
        return self.role(name).oid

    def object_oid(self, catalog: str, name: str) -> int:
        match catalog:
            case "pg_class" | "pg_attribute" | "pg_sequence":
                return self.relation_oid(name)
            case "pg_namespace":
                return self.schema_oid(name)
            case "pg_database":
                database = self._state.database_named(name)
                if database is None:
                    raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
                return database.oid
            case "pg_authid":
                return self.role(name).oid
            case "pg_type":
                return self.type_oid(name)
            case "pg_proc":
                return self._procedure_oid(name) if "(" in name else self._function_oid(name)
            case _:
                for row in stored_table(catalog):
                    if row[1] == name:
                        assert isinstance(row[0], int)
                        return row[0]
                noun = catalog.removeprefix("pg_")
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'{noun} "{name}" does not exist')
