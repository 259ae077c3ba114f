"""What a commit is made of: parts, each of which says for itself whether it may be, what it writes and what follows.

    INSERT INTO t ...; DROP VIEW v; COMMIT        parts: the catalog, what was read, the dataflows that end, ...

The committer asks all parts of a request, in their order. Nothing else commits between the steps of one attempt:

    validate(t) ──▶ prepare(t) ──▶ one compare-and-set ──▶ applied(t)
        ▲                                    │
        └───────────── abandon() ◀───────────┘  the attempt did not take place; there may be another, at a later time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from model.timestamp import Timestamp
from storage.persist.shard import PreparedWrite


class CommitPart(Protocol):
    """A part defines what it has to say; the rest it inherits, and says nothing."""

    def validate(self, timestamp: Timestamp) -> None:
        """SqlError when the request may not commit at this time. May look at what the parts before it have found; must
        not wait, nor change what others see."""
        return

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """The writes that belong to the commit's one step, in the order in which they are to happen. SqlError as of
        `validate`, of what takes waiting to find out."""
        return ()

    def applied(self, timestamp: Timestamp) -> None:
        """All is durable: what this process knows follows, before anyone is answered or any later request is looked at.
        Must not fail."""
        return

    def abandon(self) -> None:
        """The attempt did not take place, and what was prepared will not be written. Also called when nothing was."""
        return
