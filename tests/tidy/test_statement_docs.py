"""docs/compatibility.md tells of every statement what the planner says to it today."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.statements.plan_statement import PLANNERS
from planner.syntax.parse import parse
from tests.tidy.sources import ROOT
from tools.generate_statement_docs import TARGET, answer, statement_page
from tools.statement_forms import own_forms, postgresql_forms

_FORMS = (*postgresql_forms(), *own_forms())


def test_the_page_is_what_the_planner_says() -> None:
    assert (ROOT / TARGET).read_text() == statement_page(), "run python -m tools.generate_statement_docs"


def test_every_kind_of_statement_that_is_planned_stands_on_the_page() -> None:
    shown = {statement.kind for form in _FORMS for statement in parse(form.text)}
    assert set(PLANNERS) - shown == set(), "add a form to tools/statement_forms.py"


def test_no_form_is_refused_for_its_own_mistakes() -> None:
    """A form that the grammar refuses, or that names an object that is not there, would say nothing of its command."""
    mistakes = (Sqlstate.SYNTAX_ERROR, Sqlstate.UNDEFINED_TABLE, Sqlstate.UNDEFINED_COLUMN, Sqlstate.DATATYPE_MISMATCH)
    wrong = [form.text for form in _FORMS if answer(form)[1].startswith(tuple(each.value for each in mistakes))]
    assert wrong == []
