"""The values that one session has taken from sequences; no transaction takes them back."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from planner.sequence_rules import SequenceRules


@dataclass(slots=True)
class HeldNumbers:
    """A session's values of one sequence: the last one taken, and the last one kept for the session alone, by
    `rules`."""

    collection: GlobalId
    rules: SequenceRules
    last: int
    kept: int

    def next_kept(self, collection: GlobalId, rules: SequenceRules) -> int | None:
        """Returns the next value of a sequence that this session has kept for itself. None when no value is left, and
        when the sequence has begun again or been altered since."""
        if self.last == self.kept or (collection, rules) != (self.collection, self.rules):
            return None
        self.last += rules.increment
        return self.last


@dataclass(slots=True)
class SessionCounters:
    """The values that one session has taken from sequences. `held` by sequence; `latest` is the one taken from last.
    `reservation` is the number of the last reservation that must be durable before the session is answered."""

    held: dict[GlobalId, HeldNumbers] = field(default_factory=dict)
    latest: GlobalId | None = None
    reservation: int = 0

    @property
    def untaken(self) -> bool:
        """Tells whether the session has taken no value that it could still be asked for."""
        return not self.held and self.latest is None

    def forget(self) -> None:
        """Forgets all, as DISCARD SEQUENCES does."""
        self.held.clear()
        self.latest = None
