"""CREATE and DROP CLUSTER REPLICA."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.plans.replicas import CreateReplicaPlan, DropReplicasPlan, ReplicaName
from planner.scope.analysis import Analysis
from planner.syntax.cluster_statements import CreateReplicaStatement, DropReplicaStatement
from planner.syntax.options import Option
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreateReplicaPlan:
    node: CreateReplicaStatement = statement.node
    options = {each.name: _text(analysis, each) for each in node.options}
    name = _name(analysis, node.name)
    return CreateReplicaPlan(name, options.get("MEMORY"), options.get("SPARK MASTER"), node.if_not_exists)


def plan_drop(analysis: Analysis, statement: ParsedStatement) -> DropReplicasPlan:
    node: DropReplicaStatement = statement.node
    return DropReplicasPlan(tuple(_name(analysis, each) for each in node.names), node.if_exists)


def _name(analysis: Analysis, place: Place) -> ReplicaName:
    if len(place.parts) != 2:
        raise analysis.error(
            Sqlstate.SYNTAX_ERROR, "a replica is named by its cluster: cluster.replica", place.location
        )
    return ReplicaName(*place.parts)


def _text(analysis: Analysis, option: Option) -> str:
    if not isinstance(option.value, str):
        message = f"{option.name} takes a text"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
    return option.value
