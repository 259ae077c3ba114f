"""Tests of what only OpenSearch has: items of bulk requests that fail one by one, versions, and busy servers.

What every driver has to do is in `test_drivers.py` and `test_fault_cases.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from connectors.opensearch import client, driver
from connectors.opensearch.client import ask_opensearch
from connectors.opensearch.documents import document_ids, sources_of
from connectors.opensearch.driver import OpensearchDriver
from connectors.sinks.fences import CHECKPOINTS
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_to_arrow
from model.time.backing_off import BackOff
from model.types.relation_desc import relation_desc
from model.types.scalar_type import TEXT, ScalarType, TypeName
from tests.connectors.sinks.destinations import RealDestination, opensearch_destination
from tests.connectors.sinks.opensearch_server import Held, Index, OpensearchServer, opensearch_server
from tests.connectors.sinks.sessions import RecoveryLog, sink_into
from tests.connectors.sinks.test_drivers import A2, A, B, C, opened


@pytest.fixture
def server() -> Iterator[OpensearchServer]:
    with opensearch_server() as server:
        yield server


@pytest.fixture
def destination(server: OpensearchServer) -> Iterator[RealDestination]:
    with closing(opensearch_destination(server)) as destination:
        yield destination


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are short."""
    for module in (client, driver):
        monkeypatch.setattr(module, "BACK_OFF", BackOff(0.001, 0.001))


def versions(index: Index) -> dict[str, tuple[int, bool]]:
    """Returns of each _id the version, and whether the document is there."""
    return {id_: (held.version, held.source is not None) for id_, held in index.held.items()}


def test_a_documents_version_is_the_time_of_its_transaction(
    destination: RealDestination, server: OpensearchServer
) -> None:
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1), (B, 1)], 10)
    session.transact([(A, -1), (A2, 1)], 20)
    session.transact([(B, -1)], 30)
    assert versions(server.indices["t"]) == {"1": (20, True), "2": (30, False)}
    assert server.indices["t"].settings == {"gc_deletes": "1h"}


def test_only_items_that_were_refused_are_sent_again(destination: RealDestination, server: OpensearchServer) -> None:
    session = opened(destination, RecoveryLog())
    server.busy = {"2": 2, "3": 1}
    session.transact([(A, 1), (B, 1), (C, 1)], 10)
    assert destination.read() == Counter([A, B, C])
    assert list(map(sorted, server.bulks)) == [["1", "2", "3"], ["2", "3"], ["2"]]


def test_items_that_are_never_taken_are_an_error_and_come_with_the_next_session(
    destination: RealDestination, server: OpensearchServer
) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    server.busy = {"2": 1_000}
    session.store([(A, 1), (B, 1)], 9)
    with pytest.raises(SqlError, match="were not taken: rejected_execution_exception") as error:
        session.start_commit(10)
    assert error.value.sqlstate is Sqlstate.CONNECTION_FAILURE
    assert len(server.bulks) == client.ATTEMPTS
    session.driver.close()
    server.busy = {}
    again = opened(destination, log)
    assert again.position == 0 and isinstance(again.driver, OpensearchDriver) and again.driver.partial
    again.transact([(A, 1), (B, 1)], 10)
    assert destination.read() == Counter([A, B])


def test_a_document_that_the_index_refuses_is_named(destination: RealDestination, server: OpensearchServer) -> None:
    session = opened(destination, RecoveryLog())
    server.indices["t"].types["v"] = int
    session.store([((1, "7"), 1), (B, 1)], 9)
    with pytest.raises(SqlError) as error:
        session.start_commit(10)
    assert error.value.sqlstate is Sqlstate.DATATYPE_MISMATCH
    why = "mapper_parsing_exception: failed to parse field [v] of type [long]"
    assert error.value.message == f'index "t" of OpenSearch refused the document "2": {why}'


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_request_that_a_busy_server_refuses_is_sent_again(
    destination: RealDestination, server: OpensearchServer, status: int
) -> None:
    session = opened(destination, RecoveryLog())
    for frontier, row in ((10, A), (20, B)):
        server.statuses = [status] * 3
        session.transact([(row, 1)], frontier)
    assert destination.read() == Counter([A, B]) and not server.statuses


@pytest.mark.parametrize("status", [400, 401, 403, 413, 500, 302])
def test_another_refusal_ends_the_session(destination: RealDestination, server: OpensearchServer, status: int) -> None:
    session = opened(destination, RecoveryLog())
    server.statuses = [status]
    session.store([(A, 1)], 9)
    with pytest.raises(SqlError, match=rf'index "t" of OpenSearch: HTTP {status}: .*Data too large'):
        session.start_commit(10)
    assert not server.statuses


