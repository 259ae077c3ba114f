"""A block of PL/pgSQL, or the code of a routine, as its steps, by PostgreSQL's grammar of it, which returns trees of
lists and dictionaries.

Of a routine the grammar is told the names of the parameters, each as a text or as a record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import VOID, ScalarType, TypeName
from planner.function_rules import FunctionRules
from planner.plans.functions import (
    Assignment,
    BlockHandler,
    BlockStep,
    BlockVariable,
    ChoiceStep,
    CloseStep,
    CountStep,
    CursorRowsStep,
    Destination,
    DiagnosticsStep,
    FetchStep,
    ItemsStep,
    LeaveStep,
    LoopStep,
    OpenStep,
    PartAssignmentStep,
    PlpgsqlBlock,
    RaiseStep,
    ReturnRowsStep,
    ReturnStep,
    RowsStep,
    RunStep,
    RunTextStep,
)
from planner.statements.functions.block_declarations import declarations_of, part_assignment, plain_name, refused
from planner.statements.functions.block_returns import with_parentheses
from planner.syntax.grammar import parse_code
from planner.syntax.identifiers import quoted

_ASSIGNED = re.compile(r'\s*("(?:[^"]|"")*"|[^\W\d][\w$]*)\s*(?::=|=)(.*)', re.DOTALL)
_UNKNOWN_VARIABLE = re.compile(r'variable ".*" does not exist', re.DOTALL)
_LEVELS = {14: "debug", 15: "log", 17: "info", 18: "notice", 19: "warning", 21: "exception"}
_OPTIONS = ("errcode", "message", "detail", "hint", "column", "constraint", "datatype", "table", "schema")
_NO_ELSE = "'CASE statement is missing ELSE part.'"
_WORDS = {
    "commit": "COMMIT",
    "rollback": "ROLLBACK",
}
_DIRECTIONS: Sequence[Literal["forward", "backward", "absolute", "relative"]] = (
    "forward",
    "backward",
    "absolute",
    "relative",
)
_SCROLL, _NO_SCROLL = 0x0002, 0x0004
_ALL = 2**31 - 1
"""What ALL counts, at least."""
_MODES = {"i": "IN", "o": "OUT", "b": "INOUT", "v": "IN"}
_ROUTINES_MAX = 256
"""Of routines whose code is kept as steps."""
_Fields = Mapping[str, Any]


def read_block(code: str) -> PlpgsqlBlock:
    """Returns a block with the blocks in it. Raises SqlError 42601 for a syntax error, 54001 for too deep a block;
    raises 0A000 for what is not there: COMMIT and ROLLBACK."""
    return _read(code, "DO")


@lru_cache(_ROUTINES_MAX)
def read_routine(rules: FunctionRules) -> PlpgsqlBlock:
    """Returns the code of a function or a procedure; raises as `read_block` does."""
    told = [f"{_MODES[each.mode]} {_told(each.name or '', each.type)}" for each in rules.parameters]
    title = f"CREATE {rules.noun.upper()} f({', '.join(told)})"
    if rules.procedure:
        returned = ""
    elif rules.sets and rules.table:
        returned = f"RETURNS TABLE({', '.join(_told(name, type_) for name, type_ in rules.table)})"
    else:
        returned = f"RETURNS {'SETOF ' * rules.sets}{_told('', rules.result)}"
    return _read(rules.body, f"{title} {returned} LANGUAGE plpgsql AS")


def _told(name: str, type_: ScalarType) -> str:
    """Returns a name, and the type in the grammar's eyes."""
    # What the grammar knows as a text can name no cursor.
    kind = "void" if type_ == VOID else "record" if type_.name is TypeName.RECORD else "refcursor"
    return f"{quoted(name)} {kind}" if name else kind


def _read(code: str, title: str) -> PlpgsqlBlock:
    declared = declarations_of(code)
    grammatical = with_parentheses(declared.grammatical)
    quote = "$code$"
    while quote in grammatical:
        quote = f"${quote[1:-1]}_$"
    try:
        (function,) = parse_code(f"{title} {quote}{grammatical}{quote}")
    except postgast.PgQueryError as error:
        raise SqlError(_sqlstate(error.message), error.message) from None
    fields = function["PLpgSQL_function"]
    reading = _Reading(fields["datums"], declared.variables)
    outer = fields["action"]["PLpgSQL_stmt_block"]
    # A block with a label or with handlers stands in another.
    inner = outer["body"][0].get("PLpgSQL_stmt_block") if "lineno" not in outer else None
    return reading.block(outer if inner is None else inner)


def _sqlstate(message: str) -> Sqlstate:
    """Returns the SQLSTATE of a refusal by the grammar, which gives the words alone."""
    if message.endswith("is declared CONSTANT"):
        return Sqlstate.ERROR_IN_ASSIGNMENT
    if message.startswith(("RETURN ", "cannot use RETURN")) or message.endswith("of type cursor or refcursor"):
        return Sqlstate.DATATYPE_MISMATCH
    if message.startswith("unrecognized exception") or _UNKNOWN_VARIABLE.fullmatch(message):
        return Sqlstate.UNDEFINED_OBJECT
    return Sqlstate.SYNTAX_ERROR


