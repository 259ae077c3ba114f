"""The inputs of evaluation: settings, session values, the catalog, and the rows of collections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from model.text.context import DEFAULT_CONTEXT, TextContext, output_style
from model.types.datum import Datum, Row
from planner.functions.system.lookup import SystemLookup
from planner.ir.scalar import SessionName


def go_on() -> None:
    """Does nothing: the check of an evaluation that nobody can end."""


def no_collections(id: GlobalId) -> Iterable[Row]:
    """Raises AssertionError: serves as the collections of plans that read none."""
    raise AssertionError(f"nothing serves collection {id}")


@dataclass(frozen=True, slots=True)
class EvaluationContext:
    """The surroundings in which expressions and plans are evaluated. `collections` gives the rows of a collection (each
    as often as it occurs) at the time of evaluation.

    `checkpoint` is called in each round of a recursion; it raises to end the evaluation.
    `session` holds the SessionValues that were not replaced by literals before; TIME_ZONE, the styles and the settings
    of searches are taken from `text` when they are missing. `system` is needed by functions of the catalog and the
    session only.
    """

    text: TextContext = DEFAULT_CONTEXT
    session: Mapping[SessionName, Datum] = field(default_factory=dict)
    system: SystemLookup | None = None
    collections: Callable[[GlobalId], Iterable[Row]] = no_collections
    checkpoint: Callable[[], None] = go_on

    def session_value(self, name: SessionName) -> Datum:
        """Returns a session value; raises AssertionError for one that was not given."""
        if name in self.session:
            return self.session[name]
        if name is SessionName.DATE_STYLE:
            return self.text.date_style
        if name is SessionName.OUTPUT_STYLE:
            return output_style(self.text)
        if name is SessionName.TEXT_SEARCH:
            return self.text.text_search
        if name is SessionName.SIMILARITY:
            return self.text.similarity
        assert name is SessionName.TIME_ZONE, f"no value was given for {name}"
        return self.text.time_zone
