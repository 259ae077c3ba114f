"""Functions as DROP, ALTER and GRANT name them: by a name and the types of the arguments."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.objects import FunctionRef, ObjectKind
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.functions.parameters import parameter_type

ROUTINES = {
    tree.OBJECT_FUNCTION: ObjectKind.FUNCTION,
    tree.OBJECT_ROUTINE: ObjectKind.ROUTINE,
    tree.OBJECT_PROCEDURE: ObjectKind.PROCEDURE,
}
"""What a routine may be called, by the grammar's number for it."""


def function_ref(analysis: Analysis, node: Any, kind: ObjectKind) -> FunctionRef:
    """Reads the name of a function with the types of its arguments."""
    named = node.object_with_args
    types = tuple(parameter_type(analysis, each.type_name) for each in named.objargs)
    plain = tuple(type_ if type_.domain is not None else type_.plain() for type_ in types)
    if named.args_unspecified:
        return FunctionRef(strings(named.objname), None, kind.value)
    modes = {each.function_parameter.mode for each in named.objfuncargs}
    # Without words for modes, the types may also be those of all parameters.
    every = plain if kind is not ObjectKind.FUNCTION and modes <= {tree.FUNC_PARAM_DEFAULT} else None
    return FunctionRef(strings(named.objname), plain, kind.value, every)
