"""Advisory locks: pg_advisory_lock and its kin, and who waits for whom."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from model.types.scalar_type import BOOL, INT4, INT8, VOID, ScalarType, array_of
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.system.lock_lookup import AdvisoryKey, AdvisoryLock
from planner.functions.system.lookup import SystemLookup
from planner.functions.system.waiting import lock_waiting

_HALF_BITS = 32
_HALF = (1 << _HALF_BITS) - 1


def _key(numbers: tuple[int, ...]) -> AdvisoryKey:
    if len(numbers) == 1:
        return AdvisoryKey(numbers[0] >> _HALF_BITS & _HALF, numbers[0] & _HALF, 1)
    return AdvisoryKey(numbers[0] & _HALF, numbers[1] & _HALF, 2)


def _taking(shared: bool, *, transaction: bool, waits: bool) -> Callable[..., Any]:
    def evaluate(system: SystemLookup, *numbers: int) -> Any:
        lock = AdvisoryLock(_key(numbers), shared, transaction)
        if not waits:
            return system.session.locks.try_lock(lock)
        lock_waiting(lock)
        return ""

    return evaluate


def _giving_back(shared: bool) -> Callable[..., bool]:
    return lambda system, *numbers: system.session.locks.unlock(_key(numbers), shared)


def _function(
    name: str, arguments: tuple[ScalarType, ...], result: ScalarType, evaluate: Callable[..., Any]
) -> Function:
    return function(name, arguments, result, evaluate, volatility=Volatility.VOLATILE, needs_system=True, fallible=True)


def _functions() -> list[Function]:
    found = []
    for types, (suffix, shared) in product(((INT8,), (INT4, INT4)), (("", False), ("_shared", True))):
        for within, transaction in (("", False), ("xact_", True)):
            for word, result, waits in (("", VOID, True), ("try_", BOOL, False)):
                evaluate = _taking(shared, transaction=transaction, waits=waits)
                found.append(_function(f"pg_{word}advisory_{within}lock{suffix}", types, result, evaluate))
        found.append(_function(f"pg_advisory_unlock{suffix}", types, BOOL, _giving_back(shared)))
    return found


def _is_blocked(system: SystemLookup, pid: int, others: tuple[int | None, ...]) -> bool:
    return not set(system.session.locks.blocking(pid)).isdisjoint(others)


FUNCTIONS: tuple[Function, ...] = (
    *_functions(),
    _function("pg_advisory_unlock_all", (), VOID, lambda system: system.session.locks.unlock_all() or ""),
    _function("pg_blocking_pids", (INT4,), array_of(INT4), lambda system, pid: system.session.locks.blocking(pid)),
    _function("pg_isolation_test_session_is_blocked", (INT4, array_of(INT4)), BOOL, _is_blocked),
)
