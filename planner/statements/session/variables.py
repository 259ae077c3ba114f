"""SET, RESET, SET TRANSACTION, DISCARD."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.text.times.interval_output import format_postgres
from model.types.datum import Interval
from model.types.scalar_type import UNKNOWN
from planner.functions.signature import CastContext
from planner.ir.scalar import Literal
from planner.plans.plan import Plan
from planner.plans.session import DiscardPlan, ImportSnapshotPlan, ResetAllPlan, SetTransactionPlan, SetVariablePlan
from planner.scope.analysis import Analysis
from planner.scope.names import location_of
from planner.statements.roles.owners import set_role
from planner.statements.session.transaction import transaction_modes
from planner.syntax.parse import ParsedStatement
from planner.types.literals import literal_from_text
from planner.types.type_names import type_from_node


def plan_set(analysis: Analysis, statement: ParsedStatement) -> Plan:
    plan = plan_set_node(analysis, statement.node)
    if isinstance(plan, SetVariablePlan):
        return set_role(plan.name.lower(), plan.value, local=plan.local, reset=plan.reset) or plan
    return plan


def plan_set_node(
    analysis: Analysis, node: Any
) -> SetVariablePlan | ResetAllPlan | SetTransactionPlan | ImportSnapshotPlan:
    """Plans SET and RESET, by themselves or for a role or a database."""
    match node.kind:
        case tree.VAR_SET_VALUE:
            return SetVariablePlan(node.name, _value(analysis, node), node.is_local)
        case tree.VAR_SET_DEFAULT | tree.VAR_RESET:
            return SetVariablePlan(node.name, None, node.is_local, reset=node.kind == tree.VAR_RESET)
        case tree.VAR_RESET_ALL:
            return ResetAllPlan()
        case tree.VAR_SET_MULTI if node.name in ("TRANSACTION", "SESSION CHARACTERISTICS"):
            modes = transaction_modes(node.args)
            return SetTransactionPlan(*modes, session=node.name == "SESSION CHARACTERISTICS")
        case tree.VAR_SET_MULTI:
            return ImportSnapshotPlan(node.args[0].a_const.sval.sval)
        case _:
            raise analysis.unsupported("SET … FROM CURRENT")


def _value(analysis: Analysis, node: Any) -> str:
    """Returns a variable's value: several values are one list, each quoted as an identifier where it needs to be, as
    PostgreSQL flattens them."""
    texts = [_item(analysis, item) for item in node.args]
    if len(texts) == 1:
        return texts[0]
    return ", ".join(_quoted(text) for text in texts)


def _quoted(text: str) -> str:
    plain = text.isascii() and text.replace("_", "a").isalnum() and text == text.lower() and not text[:1].isdigit()
    return text if plain else '"' + text.replace('"', '""') + '"'


def _item(analysis: Analysis, item: Any) -> str:
    kind = item.WhichOneof("node")
    if kind == "type_cast":
        return _interval_item(analysis, item.type_cast)
    if kind != "a_const":
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "SET requires constant values")
    constant = item.a_const
    match constant.WhichOneof("val"):
        case "ival":
            return str(constant.ival.ival)
        case "fval":
            return str(constant.fval.fval)
        case "boolval":
            return "on" if constant.boolval.boolval else "off"
        case _:
            return str(constant.sval.sval)


def _interval_item(analysis: Analysis, cast: Any) -> str:
    """Reads SET TIME ZONE INTERVAL '+02:00' HOUR TO MINUTE, the only cast that the grammar takes here."""
    target = type_from_node(analysis, cast.type_name)
    text = Literal(str(cast.arg.a_const.sval.sval), UNKNOWN)
    value = literal_from_text(analysis, text, target, CastContext.EXPLICIT, location_of(cast.arg))
    assert isinstance(value, Literal) and isinstance(value.value, Interval)
    return f"INTERVAL '{format_postgres(value.value)}'"


def plan_discard(analysis: Analysis, statement: ParsedStatement) -> DiscardPlan:
    match statement.node.target:
        case tree.DISCARD_PLANS:
            return DiscardPlan("plans")
        case tree.DISCARD_SEQUENCES:
            return DiscardPlan("sequences")
        case tree.DISCARD_TEMP:
            return DiscardPlan("temp")
        case _:
            return DiscardPlan("all")