def test_what_a_late_session_writes_is_never_seen(destination: RealDestination, server: OpensearchServer) -> None:
    """Its request was under way while another took over, and lies behind that one's."""
    log = RecoveryLog()
    late = opened(destination, log)
    late.transact([(A, 1), (B, 1)], 10)
    late.store([(A, -1), ((1, "late"), 1), (C, 1)], 19)
    live = opened(destination, log)
    live.transact([(A, -1), (A2, 1), (B, -1)], 40)
    assert isinstance(late.driver, OpensearchDriver)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(late.driver, "_moved", lambda frontier, applying: True)
        patch.setattr(late.driver, "_require_own", lambda: None)
        late.start_commit(20)
    assert versions(server.indices["t"])["1"] == (40, True)
    assert destination.read() == Counter([A2, C]), "what nobody else has written since is what its key has"


def test_a_session_that_retries_after_another_has_opened_writes_no_more(
    destination: RealDestination, server: OpensearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = RecoveryLog()
    late = opened(destination, log)
    server.busy = {"1": 1}
    whole, sent = OpensearchDriver._require_own, list[int]()

    def require_own(self: OpensearchDriver) -> None:
        if self is late.driver and len(sent) == 1:
            opened(destination, log)
        sent.append(1)
        whole(self)

    monkeypatch.setattr(OpensearchDriver, "_require_own", require_own)
    late.store([(A, 1)], 9)
    with pytest.raises(SqlError, match="taken over"):
        late.start_commit(10)
    assert destination.read() == Counter()


def test_a_session_that_dies_between_portions_is_written_over(
    destination: RealDestination, server: OpensearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "_BULK_ITEMS", 1)
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1), (B, 1)], 10)
    session.store([(A, -1), (A2, 1), (B, -1), (C, 1)], 19)
    server.busy = {"3": 1_000}
    with pytest.raises(SqlError):
        session.start_commit(20)
    session.driver.close()
    assert destination.read() == Counter([A2]), "B is gone, and C was not taken"
    server.busy = {}
    again = opened(destination, log)
    assert again.position == 10 and isinstance(again.driver, OpensearchDriver) and again.driver.partial
    again.transact([(A, -1), (A2, 1), (B, -1), (C, 1)], 20)
    assert destination.read() == Counter([A2, C])


def test_what_is_begun_anew_leaves_no_older_document_in_any_page(
    destination: RealDestination, server: OpensearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "_SCROLLED", 3)
    log = RecoveryLog()
    opened(destination, log).transact([((at, "old"), 1) for at in range(20)], 10)
    again = opened(destination, log, anew=True)
    again.transact([((at, "new"), 1) for at in range(0, 20, 5)], 20)
    assert destination.read() == Counter((at, "new") for at in range(0, 20, 5))
    assert server._scrolls == {}, "searches are ended"


def test_an_index_that_was_dropped_is_written_anew(destination: RealDestination, server: OpensearchServer) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1), (B, 1)], 10)
    session.driver.close()
    # A bulk request of a session that is still there makes the index again, with the documents that change.
    server.indices["t"] = Index()
    again = opened(destination, log)
    assert again.position == 0
    again.transact([(A, 1), (B, 1)], 20)
    assert destination.read() == Counter([A, B])


def test_lost_checkpoints_mean_to_begin_anew(destination: RealDestination, server: OpensearchServer) -> None:
    log = RecoveryLog()
    opened(destination, log).transact([(A, 1), (B, 1)], 10)
    del server.indices[CHECKPOINTS]
    again = opened(destination, log)
    assert again.position == 0
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([B, C])


def test_an_index_is_one_sinks_and_empty_at_first(destination: RealDestination, server: OpensearchServer) -> None:
    server.indices["t"] = Index(held={"7": Held({"k": 7}, 1, 1)})
    with pytest.raises(SqlError, match="not empty"):
        opened(destination, RecoveryLog())
    server.indices["t"] = Index()
    opened(destination, RecoveryLog()).transact([(A, 1)], 10)
    with pytest.raises(SqlError, match='"t" of the destination is written by another sink'):
        opened(destination, RecoveryLog(), "other")
    assert destination.read() == Counter([A])


