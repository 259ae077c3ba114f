"""Parts of commits that do what a test says, and remember what they were asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from model.time.timestamp import Timestamp
from storage.persist.shard import PreparedWrite
from timeline.commit_part import CommitPart


def _valid(_timestamp: Timestamp) -> None:
    return


async def _nothing(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
    return ()


@dataclass(slots=True)
class ToldPart(CommitPart):
    """Validates and prepares as it is told; `asked` is what it was asked, in order."""

    checks: Callable[[Timestamp], None] = _valid
    writes: Callable[[Timestamp], Awaitable[Sequence[PreparedWrite]]] = _nothing
    asked: list[str] = field(default_factory=list)

    def validate(self, timestamp: Timestamp) -> None:
        self.asked.append("validate")
        self.checks(timestamp)

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        self.asked.append("prepare")
        return await self.writes(timestamp)

    def applied(self, timestamp: Timestamp) -> None:
        self.asked.append("applied")

    def abandon(self) -> None:
        self.asked.append("abandon")
