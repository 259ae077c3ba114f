"""Roles as statements name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.objects import RoleRef, RoleWord

_WORDS = {
    tree.ROLESPEC_CURRENT_ROLE: RoleWord.CURRENT,
    tree.ROLESPEC_CURRENT_USER: RoleWord.CURRENT,
    tree.ROLESPEC_SESSION_USER: RoleWord.SESSION,
    tree.ROLESPEC_PUBLIC: RoleWord.PUBLIC,
}


def role_ref(node: Any) -> RoleRef:
    """Returns a RoleSpec."""
    word = _WORDS.get(node.roletype, RoleWord.NAME)
    return RoleRef(word, node.rolename if word is RoleWord.NAME else "")


def role_refs(nodes: Iterable[Any]) -> tuple[RoleRef, ...]:
    return tuple(role_ref(node.role_spec) for node in nodes)
