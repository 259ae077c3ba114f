"""Plans of statements that treat objects of several kinds alike, by their names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.types.scalar_type import ScalarType, type_text
from planner.function_rules import FunctionRules


class RoleWord(StrEnum):
    """A word that names a role."""

    NAME = "name"
    CURRENT = "current_user"
    SESSION = "session_user"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class RoleRef:
    """A role as it is written; `name` is set where it has one."""

    word: RoleWord
    name: str = ""


@dataclass(frozen=True, slots=True)
class CreateSchemaPlan:
    """CREATE SCHEMA. `owner` None is the current role; a schema without a name is called like its owner. `elements` are
    the statements that make objects in the schema."""

    database: str
    schema: str
    if_not_exists: bool
    owner: RoleRef | None = None
    elements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateDatabasePlan:
    database: str
    if_not_exists: bool
    owner: RoleRef | None = None


class ObjectKind(StrEnum):
    DATABASE = "database"
    TYPE = "type"
    FUNCTION = "function"
    PROCEDURE = "procedure"
    ROUTINE = "routine"
    DOMAIN = "domain"
    SCHEMA = "schema"
    TABLE = "table"
    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    INDEX = "index"
    SEQUENCE = "sequence"
    SECRET = "secret"
    CONNECTION = "connection"
    SOURCE = "source"
    SINK = "sink"
    CLUSTER = "cluster"
    REPLICATION_SLOT = "replication slot"


@dataclass(frozen=True, slots=True)
class FunctionRef:
    """A function as a statement names it; without `types` it is the only one of its name. `noun` is the word for it in
    errors. `every`: the types, where these may be those of all of a procedure's parameters, OUT ones too."""

    parts: tuple[str, ...]
    types: tuple[ScalarType, ...] | None
    noun: str
    every: tuple[ScalarType, ...] | None = None

    @property
    def shown(self) -> str:
        """Returns the name with the types: `f(integer, text)`."""
        return f"{'.'.join(self.parts)}({', '.join(map(type_text, self.types or ()))})"

    def kind_fits(self, rules: FunctionRules) -> bool:
        """Tells whether a routine is of the kind that the statement names."""
        return self.noun == "routine" or self.noun == rules.noun

    def means(self, rules: FunctionRules) -> bool:
        """Tells whether a routine of the name is meant by its parameters."""
        everything = tuple(parameter.type for parameter in rules.parameters)
        return rules.types == self.types or (rules.procedure and self.every == everything)


@dataclass(frozen=True, slots=True)
class DropPlan:
    """DROP of objects of one kind. `names` are the parts as written; the coordinator resolves them (with IF EXISTS, a
    missing object is a notice). Functions are named by their arguments, too."""

    kind: ObjectKind
    names: tuple[tuple[str, ...], ...]
    if_exists: bool
    cascade: bool
    functions: tuple[FunctionRef, ...] = ()


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """Renames an object, or a table's or view's column when `column` is set; a function, when this is set."""

    kind: ObjectKind
    name: tuple[str, ...]
    new_name: str
    if_exists: bool
    column: str | None = None
    function: FunctionRef | None = None


@dataclass(frozen=True, slots=True)
class MovePlan:
    """ALTER … name SET SCHEMA schema."""

    kind: ObjectKind
    name: tuple[str, ...]
    schema: str
    if_exists: bool
    function: FunctionRef | None = None


@dataclass(frozen=True, slots=True)
class AlterRetainHistoryPlan:
    """ALTER … t SET (RETAIN HISTORY FOR '…') / RESET (RETAIN HISTORY): None resets."""

    kind: ObjectKind
    name: tuple[str, ...]
    retain_history_ms: int | None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """ALTER … name SWAP WITH other: two objects of one schema, or two schemas, exchange their names."""

    kind: ObjectKind
    name: tuple[str, ...]
    other: str


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """On a schema, a cluster or an item by its oid, on a column by its number from 1 (0: none), or on the constraint of
    a table or a domain, or the policy of a table, by its name; None takes it away."""

    oid: int
    column: int
    text: str | None
    constraint: str | None = None
    policy: str | None = None
