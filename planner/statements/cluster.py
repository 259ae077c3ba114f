"""IN CLUSTER: there is one."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import CLUSTER
from planner.scope.analysis import Analysis
from planner.syntax.extensions import Extension


def check_cluster(analysis: Analysis, extension: Extension) -> None:
    """Raises 42704 for a cluster that doesn't exist."""
    if extension.cluster not in (None, CLUSTER):
        message = f'cluster "{extension.cluster}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
