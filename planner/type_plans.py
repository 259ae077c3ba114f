"""Plans of statements about types."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalog_view import QualifiedName


@dataclass(frozen=True, slots=True)
class AddedLabel:
    """`beside` is another label; without one the new label is the last."""

    label: str
    if_not_exists: bool
    beside: str | None
    before: bool


@dataclass(frozen=True, slots=True)
class RenamedLabel:
    label: str
    new_label: str


@dataclass(frozen=True, slots=True)
class CreateTypePlan:
    """An enum; labels are distinct."""

    name: QualifiedName
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlterTypePlan:
    """`name` as it was written."""

    name: tuple[str, ...]
    change: AddedLabel | RenamedLabel
