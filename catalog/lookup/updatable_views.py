"""Which relations can be written to, and which of their columns: by their own nature, or by that of a view's query."""

from __future__ import annotations

from dataclasses import dataclass, field

from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Table, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.statements.changes.simple_view import SimpleView, simple_view

_UPDATE, _INSERT, _DELETE = 4, 8, 16
"""The bits of pg_relation_is_updatable."""
_NOTHING = (0, frozenset[int]())


@dataclass(frozen=True, slots=True)
class CatalogUpdates:
    """The relations that can be written to in one state of the catalog, as
    catalog.declared.snapshot.UpdatableRelations."""

    state: CatalogState
    _known: dict[GlobalId, tuple[int, frozenset[int]]] = field(default_factory=dict, compare=False, repr=False)

    def events(self, id: GlobalId) -> int:
        """Returns the bits of the commands that can be executed on a relation: 4 UPDATE, 8 INSERT, 16 DELETE."""
        return self._found(id)[0]

    def column(self, id: GlobalId, number: int) -> bool:
        """Tells whether a column, by its number from 1, can be given values."""
        return number in self._found(id)[1]

    def _found(self, id: GlobalId) -> tuple[int, frozenset[int]]:
        if id not in self._known:
            self._known[id] = self._find(id)
        return self._known[id]

    def _find(self, id: GlobalId) -> tuple[int, frozenset[int]]:
        item = self.state.items.get(id)
        if item is None:
            return _NOTHING
        if isinstance(item.definition, Table):
            numbers = frozenset(number for number, _, _ in item.numbered_columns)
            return _UPDATE | _INSERT | _DELETE, numbers
        text = StateCatalogView(self.state).view_text(id) if isinstance(item.definition, View) else None
        if text is None:
            return _NOTHING
        try:
            simple, _ = simple_view(text)
        except SqlError:
            # Of a view that can't be planned any more nothing can be read, either.
            return _NOTHING
        if not isinstance(simple, SimpleView):
            return _NOTHING
        events, beneath = self._found(simple.on.id)
        places = ((at + 1, simple.position(at)) for at in range(len(item.numbered_columns)))
        written = frozenset(
            number for number, at in places if at is not None and simple.on.column_number(at) in beneath
        )
        return events if written else events & _DELETE, written
