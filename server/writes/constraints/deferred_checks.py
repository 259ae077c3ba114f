"""Checks what waited for COMMIT, or for SET CONSTRAINTS: keys asserted, keys referenced, keys whose row went away."""

from __future__ import annotations

from collections import Counter

from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Item
from catalog.state.catalog_state import foreign_keys_of
from planner.catalog_view import PlanningContext
from planner.plans.constraints import RowKey
from planner.statements.kept_rules import rules_of_table
from server.transactions.deferred import DeferredCheck, DeferredKey
from server.transactions.execution import Execution
from server.writes.constraints.held_rules import duplicate_key
from server.writes.constraints.key_reading import KeyReader, key_form
from server.writes.constraints.reference_reading import Side
from server.writes.constraints.references import require_present, require_unreferenced


async def hold_deferred(execution: Execution, *, at_commit: bool) -> None:
    """Checks pending keys; without `at_commit`, only keys that need not wait any more. Raises SqlError 23503, 23505."""
    for waiting in list(execution.transaction.deferred.waiting.values()):
        if isinstance(waiting, DeferredKey):
            done = await _hold_key(waiting, execution, at_commit)
        else:
            done = await _hold_reference(waiting, execution, at_commit)
        # ROLLBACK TO may bring back what the check has found gone.
        if done and not execution.transaction.savepoints:
            del execution.transaction.deferred.waiting[waiting.oid]


async def _hold_key(waiting: DeferredKey, execution: Execution, at_commit: bool) -> bool:
    item = execution.catalog.items.get(waiting.table)
    key = None if item is None else _row_key(item, waiting, execution)
    if item is None or key is None:
        return False
    if not at_commit and execution.transaction.deferred.defers(waiting.oid, key.rule):
        return False
    form = key_form(key, execution)
    counts = Counter[object]()
    for row in await KeyReader(execution, item, key, form).all_rows(waiting.asserted):
        found = form.key(row)
        assert found is not None, "the row was found by its key"
        counts[form.identity(found)] += 1
    for identity, values in waiting.asserted.items():
        if counts[identity] > 1:
            raise duplicate_key(key, values, item, execution)
    return True


def _row_key(item: Item, waiting: DeferredKey, execution: Execution) -> RowKey | None:
    """Returns the key as it is by now; None for a dropped one."""
    view = StateCatalogView(execution.catalog).item(item.id)
    assert view is not None, "it is in the catalog"
    asker = execution.asker
    context = PlanningContext(StateCatalogView(execution.catalog), asker.database, (), asker.user)
    return next((key for key in rules_of_table(context, view).keys if key.index == waiting.index), None)


async def _hold_reference(waiting: DeferredCheck, execution: Execution, at_commit: bool) -> bool:
    deferred, catalog = execution.transaction.deferred, execution.catalog
    child = catalog.items.get(waiting.child)
    key = next((each for each in foreign_keys_of(child) if each.oid == waiting.oid), None)
    if child is None or key is None:
        return False
    if not at_commit and deferred.defers(key.oid, key.rule):
        return False
    own = Side(child, key.columns, execution)
    there = await own.present(waiting.referencing)
    await require_present(
        execution, child, key, [values for values in waiting.referencing if own.identity(values) in there]
    )
    parent = catalog.items[key.parent]
    side = Side(parent, key.parent_columns, execution)
    back = await side.present(waiting.referenced)
    gone = [values for values in waiting.referenced if side.identity(values) not in back]
    await require_unreferenced(execution, child, key, parent, side, gone)
    return True
