"""Users' functions as JSON in the catalog's rows (see durable), and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.scalar_type import ScalarType
from planner.function_rules import BodyForm, FunctionParameter, FunctionRules, Language

TypeValue = Callable[[ScalarType], Any]
TypeOf = Callable[[Any], ScalarType]


def function_value(rules: FunctionRules, type_value: TypeValue) -> dict[str, Any]:
    """Returns the part of a function's row that tells its meaning."""
    # Rows of functions in SQL stay as they were written before there were others.
    language = {} if rules.language is Language.SQL else {"language": rules.language.value}
    return {
        "parameters": [[each.name, type_value(each.type), each.default, each.mode] for each in rules.parameters],
        "result": type_value(rules.result),
        "body": rules.body,
        "form": rules.form.value,
        "strict": rules.strict,
        "volatility": rules.volatility,
        "parallel": rules.parallel,
        "cost": rules.cost,
        "sets": rules.sets,
        "procedure": rules.procedure,
        "stepwise": rules.stepwise,
        "columns": [[name, type_value(type_)] for name, type_ in rules.columns],
        "definer": rules.definer,
        "settings": [list(each) for each in rules.settings],
        "leakproof": rules.leakproof,
        "rows": rules.rows,
        **language,
    }


def function_of(value: dict[str, Any], type_of: TypeOf) -> FunctionRules:
    """Reads the meaning of a function; rows written before functions returned sets lack entries about sets, rows before
    procedures about statements, rows before SECURITY DEFINER about rights, rows before PL/pgSQL about the language."""
    return FunctionRules(
        tuple(_parameter(type_of, *each) for each in value["parameters"]),
        type_of(value["result"]),
        value["body"],
        BodyForm(value["form"]),
        value["strict"],
        value["volatility"],
        value["parallel"],
        value["cost"],
        value.get("sets", False),
        tuple((name, type_of(type_)) for name, type_ in value.get("columns", ())),
        value.get("procedure", False),
        value.get("stepwise", False),
        value.get("definer", False),
        tuple((name, setting) for name, setting in value.get("settings", ())),
        value.get("leakproof", False),
        value.get("rows"),
        Language(value.get("language", Language.SQL)),
    )


def _parameter(
    type_of: TypeOf, name: str | None, type_: Any, default: str | None, mode: str = "i"
) -> FunctionParameter:
    return FunctionParameter(name, type_of(type_), default, mode)
