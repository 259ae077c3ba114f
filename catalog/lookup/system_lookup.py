"""planner.functions.system.lookup.SystemLookup over a CatalogState: reg* names, visibility, definitions, privileges.

What only the session or storage knows comes through SessionFacts.
"""

from __future__ import annotations

import datetime
from typing import Protocol, assert_never

from catalog.builtin.pg_catalog.code import function_names
from catalog.builtin.registry import builtin_with_oid
from catalog.changes.domains import check_definitions
from catalog.declared.stored import stored_table
from catalog.facts.comments import comment_on
from catalog.facts.constraints import constraint_definitions
from catalog.facts.defaults import shown_default
from catalog.facts.index_definitions import index_key_sql, index_sql
from catalog.facts.roles.decide import is_superuser
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.roles.row_security import binding_policies
from catalog.facts.shown import shown
from catalog.facts.visibility import effective_path, item_visible
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.privileges import allowed, any_column_allowed, column_allowed, requested_privileges
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
)
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Domain,
    Enum,
    Index,
    Item,
    MaterializedView,
    Role,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.names import quote, quote_all
from catalog.nouns.sinks import Sink, SinkProgress, ViewSink
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS, system_schema_named
from catalog.nouns.webhooks import WebhookSource
from catalog.sql.definitions import view_query
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.names import split_name
from model.types.scalar_type import TypeName, declared_oid, users_array_oid, users_type
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.temporary_schema import is_temporary, own_schema

_STORED_CATALOGS = frozenset(("pg_type", "pg_operator", "pg_collation", "pg_opclass", "pg_opfamily"))


_CREATEROLE = "CREATEROLE"
_SYSTEM_PRIVILEGES = (_CREATEROLE, "CREATEDB", "CREATECLUSTER")


class SessionFacts(Protocol):
    """The facts about a session that functions ask for, and that no catalog holds."""

    def setting(self, name: str) -> str | None:
        """Returns the value that SHOW prints; None for a setting that doesn't exist."""
        ...

    def change_setting(self, name: str, value: str, local: bool) -> str:
        """Executes SET [LOCAL] name = value; returns the value that SHOW then prints."""
        ...

    def signal_session(self, pid: int, end: bool) -> bool:
        """Cancels a session's statement, or ends the session; returns False, with a warning, when no session has the
        pid."""
        ...

    def reload_configuration(self) -> bool:
        """Has the files of the server's configuration read again."""
        ...

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        """Forgets the statistics of statements of a role, in a database, with an id; 0 stands for all."""
        ...

    def notify(self, channel: str, payload: str) -> None:
        """Executes NOTIFY."""
        ...

    def listening_channels(self) -> tuple[str, ...]:
        """Returns the channels that the session listens on."""
        ...

    def transaction_id(self) -> int: ...

    def server_version(self) -> str:
        """Returns the text of version()."""
        ...

    def started(self) -> datetime.datetime:
        """When the server started, in UTC."""
        ...

    def stored_bytes(self, id: GlobalId) -> int:
        """Bytes stored for a table."""
        ...

    @property
    def sequences(self) -> SequenceLookup:
        """Returns the newest values of sequences, as the session has used them."""
        ...

    @property
    def locks(self) -> LockLookup:
        """Returns the advisory locks, as the session may take them without waiting."""
        ...