class _Reading:
    def __init__(self, datums: Sequence[_Fields], variables: Mapping[int, tuple[BlockVariable, ...]]) -> None:
        self._datums = datums
        self._variables = variables
        self._blocks = 0

    def block(self, fields: _Fields) -> PlpgsqlBlock:
        own = self._variables.get(self._blocks, ())
        self._blocks += 1
        body = self._steps(fields.get("body", ()))
        handled = fields.get("exceptions", {}).get("PLpgSQL_exception_block", {}).get("exc_list", ())
        handlers = tuple(self._handler(each["PLpgSQL_exception"]) for each in handled)
        return PlpgsqlBlock(fields.get("label"), own, body, handlers)

    def _handler(self, fields: _Fields) -> BlockHandler:
        conditions = tuple(each["PLpgSQL_condition"]["condname"] for each in fields["conditions"])
        return BlockHandler(conditions, self._steps(fields.get("action", ())))

    def _steps(self, nodes: Sequence[_Fields]) -> tuple[BlockStep, ...]:
        return tuple(self._step(*next(iter(node.items()))) for node in nodes)

    def _step(self, kind: str, fields: _Fields) -> BlockStep:
        match kind.removeprefix("PLpgSQL_stmt_"):
            case "block":
                return self.block(fields)
            case "assign":
                return self._assignment(fields)
            case "perform":
                return RunStep(_sql(fields["expr"]), discards=True)
            case "call":
                return RunStep(_sql(fields["expr"]), discards=True)
            case "execsql":
                return RunStep(_sql(fields["sqlstmt"]), self._into(fields))
            case "dynexecute":
                return RunTextStep(_sql(fields["query"]), _all(fields.get("params", ())), self._into(fields))
            case "raise":
                return _raise(fields)
            case "assert":
                return _assert(fields)
            case "if":
                return self._choice(fields)
            case "case":
                return self._case(fields)
            case "loop" | "while":
                condition = _sql(fields["cond"]) if "cond" in fields else None
                return LoopStep(fields.get("label"), condition, self._steps(fields.get("body", ())))
            case "fori":
                return self._count(fields)
            case "fors" | "dynfors":
                return self._rows(fields)
            case "exit":
                condition = _sql(fields["cond"]) if "cond" in fields else None
                return LeaveStep(bool(fields.get("is_exit")), fields.get("label"), condition)
            case "return" | "return_next":
                value = _sql(fields["expr"])[1:-1] if "expr" in fields else None
                return ReturnStep(value, more=kind.endswith("next"))
            case "return_query" if "query" in fields:
                return ReturnRowsStep(RunStep(_sql(fields["query"])))
            case "return_query":
                return ReturnRowsStep(RunTextStep(_sql(fields["dynquery"]), _all(fields.get("params", ()))))
            case "getdiag":
                return self._diagnostics(fields)
            case "foreach_a":
                body = self._steps(fields.get("body", ()))
                target = self._destination(self._datums[fields.get("varno", 0)])
                return ItemsStep(fields.get("label"), target, fields.get("slice", 0), _sql(fields["expr"]), body)
            case "open":
                return self._open(fields)
            case "fetch":
                return self._fetch(fields)
            case "close":
                return CloseStep(self._variable(fields.get("curvar", 0), "a cursor"))
            case "forc":
                name = next(iter(fields["var"].values()))["refname"]
                body = self._steps(fields.get("body", ()))
                return CursorRowsStep(fields.get("label"), name, self._open(fields), body)
            case other:
                raise refused(_WORDS.get(other, other.upper()))

    def _assignment(self, fields: _Fields) -> Assignment | PartAssignmentStep:
        text = _sql(fields["expr"])
        found = _ASSIGNED.fullmatch(text)
        if found is not None:
            return Assignment(plain_name(found[1]), found[2].strip())
        step = part_assignment(text)
        kind, datum = next(iter(self._datums[fields.get("varno", 0)].items()))
        if kind != "PLpgSQL_recfield" and datum.get("refname") != step.name:
            raise refused("an assignment to a variable behind a label")
        return step

    def _into(self, fields: _Fields) -> Destination | None:
        if not fields.get("into"):
            return None
        return self._destination(fields["target"], strict=bool(fields.get("strict")))

    def _destination(self, target: _Fields, *, strict: bool = False) -> Destination:
        kind, fields = next(iter(target.items()))
        if kind == "PLpgSQL_rec":
            return Destination((fields["refname"],), True, strict)
        if kind == "PLpgSQL_var":
            return Destination((fields["refname"],), False, strict)
        return Destination(tuple(each["name"] for each in fields["fields"]), False, strict)

    def _choice(self, fields: _Fields) -> ChoiceStep:
        first = _sql(fields["cond"]), self._steps(fields.get("then_body", ()))
        more = [each["PLpgSQL_if_elsif"] for each in fields.get("elsif_list", ())]
        branches = (first, *((_sql(each["cond"]), self._steps(each.get("stmts", ()))) for each in more))
        return ChoiceStep(branches, self._steps(fields.get("else_body", ())))

    def _case(self, fields: _Fields) -> BlockStep:
        listed = [each["PLpgSQL_case_when"] for each in fields["case_when_list"]]
        branches = tuple((_sql(each["expr"]), self._steps(each.get("stmts", ()))) for each in listed)
        missing = RaiseStep("exception", "case not found", (), "case_not_found", (("hint", _NO_ELSE),))
        otherwise = self._steps(fields.get("else_stmts", ())) if fields.get("have_else") else (missing,)
        choice = ChoiceStep(branches, otherwise)
        if "t_expr" not in fields:
            return choice
        name = f"__Case__Variable_{fields['t_varno']}__"
        variable = BlockVariable(name, None, _sql(fields["t_expr"]), False, True)
        return PlpgsqlBlock(None, (variable,), (choice,), ())

    def _count(self, fields: _Fields) -> CountStep:
        return CountStep(
            fields.get("label"),
            fields["var"]["PLpgSQL_var"]["refname"],
            _sql(fields["lower"]),
            _sql(fields["upper"]),
            _sql(fields["step"]) if "step" in fields else None,
            bool(fields.get("reverse")),
            self._steps(fields.get("body", ())),
        )

    def _rows(self, fields: _Fields) -> RowsStep:
        text = _sql(fields["query"])
        query = RunTextStep(text, _all(fields.get("params", ()))) if _is_text(fields) else RunStep(text)
        body = self._steps(fields.get("body", ()))
        return RowsStep(fields.get("label"), self._destination(fields["var"]), query, body)

    def _open(self, fields: _Fields) -> OpenStep:
        options = fields.get("cursor_options", 0)
        scroll = True if options & _SCROLL else False if options & _NO_SCROLL else None
        query: RunStep | RunTextStep | None = None
        if "query" in fields:
            query = RunStep(_sql(fields["query"]))
        elif "dynquery" in fields:
            query = RunTextStep(_sql(fields["dynquery"]), _all(fields.get("params", ())))
        arguments = _sql(fields["argquery"]) if "argquery" in fields else None
        return OpenStep(self._variable(fields.get("curvar", 0), "a cursor"), query, arguments, scroll)

    def _fetch(self, fields: _Fields) -> FetchStep:
        many = fields.get("how_many", 1)
        return FetchStep(
            self._variable(fields.get("curvar", 0), "a cursor"),
            _DIRECTIONS[fields.get("direction", 0)],
            _sql(fields["expr"]) if "expr" in fields else None,
            None if many >= _ALL else many,
            None if fields.get("is_move") else self._destination(fields["target"]),
        )

    def _diagnostics(self, fields: _Fields) -> DiagnosticsStep:
        items = [each["PLpgSQL_diag_item"] for each in fields["diag_items"]]
        told = tuple((self._variable(each.get("target", 0), "GET DIAGNOSTICS"), each["kind"]) for each in items)
        return DiagnosticsStep(told, bool(fields.get("is_stacked")))

    def _variable(self, number: int, words: str) -> str:
        """Returns the name of a whole variable."""
        kind, fields = next(iter(self._datums[number].items()))
        if kind != "PLpgSQL_var":
            raise refused(f"a part of a variable in {words}")
        return str(fields["refname"])


def _is_text(fields: _Fields) -> bool:
    """Tells whether the query of a FOR is an expression that gives its text."""
    return int(fields["query"]["PLpgSQL_expr"].get("parseMode", 0)) != 0


def _raise(fields: _Fields) -> RaiseStep:
    options = [each["PLpgSQL_raise_option"] for each in fields.get("options", ())]
    said = tuple((_OPTIONS[each.get("opt_type", 0)], _sql(each["expr"])) for each in options)
    level = _LEVELS[fields["elog_level"]]
    return RaiseStep(level, fields.get("message"), _all(fields.get("params", ())), fields.get("condname"), said)


def _assert(fields: _Fields) -> ChoiceStep:
    said = (_sql(fields["message"]),) if "message" in fields else ()
    failed = RaiseStep("exception", "%" if said else "assertion failed", said, "assert_failure", ())
    return ChoiceStep(((f"({_sql(fields['cond'])}) IS NOT TRUE", (failed,)),), ())


def _sql(node: _Fields) -> str:
    return str(node["PLpgSQL_expr"]["query"])


def _all(nodes: Sequence[_Fields]) -> tuple[str, ...]:
    return tuple(map(_sql, nodes))
