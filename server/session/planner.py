"""Plans the statements of one session: in the catalog that its transaction sees, with its settings."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.nouns.clusters import DEFAULT_CLUSTER
from model.errors.error_sources import CHANGED_PLAN
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import ScalarType
from planner.function_rules import FunctionRules, RoutineNames
from planner.ir.scalar import Scalar
from planner.plans.locks import LockRowsPlan
from planner.plans.queries import SelectPlan
from planner.plans.session import ExecutePlan, FetchPlan
from planner.statements.kept_rules import result_casts
from planner.syntax.parse import ParsedStatement, parse
from server.cursors.holdings import Holdings
from server.cursors.portals import Prepared, told_alike
from server.environment.environment import Environment
from server.pgwire.backend import (
    ResultDescription,
)
from server.planning.statement_plans import Planned, PlanningSession
from server.reads.parameters import ParameterCheck, parameter_check
from server.session.asking import SessionAsker
from server.session.interruption import Interruption
from server.session.planned import begin_statement, planned_in_its_catalog
from server.session.transactions import SessionTransactions, now_of
from server.transactions.execution import Execution
from server.transactions.permissions import require_permitted
from server.writes.locking.targets import await_targets


class SessionPlanner:
    """Plans statements to be executed or described, and plans prepared ones anew."""

    def __init__(
        self,
        environment: Environment,
        asker: SessionAsker,
        holdings: Holdings,
        transactions: SessionTransactions,
        interruption: Interruption,
    ) -> None:
        self._environment = environment
        self._asker = asker
        self._holdings = holdings
        self._transactions = transactions
        self._interruption = interruption

    async def prepare(
        self, name: str, sql: str, declared: tuple[ScalarType | None, ...], *, by: str | None
    ) -> Prepared:
        """Parses and plans a statement; it is planned again when it is executed, since the catalog may change."""
        statements = await self._interruption.apart(sql, parse, sql)
        if len(statements) > 1:
            raise SqlError(Sqlstate.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement")
        if not statements:
            return Prepared(name, sql, None, (), None, now_of(self._environment), by)
        self._transactions.require_usable(statements[0])
        planned = await self.plan(statements[0], declared)
        rows = self._holdings.described(planned)
        types, now = planned.statement.parameter_types, now_of(self._environment)
        return Prepared(name, sql, statements[0], types, rows, now, by)

    async def rows_now(self, prepared: Prepared) -> ResultDescription | None:
        """Returns the description of a portal's rows now; for FETCH and EXECUTE it depends on what they name."""
        if prepared.statement is None or prepared.statement.kind not in ("fetch_stmt", "execute_stmt"):
            return prepared.rows
        return self._holdings.described(await self.plan(prepared.statement, prepared.parameter_types))

    async def reads_of(self, prepared: Prepared) -> frozenset[GlobalId]:
        """Returns the users' collections that a query reads; none for a query that writes, or runs to its end at once
        for another reason."""
        assert prepared.statement is not None, "an empty text reads nothing"
        planned = await self.plan(prepared.statement, prepared.parameter_types)
        return planned.reads.user if isinstance(planned.plan, SelectPlan | LockRowsPlan) else frozenset()

    def parameter_check(self, type_: ScalarType) -> ParameterCheck:
        """Returns a check that converts a parameter's values to its type."""
        context = self._planning_session().context(self._transactions.catalog())
        execution = Execution(self._environment, self._asker, self._transactions.ensure())
        return parameter_check(type_, context, execution)

    async def planned(
        self,
        statement: ParsedStatement,
        declared: tuple[ScalarType | None, ...] = (),
        routine: RoutineNames | None = None,
        *,
        scanned: bool = False,
    ) -> Planned:
        """Plans a statement to be executed; one of a `routine`'s may use its names. A `scanned` query is a cursor's."""
        planned = await self.plan(statement, declared, routine, scanned=scanned)
        execution = Execution(self._environment, self._asker, self._transactions.ensure())
        require_permitted(planned, execution)
        if not await begin_statement(planned, execution):
            return planned
        planned = await self.plan(statement, declared, routine, scanned=scanned)
        # What it waited for may have changed who may do it, and by which policies.
        require_permitted(planned, execution)
        return planned

    async def planned_anew(self, prepared: Prepared) -> Planned:
        """Plans a prepared statement against the present objects. Its parameters keep the types that the client was
        told. Raises SqlError 0A000 when its rows no longer fit the description that the client was given."""
        assert prepared.statement is not None, "an empty text is not executed"
        planned = await self.planned(prepared.statement, prepared.parameter_types)
        changing = isinstance(planned.plan, FetchPlan | ExecutePlan)
        if not changing and not told_alike(self._holdings.described(planned), prepared.rows):
            raise SqlError(
                Sqlstate.FEATURE_NOT_SUPPORTED, "cached plan must not change result type", source=CHANGED_PLAN
            )
        return planned

    async def planned_now(self, statement: ParsedStatement, prepared: Prepared | None) -> Planned:
        """Plans a statement against the present objects, as a prepared statement if it is one."""
        return await (self.planned(statement) if prepared is None else self.planned_anew(prepared))

    async def plan_cursor(self, sql: str, declared: tuple[ScalarType | None, ...]) -> Planned:
        """Plans the query of a cursor, to be executed: with the rows of the scanned table, if any."""
        (statement,) = await self._interruption.apart(sql, parse, sql)
        return await self.planned(statement, declared, scanned=True)

    def result_casts(self, rules: FunctionRules, name: str, types: Sequence[ScalarType] | None) -> tuple[Scalar, ...]:
        """Returns the columns of the result of a routine of this name over the rows of its last statement, with columns
        of these types, None if it has no rows. Raises SqlError 42P13 where they are others than it declares."""
        context = self._planning_session().context(self._transactions.catalog())
        return result_casts(context, rules, name, types)

    async def plan(
        self,
        statement: ParsedStatement,
        declared: tuple[ScalarType | None, ...],
        routine: RoutineNames | None = None,
        *,
        scanned: bool = False,
    ) -> Planned:
        """Plans a statement to be described, once no lock keeps what it names from being seen."""
        session = self._planning_session(routine, scanned=scanned)
        about = self._environment, self._transactions.current, session, statement, declared
        try:
            return await self._interruption.apart(statement.source, planned_in_its_catalog, *about)
        except SqlError as failure:
            execution = Execution(self._environment, self._asker, self._transactions.ensure())
            await self._interruption.run(await_targets(failure, statement, execution))
        return await self.plan(statement, declared, routine, scanned=scanned)

    def _planning_session(self, routine: RoutineNames | None = None, *, scanned: bool = False) -> PlanningSession:
        asker = self._asker
        return PlanningSession(
            asker.database,
            () if routine is not None and routine.bound else asker.search_path,
            asker.user,
            cluster=asker.setting("cluster") or DEFAULT_CLUSTER,
            routine=routine,
            checks_bodies=asker.setting("check_function_bodies") != "off",
            scanned=scanned,
        )
