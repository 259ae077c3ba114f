"""Statements about roles: passwords, moments and settings as the catalog keeps them; SET ROLE."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import assert_never

from catalog.translation.roles.roles import require_system_settings
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.dispatch import format_datum, parse_datum
from model.time.clock import Randomness
from model.types.scalar_type import TIMESTAMPTZ
from planner.plans.roles import (
    AlterRolePlan,
    CreateRolePlan,
    DefaultPrivilegesPlan,
    DropOwnedPlan,
    DropRolePlan,
    GrantPlan,
    GrantRolePlan,
    OwnerPlan,
    ReassignOwnedPlan,
    RenameRolePlan,
    RoleOptions,
    RolePlan,
    RoleSettingPlan,
    SetRolePlan,
    SystemSettingPlan,
)
from server.pgwire.backend import Command
from server.pgwire.verifier import Verifier
from server.settings.becoming import ROLE, SESSION, become
from server.settings.variables import (
    TRANSACTION_VARIABLES,
    VARIABLES,
    canonical_value,
    display_name,
    unknown_variable,
)
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution

_PASSWORD_BYTES_MAX = 65_535
"""PostgreSQL's clients can send no longer ones."""
_MD5 = re.compile(r"md5[0-9a-f]{32}")
_UTC = TextContext()


def role_command_tag(plan: RolePlan) -> str:
    """Returns the command tag of a finished statement."""
    match plan:
        case CreateRolePlan():
            return "CREATE ROLE"
        case AlterRolePlan() | RenameRolePlan():
            return "ALTER ROLE"
        case RoleSettingPlan(role=role):
            return "ALTER ROLE" if role is not None or plan.database is None else "ALTER DATABASE"
        case SystemSettingPlan():
            return "ALTER SYSTEM"
        case DropRolePlan():
            return "DROP ROLE"
        case GrantRolePlan(grant=grant):
            return "GRANT ROLE" if grant else "REVOKE ROLE"
        case GrantPlan(granting=granting):
            return "GRANT" if granting.grant else "REVOKE"
        case DefaultPrivilegesPlan():
            return "ALTER DEFAULT PRIVILEGES"
        case OwnerPlan(kind):
            return f"ALTER {kind.value.upper()}"
        case ReassignOwnedPlan():
            return "REASSIGN OWNED"
        case DropOwnedPlan():
            return "DROP OWNED"
        case _:
            assert_never(plan)


async def kept_plan(plan: RolePlan, execution: Execution) -> RolePlan:
    """Returns the plan in the catalog's words: a verifier for a password, UTC for moments, and a setting's value in
    SHOW's spelling. Raises SqlError for unreadable values."""
    match plan:
        case CreateRolePlan() | AlterRolePlan():
            return replace(plan, options=await _kept_options(plan.options, execution))
        case RoleSettingPlan(name=name, value=value) if name is not None:
            kept = canonical_value(name, value) if value is not None else None
            return replace(plan, value=kept)
        case SystemSettingPlan():
            return _checked_setting(plan, execution)
        case _:
            return plan


def _checked_setting(plan: SystemSettingPlan, execution: Execution) -> SystemSettingPlan:
    """Returns the plan of ALTER SYSTEM. Raises SqlError 25001 in a transaction block, 42501 for others than superusers;
    raises 42704, 55P02 or 22023 for what can't be set."""
    if execution.transaction.lasts:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "ALTER SYSTEM cannot run inside a transaction block")
    require_system_settings(execution.newest_catalog, execution.role, plan.name)
    if plan.name is None:
        return plan
    variable = VARIABLES.get(plan.name)
    if variable is None:
        raise unknown_variable(plan.name)
    if variable.rule is None or plan.name in TRANSACTION_VARIABLES:
        message = f'parameter "{display_name(plan.name)}" cannot be changed'
        raise SqlError(Sqlstate.CANT_CHANGE_RUNTIME_PARAM, message)
    if plan.value is not None:
        canonical_value(plan.name, plan.value)
        if "\n" in plan.value:
            message = "parameter value for ALTER SYSTEM must not contain a newline"
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    return plan


async def _kept_options(options: RoleOptions, execution: Execution) -> RoleOptions:
    attributes = tuple(
        (name, _moment(value, execution.asker.text_context) if name == "valid_until" else value)
        for name, value in options.attributes
    )
    password = options.password
    if password:
        # Thousands of hashes.
        password = await asyncio.to_thread(kept_password, password, execution.environment.randomness)
    return replace(options, attributes=attributes, password=password)


def kept_password(password: str, randomness: Randomness) -> str:
    """Returns a password's verifier for pg_authid; a verifier stays as given. Raises SqlError 54000 for one that is too
    long: to prepare it takes seconds for each megabyte, and every client of the role is sent a verifier's salt."""
    if len(password.encode()) > _PASSWORD_BYTES_MAX:
        message = f"a password has {_PASSWORD_BYTES_MAX} bytes at most"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    if Verifier.is_one(password):
        return password
    if _MD5.fullmatch(password):
        raise NotSupported("passwords hashed by MD5", hint="Give the password itself, or its SCRAM-SHA-256 verifier.")
    return Verifier.of(password, randomness).text


def _moment(value: str | int | bool | None, context: TextContext) -> str | None:
    if not isinstance(value, str):
        return None
    return format_datum(parse_datum(value, TIMESTAMPTZ, context=context), TIMESTAMPTZ, _UTC)


def sequence_set_role(plan: SetRolePlan, execution: Execution, session: StatementSession) -> Command:
    """Changes the role of the session or of the transaction, and keeps the way back for a rollback; errors as of
    `become`."""
    variable = SESSION if plan.session else ROLE
    undo = become(session.variables, execution.catalog, variable, plan.name, local=plan.local)
    session.transactions.ensure().undo += undo
    return Command("RESET" if plan.reset else "SET")
