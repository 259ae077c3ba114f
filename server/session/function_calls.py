"""Calls of functions by oid, as the protocol's FunctionCall asks for them, as statements."""

from __future__ import annotations

from typing import Protocol

from catalog.lookup.signatures import signature_of_oid
from catalog.nouns.items import FunctionDefinition
from catalog.nouns.names import quote_all
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import type_oid
from planner.functions.registry import functions_named
from planner.functions.session_functions import SESSION_FUNCTIONS


class _Transactions(Protocol):
    def require_unfailed(self) -> None: ...

    def catalog(self) -> CatalogState: ...


def statement_called(transactions: _Transactions, oid: int) -> tuple[str, tuple[int, ...]]:
    """Returns what statement_calling does, in the catalog that the transaction sees; raises SqlError 25P02 in a failed
    transaction, before all else."""
    transactions.require_unfailed()
    return statement_calling(oid, transactions.catalog())


def statement_calling(oid: int, state: CatalogState) -> tuple[str, tuple[int, ...]]:
    """Returns a query that calls a function with its parameters in their order, and the oids of their types. Raises
    SqlError 42883 for an oid of no function.

    >>> statement_calling(952, CatalogState())
    ('SELECT pg_catalog.lo_open($1, $2)', (26, 23))
    """
    built_in, item = signature_of_oid(oid), state.item_by_oid(oid)
    if built_in is not None and (functions_named(built_in[0]) or built_in[0] in SESSION_FUNCTIONS):
        name, types = quote_all("pg_catalog", built_in[0]), built_in[1]
    elif item is not None and isinstance(item.definition, FunctionDefinition):
        full = state.full_name(item)
        if item.definition.rules.sets:
            raise _not_called(full.name)
        name, types = quote_all(full.schema, full.name), tuple(map(type_oid, item.definition.rules.types))
    elif built_in is not None:
        raise _not_called(built_in[0])
    else:
        raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f"function with OID {oid} does not exist")
    return f"SELECT {name}({', '.join(f'${number}' for number in range(1, len(types) + 1))})", types


def _not_called(name: str) -> SqlError:
    """Returns the error for an aggregate, a window function or a function of sets."""
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'cannot call function "{name}" via fastpath interface')
