"""Runs dbt's commands, one a line of the standard input, and prints what became of each node as JSON.

dbt has an environment of its own, since it pins what Headwater pins, too. That Python runs this, once
for all commands of a module of tests: dbt takes seconds to be imported.
"""

import json
import shlex
import sys

from dbt.cli.main import dbtRunner  # type: ignore[import-not-found]

for line in sys.stdin:
    done = dbtRunner().invoke(shlex.split(line))
    nodes = getattr(done.result, "results", None) or []
    told = {each.node.name: [str(each.status), each.message] for each in nodes if hasattr(each, "node")}
    reason = str(done.exception or "")
    sys.stdout.write(json.dumps({"success": done.success, "nodes": told, "reason": reason}) + "\n")
    sys.stdout.flush()
