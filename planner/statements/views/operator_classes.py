"""Operator classes for columns of an index: the classes of PostgreSQL's B-trees.

An index of Headwater finds equal keys. A type's accepted classes differ in sorting but agree on equality, so the choice
changes no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName, bare_text
from model.types.type_table import TYPES
from planner.scope.analysis import Analysis
from planner.scope.names import strings

_BPCHAR = frozenset(TYPES[TypeName.BPCHAR].classes.split())
_OF_TYPE = {name: frozenset(TYPES[name].classes.split()) for name in TypeName if TYPES[name].classes}
_OF_OTHER_TYPES = frozenset(f"{name}_ops" for name in ("pg_lsn", "record_image", "tid", "tsquery", "tsvector", "xid8"))
_ALL = _OF_OTHER_TYPES.union(*_OF_TYPE.values())


def check_operator_class(analysis: Analysis, element: Any, type_: ScalarType) -> None:
    """Checks an IndexElem, `element`, that names a class for a key of `type_`. Errors are PostgreSQL's."""
    name = check_class_name(analysis, strings(element.opclass), type_)
    if element.opclassopts:
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, f"operator class {name} has no options")


def check_class_name(analysis: Analysis, parts: Sequence[str], type_: ScalarType) -> str:
    """Returns the name, without a schema, of an operator class for `type_`. Errors are PostgreSQL's."""
    *schema, name = parts
    if schema and schema[-1] not in analysis.context.catalog.schemas(analysis.context.database):
        raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{schema[-1]}" does not exist')
    if name not in _ALL or schema not in ([], ["pg_catalog"]):
        written = ".".join((*schema, name))
        message = f'operator class "{written}" does not exist for access method "btree"'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
    if type_.name in (TypeName.TEXT, TypeName.VARCHAR) and name in _BPCHAR:
        raise analysis.unsupported(f'operator class "{name}" for data type {bare_text(type_)}')
    if name == "record_image_ops" and type_.name is TypeName.RECORD:
        raise analysis.unsupported('operator class "record_image_ops"')
    if name not in _OF_TYPE.get(type_.name, ()):
        message = f'operator class "{name}" does not accept data type {bare_text(type_)}'
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message)
    return name
