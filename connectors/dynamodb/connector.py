"""DynamoDB, as a destination."""

from __future__ import annotations

import re
from pathlib import Path

from connectors.aws.settings import aws_login
from connectors.dynamodb.table import DynamodbTable
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import Reached, SystemDestination
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectedTable, SinkTarget
from model.types.scalar_type import TypeName

_TABLE, _KEY_MOST = re.compile(r"[a-zA-Z0-9_.-]{3,255}"), 2


def _target(clauses: SinkClauses) -> SinkTarget:
    """Plans a table, whose key is one attribute, or two."""
    clauses.refuse_messages()
    table = clauses.text("TABLE") or clauses.relation
    if not _TABLE.fullmatch(table):
        raise clauses.invalid("TABLE")
    if clauses.key is None:
        raise clauses.lacks("a KEY", Sqlstate.SYNTAX_ERROR)
    if len(clauses.key) > _KEY_MOST:
        raise clauses.unsupported(f"a key of {len(clauses.key)} columns in DynamoDB", column=_KEY_MOST)
    if TypeName.BOOL in clauses.key:
        raise clauses.unsupported("a boolean in a key of DynamoDB", column=clauses.key.index(TypeName.BOOL))
    return ConnectedTable(clauses.into, clauses.connection, (table,))


def _place(target: SinkTarget, reached: Reached) -> DynamodbTable:
    assert isinstance(target, ConnectedTable), "it is a table"
    (table,) = target.table
    return DynamodbTable(*aws_login(reached.options), table)


def _driver(place: DynamodbTable, token: str, _directory: Path) -> Driver:
    from connectors.dynamodb.driver import DynamodbDriver

    return DynamodbDriver(place, token)


DESTINATION = SystemDestination(
    name="DYNAMODB",
    options=("TABLE",),
    connection="AWS",
    connected=_target,
    places=(DynamodbTable,),
    place=_place,
    open_driver=_driver,
    promise="Exactly once: up to 99 documents appear whole, with how far they are, and more in portions of them",
    pushed=True,
)
