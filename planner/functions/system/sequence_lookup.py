"""The questions of the functions of sequences. The server implements them; sequences go by their pg_class.oid."""

from __future__ import annotations

from typing import Protocol

from planner.sequence_rules import SequenceRules


class SequenceLookup(Protocol):
    """Sequences as one session has used them, by oid; know no timestamps. 42809 for an oid without a sequence."""

    def next_value(self, oid: int) -> int:
        """Takes the sequence's next value, which nobody gets again, even after ROLLBACK. Raises 2200H at the end of the
        sequence.
        """
        ...

    def current_value(self, oid: int) -> int:
        """Returns the last value that this session took; raises 55000 before it has taken any."""
        ...

    def latest_value(self) -> int:
        """Returns the last value that this session took of any sequence; raises 55000 before it has taken any."""
        ...

    def set_value(self, oid: int, value: int, called: bool) -> int:
        """Sets a sequence at once, for everybody: `value` is next to be taken, or, when `called`, counts as taken.
        Returns `value`."""
        ...

    def last_value(self, oid: int) -> int | None:
        """Returns the last value that any session took; None before that."""
        ...

    def position(self, oid: int) -> tuple[int, int, bool]:
        """Returns last_value, log_cnt and is_called, as SELECT from the sequence does."""
        ...

    def rules(self, oid: int) -> SequenceRules: ...
