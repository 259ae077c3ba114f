"""The parts of a commit: each part judges whether the request may commit, prepares writes, and follows the outcome.

    INSERT INTO t ...; DROP VIEW v; COMMIT        parts: the catalog, the rows read, the dataflows that end, ...

The committer asks all parts of a request, in their order. Nothing else commits between the steps of one attempt:

    validate(t) ──▶ prepare(t) ──▶ one compare-and-set ──▶ applied(t)
        ▲                                    │
        └───────────── abandon() ◀───────────┘  the attempt did not take place; another may follow, at a later time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from model.time.timestamp import Timestamp
from storage.persist.shard import PreparedWrite


class CommitPart(Protocol):
    """One part of a commit. Every step has a default that does nothing, so a part defines only the steps it needs."""

    def validate(self, timestamp: Timestamp) -> None:
        """Raises SqlError when the request may not commit at this time.

        May read the findings of earlier parts; must not wait, nor change any state that others see.
        """
        return

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns the writes to add to the commit's compare-and-set, in their order.

        Raises SqlError like `validate`, for conflicts that take waiting to find.
        """
        return ()

    def applied(self, timestamp: Timestamp) -> None:
        """Updates this process's state after the commit has become durable, before any client is answered. Must not
        fail."""
        return

    def abandon(self) -> None:
        """Abandons the attempt, which did not take place; what was prepared will not be written. Also called when
        nothing was."""
        return
