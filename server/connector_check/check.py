"""Tests a program against all rules, and reports which it keeps."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum

from model.time.clock import SystemRandomness
from server.connector_check.program import Broken, NotTried, Started
from server.connector_check.rules import RULES, Rule, Tried, told


class Verdict(StrEnum):
    """The result for one rule."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_TRIED = "not tried"


def verdict(work: Rule, started: Started) -> tuple[Verdict, str]:
    """Tests one rule; returns the verdict with an explanation."""
    tried = Tried(started, f"check-{work.__name__}-{SystemRandomness().token()[:8]}")
    try:
        work(tried)
    except Broken as broken:
        return Verdict.BROKEN, str(broken)
    except NotTried as why:
        return Verdict.NOT_TRIED, str(why)
    finally:
        tried.end()
    return Verdict.KEPT, ""


def check(command: Sequence[str], config: str, patience_s: float) -> int:
    """Returns the exit code: 0 when no rule is broken, 1 when one is, 2 when nothing can be tried."""
    try:
        told_config = json.loads(config)
        wrong = not isinstance(told_config, dict) or any(not isinstance(each, str) for each in told_config.values())
    except ValueError:
        wrong = True
    if wrong or not command:
        why = "--config is no object of texts" if wrong else "no command is given"
        print(f"headwater connector check: {why}", file=sys.stderr)
        return 2
    started = Started(command, told_config, patience_s)
    broken = 0
    for work in RULES:
        found, why = verdict(work, started)
        broken += found is Verdict.BROKEN
        print(f"{found:<9}  {told(work)}" + (f"\n           {why}" if why else ""), flush=True)
    print(f"{broken} of {len(RULES)} rules are broken." if broken else "No rule is broken.")
    return int(broken > 0)
