"""Plans of statements about large objects: their owners, the rights on them, and comments."""

from __future__ import annotations

from dataclasses import dataclass

from planner.plans.objects import RoleRef
from planner.plans.roles import Granting


@dataclass(frozen=True, slots=True)
class LargeObjectOwnerPlan:
    """ALTER LARGE OBJECT … OWNER TO."""

    oid: int
    owner: RoleRef


@dataclass(frozen=True, slots=True)
class LargeObjectGrantPlan:
    """GRANT or REVOKE ON LARGE OBJECT."""

    oids: tuple[int, ...]
    granting: Granting
    grantor: RoleRef | None


@dataclass(frozen=True, slots=True)
class LargeObjectCommentPlan:
    """COMMENT ON LARGE OBJECT; `text` None removes the comment."""

    oid: int
    text: str | None


LargeObjectPlan = LargeObjectOwnerPlan | LargeObjectGrantPlan | LargeObjectCommentPlan
