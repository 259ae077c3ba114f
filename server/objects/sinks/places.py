"""The replica's description of a sink's destination: the connections' options, with ids for secrets."""

from __future__ import annotations

from catalog.facts.roles.decide import is_superuser
from catalog.nouns.connections import Connection
from catalog.state.catalog_state import CatalogState
from connectors.sinks.description import SinkPlace
from connectors.system import Options, Reached
from connectors.systems import DESTINATIONS
from model.external.sinks import ConnectedStore, ConnectedTable, SinkTarget
from model.ids.global_id import GlobalId


def sink_place(target: SinkTarget, state: CatalogState) -> SinkPlace:
    """Returns the place of a sink's destination."""

    def options_of(id_: GlobalId) -> Options:
        connection = state.items[id_].definition
        assert isinstance(connection, Connection), "nothing else is in its place"
        return dict(connection.options)

    reached = Reached({}, False, options_of)
    if isinstance(target, ConnectedTable | ConnectedStore):
        others = not is_superuser(state, state.items[target.connection].owner)
        reached = Reached(options_of(target.connection), others, options_of)
    return DESTINATIONS[target.of].place(target, reached)
