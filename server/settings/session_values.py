"""The SessionValues of one execution, computed on demand: most statements need none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.types.datum import Datum
from planner.ir.scalar import SessionName


class SessionValues(Mapping[SessionName, Datum]):
    """All session values. `told` computes one; each is computed once. Pickled, they become a plain dict. An exported
    snapshot is an effect: only a call exports one, and iterations leave it out."""

    def __init__(self, told: Callable[[SessionName], Datum]) -> None:
        self._told = told
        self._known: dict[SessionName, Datum] = {}

    def __getitem__(self, name: SessionName) -> Datum:
        if name not in self._known:
            self._known[name] = self._told(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, SessionName)

    def __iter__(self) -> Iterator[SessionName]:
        return (name for name in SessionName if name is not SessionName.EXPORTED_SNAPSHOT)

    def __len__(self) -> int:
        return len(SessionName) - 1

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)
