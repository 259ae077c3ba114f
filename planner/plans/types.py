"""Plans of statements about types."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import ScalarType
from planner.catalog_view import DomainCheck, DomainRules, QualifiedName


@dataclass(frozen=True, slots=True)
class AddedLabel:
    """ALTER TYPE … ADD VALUE: a label to add to an enum, before or behind the label `beside`; without `beside` the new
    label is the last."""

    label: str
    if_not_exists: bool
    beside: str | None
    before: bool


@dataclass(frozen=True, slots=True)
class RenamedLabel:
    label: str
    new_label: str


@dataclass(frozen=True, slots=True)
class AddedAttribute:
    """ADD ATTRIBUTE of a composite type."""

    name: str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class DroppedAttribute:
    """DROP ATTRIBUTE; with `missing_ok` of one that may not be there."""

    name: str
    missing_ok: bool


@dataclass(frozen=True, slots=True)
class RetypedAttribute:
    """ALTER ATTRIBUTE … TYPE."""

    name: str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class RenamedAttribute:
    name: str
    new_name: str


AttributeChange = AddedAttribute | DroppedAttribute | RetypedAttribute | RenamedAttribute


@dataclass(frozen=True, slots=True)
class AlterCompositePlan:
    """ALTER TYPE … ATTRIBUTE, any number of actions, in order. `name` is as written."""

    name: tuple[str, ...]
    changes: tuple[AttributeChange, ...]


@dataclass(frozen=True, slots=True)
class CreateTypePlan:
    """An enum; labels are distinct."""

    name: QualifiedName
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlterTypePlan:
    """ALTER TYPE. `name` is as written."""

    name: tuple[str, ...]
    change: AddedLabel | RenamedLabel


@dataclass(frozen=True, slots=True)
class CreateDomainPlan:
    name: QualifiedName
    rules: DomainRules


@dataclass(frozen=True, slots=True)
class ChangedDomainDefault:
    """None: no default any more."""

    default: str | None


@dataclass(frozen=True, slots=True)
class ChangedNullability:
    nullable: bool


@dataclass(frozen=True, slots=True)
class AddedCheck:
    """A check without a name is given one."""

    check: DomainCheck


@dataclass(frozen=True, slots=True)
class DroppedCheck:
    name: str
    missing_ok: bool


@dataclass(frozen=True, slots=True)
class RenamedCheck:
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class ValidatedCheck:
    name: str


DomainChange = ChangedDomainDefault | ChangedNullability | AddedCheck | DroppedCheck | RenamedCheck | ValidatedCheck


@dataclass(frozen=True, slots=True)
class AlterDomainPlan:
    """ALTER DOMAIN. `name` is as written."""

    name: tuple[str, ...]
    change: DomainChange


@dataclass(frozen=True, slots=True)
class CreateCompositePlan:
    """A composite type; its fields have different names."""

    name: QualifiedName
    fields: tuple[tuple[str, ScalarType], ...]


@dataclass(frozen=True, slots=True)
class RangeOptions:
    """The options of CREATE TYPE … AS RANGE that only the catalogs can resolve: names of an operator class, a collation
    and a function of the distance of two bounds."""

    operator_class: str | None = None
    collation: str | None = None
    distance: str | None = None


@dataclass(frozen=True, slots=True)
class CreateRangePlan:
    """A range type, and its multirange type. `named`: the statement names the latter."""

    name: QualifiedName
    subtype: ScalarType
    multirange: QualifiedName
    named: bool
    options: RangeOptions


TypePlan = (
    CreateTypePlan
    | AlterTypePlan
    | CreateDomainPlan
    | AlterDomainPlan
    | CreateCompositePlan
    | AlterCompositePlan
    | CreateRangePlan
)
