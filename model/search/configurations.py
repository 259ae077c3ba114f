"""The configurations of text search, and the oids by which regconfig holds them: PostgreSQL's `simple` and `english`.

`simple` keeps words in lower case; `english` leaves stop words out and stems the others.
"""

from __future__ import annotations

SIMPLE, ENGLISH = 3748, 12361
CONFIGURATIONS = {"simple": SIMPLE, "english": ENGLISH}
NAMES = {oid: name for name, oid in CONFIGURATIONS.items()}
