"""What the functions of sequences ask. The server implements it; sequences go by their pg_class.oid."""

from __future__ import annotations

from typing import Protocol

from planner.sequence_rules import SequenceRules


class SequenceLookup(Protocol):
    """Sequences as one session has used them; they know no timestamps. 42809 for an oid that is none's."""

    def next_value(self, oid: int) -> int:
        """Takes one: nobody is given it again, whatever becomes of the transaction. 2200H when there is none left."""
        ...

    def current_value(self, oid: int) -> int:
        """What this session took last; 55000 before it has taken any."""
        ...

    def latest_value(self) -> int:
        """What this session took last of whatever sequence; 55000 before it has taken any."""
        ...

    def set_value(self, oid: int, value: int, called: bool) -> int:
        """At once, for everybody: `value` is next to be taken, or, when `called`, counts as taken. Returns `value`."""
        ...

    def last_value(self, oid: int) -> int | None:
        """What anybody took last; None before anybody has."""
        ...

    def position(self, oid: int) -> tuple[int, int, bool]:
        """As SELECT from the sequence gives it: last_value, log_cnt, is_called."""
        ...

    def rules(self, oid: int) -> SequenceRules: ...
