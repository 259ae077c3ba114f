"""Prints regclass, regtype and the like in results, by the session's newest view of the catalog."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from catalog.lookup.object_names import NamedObjects
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import REGISTERED, ScalarType, TypeName


class SessionNames:
    """Names of objects for formatters. A `SessionNames` is the key of cached formatters, and must not keep its session
    alive.
    """

    def __init__(self, names: Callable[[], NamedObjects]) -> None:
        self._names = weakref.WeakMethod(names)

    def name(self, kind: TypeName, oid: int) -> str | None:
        names = self._names()
        return None if names is None else names().name(kind, oid)

    def oid(self, kind: TypeName, name: str) -> int:
        """Returns the oid of an object; raises SqlError when there is none."""
        names = self._names()
        assert names is not None, "a session that is gone reads nothing"
        return names().oid(kind, name)


def names_objects(desc: RelationDesc) -> bool:
    """Tells whether a relation has columns that print as names of objects."""
    return any(_named(type_) for type_ in desc.types)


def _named(type_: ScalarType) -> bool:
    if type_.element is not None:
        return _named(type_.element)
    if type_.member is not None:
        return _named(type_.member)
    return type_.name in REGISTERED or any(_named(field) for _, field in type_.fields)
