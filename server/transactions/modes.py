"""The modes of a transaction: when each may change, and SET and set_config() of the variables that are modes."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.session import BeginPlan, SetTransactionPlan
from server.settings.variables import TRANSACTION_VARIABLES, canonical_value
from server.transactions.transaction import Transaction


def require_before_queries(transaction: Transaction, plan: BeginPlan | SetTransactionPlan) -> None:
    """Raises SqlError 25001 for modes that a transaction can't change once it has done something."""
    changed = plan.isolation is not None and plan.isolation != transaction.isolation
    message = None
    if plan.read_only is False and transaction.read_only and transaction.savepoints:
        message = "cannot set transaction read-write mode inside a read-only transaction"
    elif not transaction.queried:
        return
    elif plan.read_only is False and transaction.read_only:
        message = "transaction read-write mode must be set before any query"
    elif changed:
        message = "SET TRANSACTION ISOLATION LEVEL must be called before any query"
    elif plan.deferrable is not None:
        message = "SET TRANSACTION [NOT] DEFERRABLE must be called before any query"
    if message is not None:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, message)


def change_mode(transaction: Transaction, variable: str, value: str | None) -> None:
    """Changes the transaction's mode where the variable is one. Raises SqlError 25001 as SET TRANSACTION does, 22023
    for a value that the mode can't have."""
    name = variable.lower()
    if value is None or name not in TRANSACTION_VARIABLES:
        return
    value = canonical_value(name, value)
    match name:
        case "transaction_isolation":
            require_before_queries(transaction, BeginPlan(value, None, None))
            transaction.isolation = value
        case "transaction_read_only":
            require_before_queries(transaction, BeginPlan(None, value == "on", None))
            transaction.read_only = value == "on"
        case _:
            require_before_queries(transaction, BeginPlan(None, None, value == "on"))
            transaction.deferrable = value == "on"
