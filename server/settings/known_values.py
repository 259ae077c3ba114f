"""Values of variables that only the catalog can judge."""

from __future__ import annotations

from catalog.state.catalog_state import CatalogState
from server.settings.value_rules import refused


def require_known(name: str, value: str | None, state: CatalogState) -> None:
    """Refuses (22023) the name of a cluster that does not exist. Settings from the start of a session are not checked
    here: the session's first query reports an unknown cluster.
    """
    if name.lower() == "cluster" and value is not None and state.cluster_named(value) is None:
        error = refused("cluster", value)
        error.detail = f'Cluster "{value}" does not exist.'
        raise error
