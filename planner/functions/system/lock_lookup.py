"""What the functions of advisory locks ask: planner.functions.system.advisory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol


class AdvisoryKey(NamedTuple):
    """A number that clients agree on, as pg_locks shows it: a bigint by its halves, with `objsubid` 1; or two
    integers, with `objsubid` 2."""

    classid: int
    objid: int
    objsubid: int


@dataclass(frozen=True, slots=True)
class AdvisoryLock:
    """An advisory lock to take. `shared`: other sessions may hold a shared lock, too; `transaction`: held until the
    transaction ends, rather than until unlocked or the session ends.
    """

    key: AdvisoryKey
    shared: bool
    transaction: bool


class LockLookup(Protocol):
    """The advisory locks of the server, for one session."""

    def try_lock(self, lock: AdvisoryLock) -> bool:
        """Takes a lock where nobody has to be waited for; returns whether it did."""
        ...

    def unlock(self, key: AdvisoryKey, shared: bool) -> bool:
        """Gives back a lock of the session's; False, and a warning, when it does not hold it."""
        ...

    def unlock_all(self) -> None:
        """Gives back all that the session holds beyond its transactions."""
        ...

    def blocking(self, pid: int) -> tuple[int, ...]:
        """Returns the pids of the sessions for whose locks the session with this pid waits."""
        ...
