"""Functions and operators by name and by signature: what regproc, regprocedure, regoper and regoperator are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from catalog.builtin.pg_catalog.code import function_names, function_oids
from catalog.declared.stored import stored_desc, stored_rows, stored_table
from catalog.nouns.names import quote, quote_all
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.names import split_name

TypeOid = Callable[[str], int]
TypeText = Callable[[int], str]
_NOTHING = "none"
_SIGNATURE = re.compile(r'((?:[^"(]|"[^"]*")*)\(')


def function_name(oid: int) -> str | None:
    """Returns a function's name, with its schema where the name alone is ambiguous."""
    name = function_names().get(oid)
    if name is None:
        return None
    return quote(name) if len(function_oids()[name]) == 1 else quote_all("pg_catalog", name)


def function_oid(text: str) -> int:
    """Returns the oid of the only function of a name. Raises SqlError 42883 for no such function, 42725 for several."""
    oids = _functions_named(text)
    if not oids:
        raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f'function "{text}" does not exist')
    if len(oids) > 1:
        raise SqlError(Sqlstate.AMBIGUOUS_FUNCTION, f'more than one function named "{text}"')
    return oids[0]


def procedure_name(oid: int, type_text: TypeText) -> str | None:
    """Returns a function's name and argument types, as `abs(integer)`."""
    name = function_names().get(oid)
    if name is None:
        return None
    return f"{quote(name)}({','.join(map(type_text, _argument_types()[oid]))})"


def procedure_oid(text: str, type_oid: TypeOid) -> int:
    """Returns the oid of the function with exactly these argument types."""
    name, arguments = signature_of(text)
    types = tuple(map(type_oid, arguments))
    for oid in _functions_named(name):
        if _argument_types()[oid] == types:
            return oid
    raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f'function "{text}" does not exist')


def signature_of_oid(oid: int) -> tuple[str, tuple[int, ...]] | None:
    """Returns a function's name, and the oids of its parameters' types; None for no function of the system's."""
    name = function_names().get(oid)
    return None if name is None else (name, tuple(_argument_types()[oid]))


def operator_name(oid: int) -> str | None:
    """Returns an operator's name, with its schema where the name alone is ambiguous."""
    found = _operators().get(oid)
    if found is None:
        return None
    alone = sum(1 for name, _ in _operators().values() if name == found[0]) == 1
    return found[0] if alone else f"pg_catalog.{found[0]}"


def operator_oid(text: str) -> int:
    """Returns the oid of the only operator of a name. Raises SqlError 42883 for no such operator, 42725 for several."""
    oids = [oid for oid, (name, _) in _operators().items() if name == _operator_in(text)]
    if not oids:
        raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f"operator does not exist: {text}")
    if len(oids) > 1:
        raise SqlError(Sqlstate.AMBIGUOUS_FUNCTION, f"more than one operator named {text}")
    return oids[0]


def operator_signature(oid: int, type_text: TypeText) -> str | None:
    """Returns an operator's name and argument types, as `+(integer,integer)` or `-(NONE,integer)`."""
    found = _operators().get(oid)
    if found is None:
        return None
    name, types = found
    return f"{name}({','.join(type_text(type_) if type_ else 'NONE' for type_ in types)})"


def operator_signature_oid(text: str, type_oid: TypeOid) -> int:
    """Returns the oid of the operator with exactly these operands; NONE stands for the missing operand of a prefix
    operator."""
    name, arguments = signature_of(text)
    if len(arguments) == 1:
        hint = "Use NONE to denote the missing argument of a unary operator."
        raise SqlError(Sqlstate.UNDEFINED_PARAMETER, "missing argument", hint=hint)
    if len(arguments) != 2:
        hint = "Provide two argument types for operator."
        raise SqlError(Sqlstate.TOO_MANY_ARGUMENTS, "too many arguments", hint=hint)
    types = tuple(0 if each.lower() == _NOTHING else type_oid(each) for each in arguments)
    for oid, found in _operators().items():
        if found == (_operator_in(name), types):
            return oid
    raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f"operator does not exist: {text}")


def _functions_named(text: str) -> tuple[int, ...]:
    parts = split_name(text)
    return function_oids().get(parts[-1], ()) if parts[:-1] in ((), ("pg_catalog",)) else ()


def _operator_in(text: str) -> str:
    return text.strip().removeprefix("pg_catalog.")


@cache
def _argument_types() -> Mapping[int, tuple[int, ...]]:
    """Returns pg_proc.proargtypes by oid."""
    at = [column.name for column in stored_desc("pg_proc").columns].index("proargtypes")
    found: dict[int, tuple[int, ...]] = {}
    for row in stored_rows("pg_proc"):
        types = row[at]
        assert isinstance(types, tuple)
        found[int(str(row[0]))] = tuple(int(str(type_)) for type_ in types)
    return found


@cache
def _operators() -> Mapping[int, tuple[str, tuple[int, ...]]]:
    """Returns names and operand types by oid, with 0 for a missing operand."""
    names = [column.name for column in stored_desc("pg_operator").columns]
    left, right = names.index("oprleft"), names.index("oprright")
    found: dict[int, tuple[str, tuple[int, ...]]] = {}
    for row in stored_table("pg_operator"):
        found[int(str(row[0]))] = (str(row[1]), (int(str(row[left])), int(str(row[right]))))
    return found


def signature_of(text: str) -> tuple[str, list[str]]:
    """Splits a signature into its name and the texts between commas; raises 22P02 where a parenthesis is missing."""
    found = _SIGNATURE.match(text)
    if found is None:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "expected a left parenthesis")
    inside = text[found.end() :].rstrip()
    if not inside.endswith(")"):
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "expected a right parenthesis")
    return found[1], _parted(inside[:-1])


def _parted(text: str) -> list[str]:
    """Splits types at commas, except within quotes, parentheses and brackets; raises 22P02 for an empty one."""
    if not text.strip():
        return []
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += (character in "([") - (character in ")]") if not quoted else 0
        if character == "," and not quoted and not depth:
            parts.append("")
        else:
            parts[-1] += character
    parts = [part.strip() for part in parts]
    if not all(parts):
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "expected a type name")
    return parts
