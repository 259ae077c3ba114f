"""The cluster in which a new index, materialized view, source or sink runs."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import CLUSTER
from planner.scope.analysis import Analysis
from planner.syntax.extensions import Extension


def new_cluster(analysis: Analysis, named: str | None) -> int:
    """Returns the oid of the cluster that IN CLUSTER names, without it of the session's. Raises SqlError 42704 for one
    that doesn't exist."""
    name = analysis.context.cluster if named is None else named
    oid = analysis.context.catalog.cluster_oid(name)
    if oid is None:
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'cluster "{name}" does not exist')
    return oid


def cluster_of_keys(analysis: Analysis, extension: Extension) -> int:
    """Returns the oid of the cluster that keeps the keys of tables, whatever the session's is: constraints are looked
    up there. Raises SqlError 42704 for a cluster that doesn't exist, 0A000 for another one."""
    if extension.cluster is not None and new_cluster(analysis, extension.cluster) and extension.cluster != CLUSTER:
        hint = f"Keys of tables are kept in the cluster {CLUSTER}."
        raise analysis.unsupported(f'a UNIQUE index in the cluster "{extension.cluster}"', hint=hint)
    oid = analysis.context.catalog.cluster_oid(CLUSTER)
    assert oid is not None, "it is there from the beginning, and stays"
    return oid
