"""Plans of statements about named read holds."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.ir.query import AsOf


@dataclass(frozen=True, slots=True)
class CreateReadHoldPlan:
    """A named hold on `objects`, at `at` (None: now). `lease_ms` None never expires."""

    name: str
    objects: tuple[GlobalId, ...]
    at: AsOf | None
    lease_ms: int | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class CloneReadHoldPlan:
    """Another hold of the same right as `source`. `lease_ms` None: the source's."""

    name: str
    source: str
    lease_ms: int | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class AdvanceReadHoldPlan:
    """Moves the hold to `time`, and begins its lease anew; None leaves it where it is."""

    name: str
    time: AsOf | None
    if_exists: bool


@dataclass(frozen=True, slots=True)
class TransferReadHoldPlan:
    """The hold becomes the role `owner`'s."""

    name: str
    owner: str
    if_exists: bool


@dataclass(frozen=True, slots=True)
class DropReadHoldPlan:
    names: tuple[str, ...]
    if_exists: bool


ReadHoldPlan = CreateReadHoldPlan | CloneReadHoldPlan | AdvanceReadHoldPlan | TransferReadHoldPlan | DropReadHoldPlan
