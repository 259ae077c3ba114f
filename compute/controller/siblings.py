"""Tells the replicas of a cluster where each keeps states, so that a replica that begins can copy another one's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from compute.controller.connection import ReplicaConnection
from compute.protocol.command import SIBLINGS
from compute.protocol.siblings import StatesPlace, encode_siblings


class ToldSiblings:
    """The places last told. `replicas` are the present ones; `configure` hands a parameter to all; `others` are further
    places of states."""

    def __init__(
        self,
        replicas: Sequence[ReplicaConnection],
        configure: Callable[[dict[str, str]], None],
        others: Mapping[str, StatesPlace],
    ) -> None:
        self._replicas = replicas
        self._configure = configure
        self._others = others
        self._told = ""

    def tell(self) -> None:
        """Tells the places anew when replicas have come or gone; a replica alone is told nothing."""
        places = {each.name: states for each in self._replicas if (states := each.host.states) is not None}
        places |= self._others
        told = encode_siblings(places)
        if told != self._told and (len(places) > 1 or self._told):
            self._told = told
            self._configure({SIBLINGS: told})
