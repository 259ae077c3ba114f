"""pg_policy and pg_policies: the policies of the reader's database."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.shown_acls import role_name
from catalog.nouns.items import Table
from catalog.nouns.policies import COMMAND_LETTERS
from catalog.sql.definitions import policy_sql
from model.types.datum import Row
from planner.privileges import PUBLIC

_WORDS = {letter: word.upper() for word, letter in COMMAND_LETTERS.items()}


def pg_policy(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_policy")
    for item in own_items(snapshot):
        for policy in item.definition.row_security.policies if isinstance(item.definition, Table) else ():
            yield make(
                oid=policy.oid,
                polname=policy.name,
                polrelid=item.oid,
                polcmd=policy.command,
                polpermissive=policy.permissive,
                polroles=policy.roles,
                polqual=policy_sql(snapshot.state, policy.using),
                polwithcheck=policy_sql(snapshot.state, policy.check),
            )


def pg_policies(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_policies")
    for item in own_items(snapshot):
        for policy in item.definition.row_security.policies if isinstance(item.definition, Table) else ():
            names = ("public" if oid == PUBLIC else role_name(snapshot.state, oid) for oid in policy.roles)
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                tablename=item.name,
                policyname=policy.name,
                permissive="PERMISSIVE" if policy.permissive else "RESTRICTIVE",
                roles=tuple(names),
                cmd=_WORDS[policy.command],
                qual=policy_sql(snapshot.state, policy.using),
                with_check=policy_sql(snapshot.state, policy.check),
            )
