"""The epoch under which an environment may write.

At its start an environment writes its own epoch, one more than what it finds, under the key `fence` by
compare-and-set. Every later commit names the fence's value as it was written as a precondition: when another
environment has started since, the commit fails, nothing of it is seen, and this environment must stop.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from model.errors import Severity, SqlError
from model.sqlstate import Sqlstate

FENCE_KEY = "fence"


@dataclass(frozen=True, slots=True)
class Fence:
    """`owner` is the environment's own token, so that two that race for one epoch can tell who won."""

    epoch: int
    owner: str


def next_fence(current: Fence | None, owner: str) -> Fence:
    """What an environment that starts writes over `current`."""
    return Fence(1 if current is None else current.epoch + 1, owner)


def encode_fence(fence: Fence) -> bytes:
    return json.dumps({"epoch": fence.epoch, "owner": fence.owner}).encode()


def decode_fence(data: bytes) -> Fence:
    value = json.loads(data)
    return Fence(int(value["epoch"]), str(value["owner"]))


def fenced_by(own: Fence, found: Fence | None) -> Fence | None:
    """The fence that shuts `own` out, if one does; a fence that is missing or older is a broken invariant."""
    assert found is not None and found.epoch >= own.epoch, "the fence went backward"
    return None if found == own else found


def fenced_error(own: Fence, found: Fence) -> SqlError:
    """What the environment says before it stops."""
    return SqlError(
        Sqlstate.ADMIN_SHUTDOWN,
        f"another server took over this data (epoch {found.epoch}, ours was {own.epoch}); this one stops",
        severity=Severity.FATAL,
    )
