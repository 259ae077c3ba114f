"""Maps as values: pairs of a key and a value, in the order of the keys."""

from __future__ import annotations

from collections.abc import Iterable

from model.types.datum import Datum

Map = tuple[tuple[str, Datum], ...]


def map_from(pairs: Iterable[tuple[str | None, Datum]]) -> Map:
    """Builds a map. Of pairs with the same key the last counts; a pair whose key is NULL is dropped."""
    last = {key: value for key, value in pairs if key is not None}
    return tuple(sorted(last.items(), key=lambda pair: pair[0]))
