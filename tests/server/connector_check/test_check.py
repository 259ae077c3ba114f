"""`headwater connector check` finds nothing wrong with programs that are right, and names the rule that one breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from server.connector_check.check import Verdict, verdict
from server.connector_check.program import Started
from server.connector_check.rules import RULES
from tests.connectors.sinks.destinations import PROGRAM

STAGED = PROGRAM.with_name("staged_connector.py")
_PATIENCE_S = 20.0
_STORES = '        key = self.key_of(body["doc"])\n'
_COMMITS = '        if not self.replaces:\n            self.store_.execute("COMMIT")\n            self.begin()\n'
_ANSWERS = "        answers[kind](body)\n"
_STAGES = "        write(self.directory / self.staged,"
_SHOWS = '        write(self.file, {"documents": dict(self.changes), "applied": []})\n'
_DEFECTS = [
    (PROGRAM, 'say("opened", frontier=frontier)', 'say("opened", frontier=-1)', "opens"),
    (PROGRAM, _STORES, _STORES + '        say("flushed")\n', "takes_turns"),
    (PROGRAM, _STORES, _STORES + '        if key == "[37]":\n            return\n', "takes_many"),
    (PROGRAM, "if row is not None:", "if row is None:\n            say('loaded', doc=None)\n        else:", "loads"),
    (
        PROGRAM,
        "doc=json.loads(row[0]))",
        'doc=json.loads(row[0]))\n            say("loaded", doc=json.loads(row[0]))',
        "loads",
    ),
    (PROGRAM, ", parse_float=str", "", "keeps_values"),
    (PROGRAM, 'if body["delete"]:', "if False:", "replaces_and_deletes"),
    (PROGRAM, 'told = (body["frontier"],', "told = (10,", "remembers_how_far"),
    (PROGRAM, _STORES, _COMMITS + _STORES, "stores_whole"),
    (PROGRAM, _ANSWERS, _ANSWERS + '    connector.store_.execute("COMMIT")\n', "ends_with_its_input"),
    (PROGRAM, "\nmain()", "\nmain()\ntime.sleep(3600)", "ends_when_idle"),
    (PROGRAM, 'say("opened", frontier=frontier)', 'say("opened", frontier=body["frontier"])', "knows_its_commit"),
    (PROGRAM, "if moved.rowcount != 1:", "if False:", "is_taken_over"),
    (PROGRAM, 'self.replaces = body["anew"] or frontier == 0', "self.replaces = frontier == 0", "begins_anew"),
    (STAGED, _STAGES, _SHOWS + _STAGES, "is_taken_over"),
    (STAGED, 'say("startedCommit", state={"staged": self.staged})', 'say("startedCommit")', "applies_what_the_log_has"),
    (STAGED, 'self.staged not in held["applied"]', "True", "applies_what_the_log_has"),
]


def _verdicts(
    program: Path, directory: Path, *names: str, patience_s: float = _PATIENCE_S
) -> dict[str, tuple[Verdict, str]]:
    place = directory / "out.db" if "sqlite" in program.read_text() else directory
    started = Started((sys.executable, str(program)), {"path": str(place)}, patience_s)
    return {work.__name__: verdict(work, started) for work in RULES if not names or work.__name__ in names}


@pytest.mark.fault(31)
@pytest.mark.parametrize("program", [PROGRAM, STAGED], ids=lambda path: path.stem)
def test_a_program_that_is_right_keeps_all_rules(program: Path, tmp_path: Path) -> None:
    found = _verdicts(program, tmp_path)
    assert [(name, why) for name, (which, why) in found.items() if which is Verdict.BROKEN] == []
    assert [name for name, (which, _) in found.items() if which is Verdict.NOT_TRIED] == ["takes_changes"]


@pytest.mark.parametrize(("program", "right", "wrong", "broken"), _DEFECTS)
def test_a_defect_breaks_its_rule(program: Path, right: str, wrong: str, broken: str, tmp_path: Path) -> None:
    text = program.read_text()
    assert right in text, "the program has changed"
    defective = tmp_path / "defective.py"
    defective.write_text(text.replace(right, wrong, 1))
    # One that never ends is waited for as long as patience lasts.
    patience_s = 3.0 if broken == "ends_when_idle" else _PATIENCE_S
    ((which, why),) = _verdicts(defective, tmp_path, broken, patience_s=patience_s).values()
    assert which is Verdict.BROKEN and why


@pytest.mark.parametrize("defect", ["hang at store", "flood at flush", "crash at startCommit", "hang at flush"])
def test_a_program_that_hangs_floods_or_crashes_is_told_within_its_time(defect: str, tmp_path: Path) -> None:
    config = {"path": str(tmp_path / "out.db"), "defect": defect}
    started = Started((sys.executable, str(PROGRAM)), config, 2.0)
    which, why = verdict(next(work for work in RULES if work.__name__ == "takes_many"), started)
    assert which is Verdict.BROKEN and why


def _checked(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "server.cli", "connector", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_command_tells_what_it_has_found(tmp_path: Path) -> None:
    config = json.dumps({"path": str(tmp_path / "out.db")})
    code, said = _checked("--config", config, sys.executable, str(PROGRAM))
    assert code == 0 and said.endswith("No rule is broken.\n")
    assert said.splitlines()[0] == "kept       It opens, and says of a new sink that it is at 0, or null."
    wrong = json.dumps({"path": str(tmp_path / "out.db"), "defect": "nonsense at flush"})
    code, said = _checked("--config", wrong, "--patience", "5", sys.executable, str(PROGRAM))
    assert code == 1 and "broken     It answers each request once" in said
    assert "it said b'this is no JSON\\n', which is no object of one member" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--config", "[]", "true"), "no object of texts"),
        (("--config", "{", "true"), "no object of texts"),
        (("--config", '{"a": 1}', "true"), "no object of texts"),
    ],
)
def test_what_can_not_be_tried_is_said(arguments: tuple[str, ...], said: str) -> None:
    code, told = _checked(*arguments)
    assert code == 2 and said in told


def test_a_program_that_is_not_there_breaks_all() -> None:
    code, said = _checked("/nowhere/program")
    assert code == 1 and "it can't be started: No such file or directory" in said
