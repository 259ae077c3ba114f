"""A server in miniature: DDL through planner and catalog, queries over system relations through the interpreter."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import get_args

from catalog.builtin.registry import builtin_with_id
from catalog.changes.apply import apply
from catalog.changes.change import CreateItem
from catalog.declared.snapshot import SettingStatus, SnapshotReader, SystemSnapshot
from catalog.durable.rows import initial_state
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.system_lookup import CatalogLookup
from catalog.lookup.targets import DdlSession
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import SUPERUSER_OID
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.statements import DdlPlan, translate
from model.ids.global_id import GlobalId
from model.text.context import TextContext
from model.text.dispatch import formatter
from model.types.datum import Datum, Row
from planner.catalog_view import PlanningContext
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.scalar import SessionName
from planner.plans.alter_table import AlterTablePlan
from planner.plans.connection_plans import CreateConnectionPlan, CreateSecretPlan
from planner.plans.queries import SelectPlan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse

_NOW = datetime.datetime(2026, 7, 1, 12, tzinfo=datetime.UTC)
_PATH = ("public",)


@dataclass(frozen=True, slots=True)
class Answer:
    """As PostgreSQL sends it in text; None is NULL."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


@dataclass(slots=True)
class Miniature:
    """User `headwater` in database `headwater`; all tables are empty."""

    state: CatalogState = field(default_factory=initial_state)
    allocator: IdAllocator = field(default_factory=lambda: IdAllocator(initial_state()))

    def setting(self, name: str) -> str | None:
        return {"server_version": "16.0", "server_version_num": "160000", "TimeZone": "UTC"}.get(name)

    def signal_session(self, pid: int, end: bool) -> bool:
        return False

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        raise AssertionError("nothing here is counted")

    def reload_configuration(self) -> bool:
        return True

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        return value or ""

    def notify(self, channel: str, payload: str) -> None:
        return

    def listening_channels(self) -> tuple[str, ...]:
        return ()

    def transaction_id(self) -> int:
        return 5

    def server_version(self) -> str:
        return "PostgreSQL 16.0"

    def started(self) -> datetime.datetime:
        return datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        return "", None, "", None

    def stored_bytes(self, id: GlobalId) -> int:
        return 8192

    @property
    def sequences(self) -> SequenceLookup:
        raise AssertionError("nothing counts here")

    @property
    def locks(self) -> LockLookup:
        raise AssertionError("nothing locks here")

    def execute(self, sql: str) -> list[Answer]:
        """The answers of the message's queries; SqlError as a server would send it."""
        answers = []
        for statement in parse(sql):
            context = PlanningContext(StateCatalogView(self.state), "headwater", _PATH, "headwater")
            plan = plan_statement(statement, context).plan
            if isinstance(plan, SelectPlan):
                answers.append(self._select(plan))
            else:
                session = DdlSession("headwater", _PATH, "headwater", "pg_temp_1")
                if isinstance(plan, CreateConnectionPlan | CreateSecretPlan):
                    self.state = apply(self.state, (self._created(plan),))
                    continue
                for each in plan.actions if isinstance(plan, AlterTablePlan) else (plan,):
                    assert isinstance(each, get_args(DdlPlan)), each
                    changes = translate(each, self.state, session, self.allocator, 0).changes
                    self.state = apply(self.state, changes)
        return answers

    def _created(self, plan: CreateConnectionPlan | CreateSecretPlan) -> CreateItem:
        """Connections aren't tried, and secrets have nothing in them."""
        name = plan.name
        definition = Secret("") if isinstance(plan, CreateSecretPlan) else Connection(plan.of, plan.options)
        ids = self.allocator.user_id(), self.allocator.oid()
        return CreateItem(*ids, name.database, name.schema, name.name, SUPERUSER_OID, 0, definition)

    def _select(self, plan: SelectPlan) -> Answer:
        lookup = CatalogLookup(self.state, "headwater", _PATH, "headwater", self)
        context = EvaluationContext(
            text=TextContext(objects=lookup.names, now=_NOW),
            session=self._session_values(),
            system=lookup,
            collections=self._contents,
        )
        rows = evaluate_query(plan.query, context)
        formatters = [formatter(type_, context.text) for type_ in plan.query.desc.types]
        return Answer(
            plan.query.desc.names,
            tuple(
                tuple(None if value is None else write(value) for write, value in zip(formatters, row, strict=True))
                for row in rows
            ),
        )

    def _contents(self, id: GlobalId) -> list[Row]:
        builtin = builtin_with_id(id)
        if builtin is None:
            return []
        settings = tuple(SettingStatus(name, self.setting(name) or "", "") for name in ("server_version", "TimeZone"))
        reader = SnapshotReader(settings=settings)
        return list(builtin.rows(SystemSnapshot(self.state, "headwater", reader, now=_NOW)))

    def _session_values(self) -> dict[SessionName, Datum]:
        return {
            SessionName.NOW: _NOW,
            SessionName.STATEMENT_TIME: _NOW,
            SessionName.CLOCK_TIME: _NOW,
            SessionName.MZ_NOW: 0,
            SessionName.CURRENT_USER: "headwater",
            SessionName.SESSION_USER: "headwater",
            SessionName.CURRENT_DATABASE: "headwater",
            SessionName.CURRENT_SCHEMA: "public",
            SessionName.CURRENT_SCHEMAS: _PATH,
            SessionName.CURRENT_SCHEMAS_IMPLICIT: ("pg_catalog", *_PATH),
            SessionName.BACKEND_PID: 1,
            SessionName.TIME_ZONE: "UTC",
        }
