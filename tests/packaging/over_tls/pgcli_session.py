"""Completions of pgcli: refreshed from the catalogs as at its start, then asked for at the end of each text of the
standard input, a JSON list. What it proposes first for each is printed as JSON.

Where the database is stands in libpq's variables.
"""

import json
import os
import sys
import time

from pgcli.completion_refresher import CompletionRefresher  # type: ignore[import-not-found,unused-ignore]
from pgcli.pgcompleter import PGCompleter  # type: ignore[import-not-found,unused-ignore]
from pgcli.pgexecute import PGExecute  # type: ignore[import-not-found,unused-ignore]
from prompt_toolkit.document import Document  # type: ignore[import-not-found,unused-ignore]

executor = PGExecute(dsn=f"dbname={os.environ['PGDATABASE']}", database=os.environ["PGDATABASE"])
made: list[PGCompleter] = []
refresher = CompletionRefresher()
refresher.refresh(executor, None, made.append, settings={})
while refresher.is_refreshing():
    time.sleep(0.01)
(completer,) = made  # none where a query of the refresher's has failed
told = []
for text in json.load(sys.stdin):
    proposed = completer.get_completions(Document(text, len(text)), None)
    told.append(proposed[0].text if proposed else None)
print(json.dumps(told))
