"""Users' functions in pg_proc, pg_depend and information_schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from catalog.builtin.information_types import named_type, users_type_names
from catalog.builtin.pg_catalog.own_items import PG_CLASS_OID, PG_PROC_OID, users_functions
from catalog.builtin.shape import shape
from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_rows
from catalog.facts.roles.shown_acls import shown_acl
from catalog.facts.shown import shown
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import FunctionDefinition, MaterializedView, View
from catalog.sql.function_sql import function_query, written_body
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType, declared_oid, type_text, users_type
from planner.function_rules import BodyForm, FunctionParameter
from planner.privileges import EXECUTE

_ROWS = 1000.0
"""PostgreSQL's estimate of the rows of a function of which nobody says more."""
_MODES = {"i": "IN", "v": "IN", "o": "OUT", "b": "INOUT"}
"""What information_schema calls the modes of parameters."""


@cache
def _language_oids() -> Mapping[Datum, Datum]:
    """Returns the oids of languages by name."""
    names = stored_desc("pg_language").names
    name, oid = names.index("lanname"), names.index("oid")
    return {row[name]: row[oid] for row in stored_rows("pg_language")}


def users_procedures(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Yields the rows of pg_proc."""
    make = shape("pg_proc")
    for item in users_functions(snapshot):
        assert isinstance(item.definition, FunctionDefinition)
        rules = item.definition.rules
        names = tuple(each.name or "" for each in rules.parameters) + tuple(name for name, _ in rules.table)
        types = (*(each.type for each in rules.parameters), *(type_ for _, type_ in rules.table))
        modes = (*(each.mode for each in rules.parameters), *("t" for _ in rules.table))
        plain = all(mode == "i" for mode in modes)
        text = shown(function_query, snapshot.state, item)
        defaults = [each.default for each in rules.parameters if each.default is not None]
        as_string = rules.form is BodyForm.STRING
        yield make(
            oid=item.oid,
            proname=item.name,
            pronamespace=item.schema,
            proowner=item.owner,
            prolang=_language_oids()[rules.language],
            procost=rules.cost,
            provariadic=0 if rules.variadic is None else declared_oid(rules.variadic),
            prokind="p" if rules.procedure else "f",
            proisstrict=rules.strict,
            prosecdef=rules.definer,
            proleakproof=rules.leakproof,
            proconfig=tuple(f"{name}={value}" for name, value in rules.settings) or None,
            provolatile=rules.volatility,
            proparallel=rules.parallel,
            proretset=rules.sets,
            prorows=(_ROWS if rules.rows is None else rules.rows) if rules.sets else 0.0,
            proallargtypes=None if plain else tuple(map(declared_oid, types)),
            proargmodes=None if plain else modes,
            pronargs=len(rules.inputs),
            pronargdefaults=len(defaults),
            prorettype=declared_oid(rules.result),
            proargtypes=tuple(map(declared_oid, rules.types)),
            proargnames=names if any(names) else None,
            proargdefaults=", ".join(defaults) if defaults else None,
            prosrc=text if as_string else "",
            prosqlbody=None if as_string else shown(written_body, snapshot.state, item),
            proacl=shown_acl(snapshot.state, item.oid),
        )


def function_dependencies(snapshot: SystemSnapshot, rewrite_oid: int) -> Iterable[Row]:
    """Yields the rows of pg_depend of functions on what their bodies name, and of views on functions."""
    make, items = shape("pg_depend"), snapshot.state.items
    for item in sorted(items.values(), key=lambda each: each.oid):
        match item.definition:
            case FunctionDefinition():
                place: dict[str, Datum] = {"classid": PG_PROC_OID, "objid": item.oid}
            case View() | MaterializedView():
                place = {"classid": rewrite_oid, "objid": derived_oid(item.oid, 0)}
            case _:
                continue
        of_function = isinstance(item.definition, FunctionDefinition)
        for id_ in sorted(item.depends_on):
            other = items.get(id_)
            if other is None or other.type is not None:
                continue
            is_function = isinstance(other.definition, FunctionDefinition)
            if of_function or is_function:
                class_ = PG_PROC_OID if is_function else PG_CLASS_OID
                yield make(**place, refclassid=class_, refobjid=other.oid, deptype="n")


def _routines(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users, reader = shape("routines"), users_type_names(snapshot), reader_of(snapshot)
    for item in users_functions(snapshot):
        assert isinstance(item.definition, FunctionDefinition)
        rules = item.definition.rules
        if not reader.may(item, EXECUTE):
            continue
        schema = snapshot.state.schemas[item.schema].name
        named = {} if rules.procedure else named_type(rules.result, users, snapshot.database)
        yield make(
            specific_catalog=snapshot.database,
            specific_schema=schema,
            specific_name=f"{item.name}_{item.oid}",
            routine_catalog=snapshot.database,
            routine_schema=schema,
            routine_name=item.name,
            routine_type=rules.noun.upper(),
            data_type=None if rules.procedure else _data_type(rules.result),
            type_udt_catalog=named.get("udt_catalog"),
            type_udt_schema=named.get("udt_schema"),
            type_udt_name=named.get("udt_name"),
            dtd_identifier=None if rules.procedure else "0",
            routine_body="EXTERNAL" if rules.form is BodyForm.STRING else "SQL",
            routine_definition=shown(function_query, snapshot.state, item) if rules.form is BodyForm.STRING else None,
            external_language=rules.language.upper(),
            parameter_style="GENERAL",
            is_deterministic=_yes(rules.volatility == "i"),
            sql_data_access="MODIFIES",
            is_null_call=_yes(rules.strict),
            schema_level_routine="YES",
            max_dynamic_result_sets=0,
            security_type="DEFINER" if rules.definer else "INVOKER",
            as_locator="NO",
            is_udt_dependent="NO",
        )


def _parameters(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users, reader = shape("parameters"), users_type_names(snapshot), reader_of(snapshot)
    for item in users_functions(snapshot):
        assert isinstance(item.definition, FunctionDefinition)
        if not reader.may(item, EXECUTE):
            continue
        rules = item.definition.rules
        columns = (FunctionParameter(name, type_, mode="o") for name, type_ in rules.table)
        for number, each in enumerate((*rules.parameters, *columns), 1):
            named = named_type(each.type, users, snapshot.database)
            yield make(
                specific_catalog=snapshot.database,
                specific_schema=snapshot.state.schemas[item.schema].name,
                specific_name=f"{item.name}_{item.oid}",
                ordinal_position=number,
                parameter_mode=_MODES[each.mode],
                is_result="NO",
                as_locator="NO",
                parameter_name=each.name,
                data_type=_data_type(each.type),
                udt_catalog=named["udt_catalog"],
                udt_schema=named["udt_schema"],
                udt_name=named["udt_name"],
                dtd_identifier=str(number),
                parameter_default=each.default,
            )


def _data_type(type_: ScalarType) -> str:
    if type_.element is not None:
        return "ARRAY"
    return type_text(type_.base()) if users_type(type_.base()) is None else "USER-DEFINED"


def _yes(value: bool) -> str:
    return "YES" if value else "NO"


ROUTINE_ROWS: Mapping[str, Rows] = {"parameters": _parameters, "routines": _routines}
