"""CREATE, ALTER and VALIDATE of secrets and connections, as part of the transaction."""

from __future__ import annotations

from typing import assert_never

from catalog.changes.change import AlterConnection, AlterSecret, Change, CreateItem
from catalog.facts.roles.decide import is_superuser, require_item
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import AccessObject, Item
from catalog.translation.access_objects import find_access_object
from connectors.systems import CONNECTIONS
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import TIMESTAMP_MIN
from planner.catalog_view import QualifiedName
from planner.interpret.parameters import bind_scalar
from planner.ir.scalar import Scalar
from planner.plans.connection_plans import (
    AlterConnectionPlan,
    AlterSecretPlan,
    ConnectionPlan,
    CreateConnectionPlan,
    CreateSecretPlan,
    ValidateConnectionPlan,
)
from planner.plans.objects import ObjectKind
from planner.privileges import USAGE
from server.pgwire.backend import Command
from server.statements.sources.connection_probe import require_answer
from server.statements.statement_session import StatementSession
from server.transactions.evaluating import evaluated_values
from server.transactions.execution import Execution

_VALUE_BYTES_MAX = 1 << 16


async def sequence_connection(plan: ConnectionPlan, execution: Execution, session: StatementSession) -> Command:
    tag = _tag(plan)
    if not isinstance(plan, ValidateConnectionPlan):
        execution.transaction.require_writable(tag)
    match plan:
        case CreateSecretPlan():
            await _create_secret(plan, execution, session)
        case AlterSecretPlan():
            await _alter_secret(plan, execution, session)
        case CreateConnectionPlan():
            await _create_connection(plan, execution, session)
        case AlterConnectionPlan():
            await _alter_connection(plan, execution, session)
        case ValidateConnectionPlan(name):
            item = find_access_object(execution.catalog, execution.ddl_session, ObjectKind.CONNECTION, name)
            assert isinstance(item.definition, Connection)
            require_item(execution.catalog, execution.role, item.id, USAGE)
            await require_answer(item.definition, item.owner, execution)
        case _:
            assert_never(plan)
    return Command(tag)


def _tag(plan: ConnectionPlan) -> str:
    match plan:
        case CreateSecretPlan():
            return "CREATE SECRET"
        case AlterSecretPlan():
            return "ALTER SECRET"
        case CreateConnectionPlan():
            return "CREATE CONNECTION"
        case AlterConnectionPlan():
            return "ALTER CONNECTION"
        case ValidateConnectionPlan():
            return "VALIDATE CONNECTION"
        case _:
            assert_never(plan)


async def _create_secret(plan: CreateSecretPlan, execution: Execution, session: StatementSession) -> None:
    if _exists(plan.name, plan.if_not_exists, execution, session):
        return
    id = execution.environment.catalog.allocator.user_id()
    sealed = await _sealed(plan.value, id, execution)
    execution.change_catalog(_created(id, plan.name, sealed, execution))


async def _alter_secret(plan: AlterSecretPlan, execution: Execution, session: StatementSession) -> None:
    item = _found(ObjectKind.SECRET, plan.name, plan.if_exists, execution, session)
    if item is not None:
        execution.change_catalog(AlterSecret(item.id, await _sealed(plan.value, item.id, execution)))


async def _create_connection(plan: CreateConnectionPlan, execution: Execution, session: StatementSession) -> None:
    if _exists(plan.name, plan.if_not_exists, execution, session):
        return
    connection = Connection(plan.of, plan.options)
    _require_allowed(connection, execution)
    _require_password(connection, execution)
    change = _created(execution.environment.catalog.allocator.user_id(), plan.name, connection, execution)
    # Nobody is told a secret for a role that may not use it.
    execution.require_change(change)
    if plan.validate:
        await require_answer(connection, execution.role, execution)
    execution.change_catalog(change)


async def _alter_connection(plan: AlterConnectionPlan, execution: Execution, session: StatementSession) -> None:
    item = _found(ObjectKind.CONNECTION, plan.name, plan.if_exists, execution, session)
    if item is None:
        return
    before = item.definition
    assert isinstance(before, Connection)
    kind = CONNECTIONS[before.of]
    kind.require_names(plan.resets)
    kept = {name: value for name, value in before.options if name not in plan.resets}
    connection = Connection(before.of, kind.checked(tuple({**kept, **dict(plan.changes)}.items())))
    _require_allowed(connection, execution)
    change = AlterConnection(item.id, before, connection)
    # Another host is not told the secrets of a connection that is not the role's.
    execution.require_change(change)
    _require_password(connection, execution)
    if plan.validate:
        await require_answer(connection, item.owner, execution)
    execution.change_catalog(change)


def _require_allowed(connection: Connection, execution: Execution) -> None:
    """Raises 42501 for a connection to what is switched off."""
    if (refused := execution.environment.outside.access.to_connection(connection)) is not None:
        raise refused


def _require_password(connection: Connection, execution: Execution) -> None:
    """Raises 2F003 for a connection to PostgreSQL without a password, unless a superuser makes it: the other server may
    let in whoever runs this process."""
    if connection.of != "POSTGRES" or "PASSWORD" in dict(connection.options):
        return
    if not is_superuser(execution.newest_catalog, execution.role):
        detail = "Non-superusers must provide a PASSWORD, and the other server must ask for it."
        raise SqlError(Sqlstate.PROHIBITED_SQL_STATEMENT_ATTEMPTED, "password is required", detail=detail)


def _exists(name: QualifiedName, if_not_exists: bool, execution: Execution, session: StatementSession) -> bool:
    """Returns whether an object has the name, for IF NOT EXISTS; 42710 otherwise."""
    found = execution.catalog.find(name)
    if found is None:
        return False
    message = f'{found.kind.value} "{name.name}" already exists'
    if not if_not_exists:
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)
    session.notice(Severity.NOTICE, Sqlstate.DUPLICATE_OBJECT, f"{message}, skipping")
    return True


def _found(
    kind: ObjectKind, name: tuple[str, ...], if_exists: bool, execution: Execution, session: StatementSession
) -> Item | None:
    """Returns the object; None, with a notice, when it is missing under IF EXISTS."""
    try:
        return find_access_object(execution.catalog, execution.ddl_session, kind, name)
    except SqlError as error:
        if not if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, f"{error.message}, skipping")
        return None


def _created(id: GlobalId, name: QualifiedName, definition: AccessObject, execution: Execution) -> Change:
    oid = execution.environment.catalog.allocator.oid()
    owner = execution.ddl_session.role(execution.catalog)
    now_ms = execution.asker.now_ms()
    return CreateItem(id, oid, name.database, name.schema, name.name, owner, now_ms, definition)


async def _sealed(value: Scalar, id: GlobalId, execution: Execution) -> Secret:
    """Returns the encrypted value of an expression. Errors reveal nothing of the value."""
    bound = bind_scalar(value, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    try:
        (plain,) = await evaluated_values([bound], execution)
        data = plain.encode() if isinstance(plain, str) else plain
    except SqlError as error:
        if error.sqlstate.value.startswith("57"):
            raise
        raise SqlError(error.sqlstate, "the value of a secret cannot be computed") from None
    if not isinstance(data, bytes):
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "the value of a secret cannot be NULL")
    if len(data) > _VALUE_BYTES_MAX:
        message = f"the value of a secret cannot have more than {_VALUE_BYTES_MAX} bytes"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    environment = execution.environment
    return Secret(environment.outside.keyring.seal(data, str(id), environment.randomness))
