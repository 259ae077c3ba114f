"""Plans of statements about secrets and connections."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.external.connections import ConnectionOptions
from planner.catalog_view import QualifiedName
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class CreateSecretPlan:
    """CREATE SECRET. `value` is constant, of type text or bytea."""

    name: QualifiedName
    if_not_exists: bool
    value: Scalar = field(repr=False)


@dataclass(frozen=True, slots=True)
class AlterSecretPlan:
    """ALTER SECRET. `name` is as written; `value` as in CreateSecretPlan."""

    name: tuple[str, ...]
    if_exists: bool
    value: Scalar = field(repr=False)


@dataclass(frozen=True, slots=True)
class CreateConnectionPlan:
    """CREATE CONNECTION. `of` is the kind, in capitals. `validate`: the connection is tested before it is created."""

    name: QualifiedName
    if_not_exists: bool
    of: str
    options: ConnectionOptions
    validate: bool


@dataclass(frozen=True, slots=True)
class AlterConnectionPlan:
    """ALTER CONNECTION. `changes` are options to replace or add, `resets` options to remove."""

    name: tuple[str, ...]
    if_exists: bool
    changes: ConnectionOptions
    resets: tuple[str, ...]
    validate: bool


@dataclass(frozen=True, slots=True)
class ValidateConnectionPlan:
    name: tuple[str, ...]


ConnectionPlan = (
    CreateSecretPlan | AlterSecretPlan | CreateConnectionPlan | AlterConnectionPlan | ValidateConnectionPlan
)