class CatalogLookup:
    """Answers functions' questions about one version of the catalog, for one session."""

    def __init__(
        self, state: CatalogState, database: str, search_path: tuple[str, ...], user: str, facts: SessionFacts
    ) -> None:
        self._state = state
        self._database = database
        self._search_path = search_path
        self._user = user
        self._facts = facts

    def name(self, kind: TypeName, oid: int) -> str | None:
        match kind:
            case TypeName.REGCLASS:
                return self._relation_name(oid)
            case TypeName.REGTYPE:
                return self._type_name(oid)
            case TypeName.REGPROC:
                return function_name(oid)
            case TypeName.REGPROCEDURE:
                return procedure_name(oid, self._type_text)
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
                return self._relation_oid(name)
            case TypeName.REGTYPE:
                return self._type_oid(name)
            case TypeName.REGPROC:
                return function_oid(name)
            case TypeName.REGPROCEDURE:
                return procedure_oid(name, self._type_oid)
            case TypeName.REGOPER:
                return operator_oid(name)
            case TypeName.REGOPERATOR:
                return operator_signature_oid(name, self._type_oid)
            case TypeName.REGNAMESPACE:
                return self._schema_oid(".".join(split_name(name)))
            case TypeName.REGROLE:
                return self._role(".".join(split_name(name))).oid
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
            return True if oid in function_names() else None
        if catalog == "pg_type" and (type_ := self._state.type_by_oid(oid)) is not None:
            user = users_type(type_)
            return user is not None and item_visible(self._state, self._state.items[user.id], self._search_path)
        if catalog in _STORED_CATALOGS:
            return True if any(row[0] == oid for row in stored_table(catalog)) else None
        return None

    def role_name(self, oid: int) -> str | None:
        role = self._state.roles.get(oid) or predefined_roles().get(oid)
        return None if role is None else role.name

    def temporary_schema(self) -> int:
        own, database = own_schema(self._search_path), self._state.database_named(self._database)
        schema = None if own is None or database is None else self._state.schema_named(database.oid, own)
        return 0 if schema is None else schema.oid

    def is_temporary_schema(self, oid: int) -> bool:
        schema = self._state.schemas.get(oid)
        return schema is not None and is_temporary(schema.name)

    def view_definition(self, oid: int) -> str | None:
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, View | MaterializedView):
            return None
        return shown(view_query, self._state, item.definition)

    def expression_text(self, kept: str) -> str:
        return shown(shown_default, self._state, kept, self._search_path)

    @property
    def sequences(self) -> SequenceLookup:
        return self._facts.sequences

    @property
    def locks(self) -> LockLookup:
        return self._facts.locks

    def serial_sequence(self, table: str, column: str) -> str | None:
        item = StateCatalogView(self._state).resolve_item(split_name(table), self._search_path, self._database)
        if item is None:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{table}" does not exist')
        if column not in item.desc.names:
            message = f'column "{column}" of relation "{item.name.name}" does not exist'
            raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
        at = item.desc.names.index(column)
        for sequence in self._state.owned_sequences(item.id):
            assert isinstance(sequence.definition, SequenceDefinition) and sequence.definition.owned_by is not None
            if sequence.definition.owned_by.column == at:
                return quote_all(self._state.schemas[sequence.schema].name, sequence.name)
        return None

    def constraint_definition(self, oid: int, pretty: bool) -> str | None:
        """Domains and tables have some."""
        of_domains = check_definitions(self._state, pretty)
        return of_domains.get(oid) or dict(constraint_definitions(self._state, pretty, self._shown_name)).get(oid)

    def _shown_name(self, item: Item) -> str:
        """Returns the item's name, with its schema where the search path doesn't find it."""
        if item_visible(self._state, item, self._search_path):
            return quote(item.name)
        return quote_all(self._state.schemas[item.schema].name, item.name)

    def index_definition(self, oid: int, column: int, pretty: bool) -> str | None:
        """Returns the SQL of a whole index, or of its column `column` (from 1); `pretty` leaves out a schema in the
        search path."""
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, Index):
            return None
        index = item.definition
        if column == 0:
            on = self._relation_name(self._state.items[index.on.id].oid) if pretty else None
            return shown(index_sql, self._state, item, index, on)
        return shown(index_key_sql, self._state, index, column - 1, pretty) if column <= index.desc.arity else ""

    def description(self, oid: int, catalog: str, column: int) -> str | None:
        return comment_on(self._state, oid, catalog, column)

    def relation_size(self, oid: int) -> int | None:
        if builtin_with_oid(oid) is not None:
            return 0
        item = self._state.item_by_oid(oid)
        if item is None:
            return None
        return self._stored_bytes(item)

    def database_size(self, name: str) -> int:
        database = self._state.database_named(name)
        if database is None:
            raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
        return sum(
            self._stored_bytes(item)
            for schema in self._state.schemas_in(database.oid)
            for item in self._state.items_in(schema.oid)
        )

    def _stored_bytes(self, item: Item) -> int:
        match item.definition:
            case ViewSink(collection=collection):
                return self._facts.stored_bytes(collection)
            case View() | SequenceDefinition() | Enum() | Domain() | Composite() | Secret() | Connection() | Sink():
                return 0
            case SourceProgress(source_id=source):
                return self._facts.stored_bytes(GlobalId.remapping(source))
            case SinkProgress(sink_id=sink):
                return self._facts.stored_bytes(sink)
            case Table() | Source() | SourceTable() | WebhookSource():
                return self._facts.stored_bytes(item.id)
            case MaterializedView(collection=collection) | Index(collection=collection):
                return self._facts.stored_bytes(collection)
            case _:
                assert_never(item.definition)

    def setting(self, name: str) -> str | None:
        return self._facts.setting(name)

    def change_setting(self, name: str, value: str, local: bool) -> str:
        return self._facts.change_setting(name, value, local)

    def signal_session(self, pid: int, end: bool) -> bool:
        return self._facts.signal_session(pid, end)

    def reload_configuration(self) -> bool:
        return self._facts.reload_configuration()

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        self._facts.reset_statistics(role, database, query)

    def notify(self, channel: str, payload: str) -> None:
        self._facts.notify(channel, payload)

    def listening_channels(self) -> tuple[str, ...]:
        return self._facts.listening_channels()

    def transaction_id(self) -> int:
        return self._facts.transaction_id()

    def server_version(self) -> str:
        return self._facts.server_version()

    def started(self) -> datetime.datetime:
        return self._facts.started()

    def row_security_active(self, relation: int) -> bool:
        role = self._asked_role(None)
        item = self._state.item_by_oid(relation)
        return role is not None and binding_policies(self._state, item, role) is not None

    def has_privilege(self, catalog: str, user: str | int | None, item: str | int, privilege: str) -> bool | None:
        role = self._asked_role(user)
        oid = item if isinstance(item, int) else self._object_oid(catalog, item)
        requested = requested_privileges(catalog, privilege)
        if catalog == "pg_sequence":
            self._require_sequence(oid)
        return None if role is None else allowed(self._state, role, catalog, oid, requested)

    def _require_sequence(self, oid: int) -> None:
        found = self._state.item_by_oid(oid)
        if found is not None and not isinstance(found.definition, SequenceDefinition):
            raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{found.name}" is not a sequence')

    def _asked_role(self, user: str | int | None) -> int | None:
        """PUBLIC is 0, as nobody; None for an oid that is no role's."""
        if user is None:
            return self._role(self._user).oid
        if isinstance(user, str):
            return 0 if user == "public" else self._role(user).oid
        return user if user in self._state.roles or user in predefined_roles() or user == 0 else None

    def has_column_privilege(
        self, user: str | int | None, item: str | int, column: str | int | None, privilege: str
    ) -> bool | None:
        role = self._asked_role(user)
        oid = item if isinstance(item, int) else self._object_oid("pg_class", item)
        requested = requested_privileges("pg_attribute", privilege)
        if role is None:
            return None
        if column is None:
            return any_column_allowed(self._state, role, oid, requested)
        number = self._column_number(oid, column)
        return None if number is None else column_allowed(self._state, role, oid, number, requested)

    def _column_number(self, oid: int, column: str | int) -> int | None:
        """Returns the number of a relation's column, given by name or number. SqlError 42703 for a name that no column
        has; None for a number that no column has, and for an unknown relation."""
        item, builtin = self._state.item_by_oid(oid), builtin_with_oid(oid)
        if item is None and builtin is None:
            return None
        if item is not None:
            names = {desc.name: number for number, _, desc in item.numbered_columns}
        else:
            assert builtin is not None, "it is one of both"
            names = {name: number for number, name in enumerate(builtin.desc.names, 1)}
        if isinstance(column, int):
            return column if column in names.values() else None
        if column not in names:
            relation = item.name if item is not None else self._relation_name(oid)
            message = f'column "{column}" of relation "{relation}" does not exist'
            raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
        return names[column]

    def is_superuser(self) -> bool:
        return is_superuser(self._state, self._role(self._user).oid)

    def has_system_privilege(self, user: str | int | None, privilege: str) -> bool | None:
        wanted = privilege.strip().upper()
        if wanted not in _SYSTEM_PRIVILEGES:
            message = f'unrecognized privilege type: "{privilege}"'
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        oid = self._asked_role(user)
        role = None if oid is None else self._state.roles.get(oid)
        if role is None:
            return None if oid is None else False
        return role.superuser or (role.createrole if wanted == _CREATEROLE else role.createdb)

    def role_named(self, name: str) -> int:
        """Returns the oid of the role with this name. SqlError 42704 when there is no such role."""
        return self._role(name).oid

    def _object_oid(self, catalog: str, name: str) -> int:
        match catalog:
            case "pg_class" | "pg_attribute" | "pg_sequence":
                return self._relation_oid(name)
            case "pg_namespace":
                return self._schema_oid(name)
            case "pg_database":
                database = self._state.database_named(name)
                if database is None:
                    raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
                return database.oid
            case "pg_authid":
                return self._role(name).oid
            case "pg_type":
                return self._type_oid(name)
            case "pg_proc":
                return function_oid(name.partition("(")[0])
            case _:
                for row in stored_table(catalog):
                    if row[1] == name:
                        assert isinstance(row[0], int)
                        return row[0]
                noun = catalog.removeprefix("pg_")
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'{noun} "{name}" does not exist')

    def _relation_name(self, oid: int) -> str | None:
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

    def _relation_oid(self, name: str) -> int:
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
        return name if oid == item.oid else f"{name}[]"

    def _type_oid(self, name: str) -> int:
        """Returns the oid of PostgreSQL's type, or of a user's type."""
        try:
            return type_oid_named(name)
        except SqlError as unknown:
            plain = name.strip().removesuffix("[]")
            if " " in plain:
                raise unknown from None
            found = StateCatalogView(self._state).resolve_type(split_name(plain), self._search_path, self._database)
            if found is None or found.type is None:
                raise unknown from None
            return declared_oid(found.type) if plain == name.strip() else users_array_oid(found.type)

    def _schema_name(self, oid: int) -> str | None:
        for system in SYSTEM_SCHEMAS:
            if system.oid == oid:
                return system.name
        schema = self._state.schemas.get(oid)
        return None if schema is None else quote(schema.name)

    def _schema_oid(self, name: str) -> int:
        system = system_schema_named(name)
        if system is not None:
            return system.oid
        database = self._state.database_named(self._database)
        schema = None if database is None else self._state.schema_named(database.oid, name)
        if schema is None:
            raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
        return schema.oid

    def _role(self, name: str) -> Role:
        role = self._state.role_named(name)
        if role is None:
            role = next((each for each in predefined_roles().values() if each.name == name), None)
        if role is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'role "{name}" does not exist')
        return role
