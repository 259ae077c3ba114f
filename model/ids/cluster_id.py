"""The id of the first cluster, `default`, which every catalog has: an oid, as every cluster's id is."""

from __future__ import annotations

FIRST_CLUSTER = 16385