def test_an_alias_is_refused(destination: RealDestination, server: OpensearchServer) -> None:
    server.indices["real"], server.aliases = Index(), {"t": "real"}
    with pytest.raises(SqlError, match="it is an alias of real"):
        opened(destination, RecoveryLog())


def test_different_keys_never_have_one_id() -> None:
    one, two = relation_desc(("a", TEXT)), relation_desc(("a", TEXT), ("b", TEXT))
    place = opensearch_destination(OpensearchServer(url="http://h")).place
    texts = ["", "a", '[""]', '["a"]', "[", "a,b", '"', "\n", "ü ☃", '["[\\"\\"]"]']
    ids = document_ids(rows_to_arrow([(text,) for text in texts], one), sink_into(place, desc=one), ["c0"])
    assert len(set(ids)) == len(texts) and ids[:3] == ['[""]', "a", '["[\\"\\"]"]']
    both = replace(sink_into(place, desc=two), key=(0, 1))
    rows = [(a, b) for a in texts for b in texts]
    ids = document_ids(rows_to_arrow(rows, two), both, ["c0", "c1"])
    assert len(set(ids)) == len(rows) and ids[1] == '["","a"]'


def test_a_key_that_is_too_long_is_refused() -> None:
    desc = relation_desc(("a", TEXT))
    sink = sink_into(opensearch_destination(OpensearchServer(url="http://h")).place, desc=desc)
    document_ids(rows_to_arrow([("ü" * 256,)], desc), sink, ["c0"])
    with pytest.raises(SqlError) as error:
        document_ids(rows_to_arrow([("ü" * 257,)], desc), sink, ["c0"])
    assert error.value.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED


def test_a_document_is_one_line_whatever_lines_its_json_has() -> None:
    desc = relation_desc(("k", TEXT), ("j", ScalarType(TypeName.JSON)))
    sink = sink_into(opensearch_destination(OpensearchServer(url="http://h")).place, desc=desc)
    rows = [("a\nb", '{"x":\r\n [1,\n "c\\n"]}'), ("c", None)]
    first, second = sources_of(rows_to_arrow(rows, desc), sink)
    assert first == b'{"k":"a\\nb","j":{"x":   [1,  "c\\n"]}}' and second == b'{"k":"c","j":null}'


@pytest.mark.parametrize(
    "said", [b"", b"[]", b"<html>", b'{"items": [{"index": {"status": "x"}}]}', b'{"items": []}', b"[" * 100_000]
)
def test_an_answer_that_is_none_of_opensearch_is_an_error(
    destination: RealDestination, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    session = opened(destination, RecoveryLog())
    whole = client.OpensearchClient._sent

    def sent(
        self: client.OpensearchClient, method: str, path: tuple[str, ...], *told: object
    ) -> client.OpensearchAnswer:
        answer = whole(self, method, path, *told)  # type: ignore[arg-type]
        return client.OpensearchAnswer(200, said) if "_bulk" in path else answer

    monkeypatch.setattr(client.OpensearchClient, "_sent", sent)
    session.store([(A, 1)], 9)
    with pytest.raises(SqlError) as error:
        session.start_commit(10)
    assert error.value.sqlstate is Sqlstate.CONNECTION_FAILURE


def test_a_server_is_asked_whether_it_answers_and_takes_the_login() -> None:
    with opensearch_server("s3cret") as server:
        login = {"url": server.url, "user": "writer", "password": "s3cret"}
        ask_opensearch(login)
        with pytest.raises(Unreachable, match="HTTP 401: Unauthorized"):
            ask_opensearch({**login, "password": "wrong"})
        with pytest.raises(Unreachable, match="HTTP 401"):
            ask_opensearch({"url": server.url})
        server.statuses = [503]
        with pytest.raises(Unreachable, match="HTTP 503"):
            ask_opensearch(login)
    with pytest.raises(Unreachable, match="refused"):
        ask_opensearch(login)
    with pytest.raises(Unreachable, match="no certificate"):
        ask_opensearch({"url": "https://127.0.0.1:1", "authority": "none"})


def test_a_session_that_is_aborted_waits_no_longer(
    destination: RealDestination, server: OpensearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(destination, RecoveryLog())
    monkeypatch.setattr(driver, "BACK_OFF", BackOff(3_600.0, 3_600.0))
    server.busy = {"1": 1_000}
    session.store([(A, 1)], 9)
    session.driver.abort()
    with pytest.raises(SqlError, match="were not taken"):
        session.start_commit(10)
