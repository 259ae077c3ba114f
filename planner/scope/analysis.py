"""The state carried along while a statement is planned: its context, its parameters, its dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import UNKNOWN, ScalarType
from planner.catalog_view import ItemView, PlanningContext
from planner.ir.scalar import Parameter, Scalar
from planner.scope.uses import RelationUse
from planner.syntax.extensions import MutualRecursion
from planner.syntax.members import NO_MEMBERS, MemberSyntax
from planner.syntax.refusals import character_position

if TYPE_CHECKING:
    from model.types.relation_desc import RelationDesc
    from planner.plans.changes import ModifyingStep
    from planner.plans.functions import RoutineStep
    from planner.scope.bindings import Binding
    from planner.scope.environment import QueryEnvironment
    from planner.scope.planned_query import PlannedQuery

    PlanModification = Callable[["Analysis", Any, QueryEnvironment, Sequence[Binding]], tuple[int, RelationDesc | None]]


@dataclass(slots=True)
class Analysis:
    """The state of planning one statement; made anew for each.

    `plan_query`: plans the syntax tree of a subquery in an environment
    `plan_condition`: plans the text of a domain's CHECK for a value
    `plan_modification`: adds a data-modifying statement of WITH as a step; None in places without such statements
    `subquery_columns`: names of the columns of scalar subqueries, by the subqueries' locations
    `locks_apart`: queries within the statement lock their rows as steps before the statement
    `uses`: the statement's reads and writes, by relation
    `in_function`: the query is a function's, whose parameters may become columns; `inlined`: so many calls of functions
        have become their queries
    `step_places`: where calls of functions of statements may stand; `routine_steps`: those found there
    `recursions`, `members`, `call_stars`: as in ParsedStatement; `taken_stars`: the `call_stars` planned already
    """

    context: PlanningContext
    source: str
    plan_query: Callable[[Analysis, Any, QueryEnvironment], PlannedQuery]
    plan_condition: Callable[[PlanningContext, str, Scalar], Scalar]
    parameter_types: dict[int, ScalarType] = field(default_factory=dict)
    parameter_places: dict[int, int] = field(default_factory=dict)
    depends_on: set[GlobalId] = field(default_factory=set)
    plan_modification: PlanModification | None = None
    locks_apart: bool = False
    modifications: list[ModifyingStep] = field(default_factory=list)
    subquery_columns: dict[int, str] = field(default_factory=dict)
    uses: list[RelationUse] = field(default_factory=list)
    used_items: dict[tuple[int, int], ItemView] = field(default_factory=dict)
    recursions: Mapping[int, MutualRecursion] = field(default_factory=dict)
    members: MemberSyntax = NO_MEMBERS
    call_stars: frozenset[int] = frozenset()
    taken_stars: set[int] = field(default_factory=set)
    local_ids: int = 0
    in_function: bool = False
    inlined: int = 0
    step_places: frozenset[int] = frozenset()
    routine_steps: list[RoutineStep] = field(default_factory=list)

    def error(
        self,
        sqlstate: Sqlstate,
        message: str,
        location: int = -1,
        *,
        hint: str | None = None,
        detail: str | None = None,
    ) -> SqlError:
        """Returns an error that stands at a byte of the message, as the syntax tree counts."""
        position = character_position(self.source, location)
        return SqlError(sqlstate, message, hint=hint, detail=detail, position=position)

    def unsupported(self, feature: str, location: int = -1, *, hint: str | None = None) -> SqlError:
        return NotSupported(feature, hint=hint, position=character_position(self.source, location))

    def use(self, item: ItemView, right: str) -> RelationUse:
        """Notes that the statement names a relation, and for what."""
        self.uses.append(RelationUse(item, {right}))
        return self.uses[-1]

    def next_local_id(self) -> int:
        """Returns a local id that no other relation of the statement has."""
        self.local_ids += 1
        return self.local_ids

    def parameter(self, number: int, location: int) -> Parameter:
        """Returns $`number`, of unknown type until its use decides."""
        if number < 1 or number > 65535:
            raise self.error(Sqlstate.UNDEFINED_PARAMETER, f"there is no parameter ${number}", location)
        declared = self.context.parameter_types
        self.parameter_places.setdefault(number, location)
        if number not in self.parameter_types:
            known = declared[number - 1] if number <= len(declared) else None
            self.parameter_types[number] = known or UNKNOWN
        return Parameter(number, self.parameter_types[number])

    def decide_parameter(self, parameter: Parameter, type_: ScalarType) -> Parameter:
        """Returns the parameter with the type its use gave it; raises 42P08 when another use gave it another."""
        known = self.parameter_types[parameter.number]
        # The modifier of a domain is the domain's own; others are applied where the parameter is used.
        decided = type_ if type_.domain is not None else type_.plain()
        if known == UNKNOWN:
            known = self.parameter_types[parameter.number] = decided
        if known != decided:
            raise self.error(
                Sqlstate.AMBIGUOUS_PARAMETER,
                f"inconsistent types deduced for parameter ${parameter.number}",
                self.parameter_places[parameter.number],
                detail=f"{known} versus {decided}",
            )
        return Parameter(parameter.number, known)

    def final_parameter_types(self) -> tuple[ScalarType, ...]:
        """Returns all parameters' types, $1 first; raises 42P18 when the text leaves one undecided."""
        declared = self.context.parameter_types
        count = max([len(declared), *self.parameter_types], default=0)
        types: list[ScalarType] = []
        for number in range(1, count + 1):
            given = declared[number - 1] if number <= len(declared) else None
            type_ = self.parameter_types.get(number, given or UNKNOWN)
            if type_ == UNKNOWN:
                raise self.error(
                    Sqlstate.INDETERMINATE_DATATYPE,
                    f"could not determine data type of parameter ${number}",
                    self.parameter_places.get(number, -1),
                )
            types.append(type_)
        return tuple(types)
