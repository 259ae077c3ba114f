"""A project of dbt's, through dbt-postgres as it comes and through Materialize's adapter: a model of each kind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.tls.files import ReloadableTls, TlsFiles
from tests.missing import present
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.tls.authority import Authority

_HERE = Path(__file__).parent
_DBT = Path(sys.prefix) / "dbt" / "bin" / "python"
_DEPLOYED = """--vars '{deploy: true, deployment: {adapter: {clusters: [], schemas: [prod]}}}'"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def server(authority: Authority) -> Iterator[MemoryServer]:
    present(_DBT, "dbt (python -m venv .venv/dbt; its pip install -r tests/packaging/dbt/constraints.txt)")
    wire = ServerOptions(connection=ConnectionOptions(tls=ReloadableTls(TlsFiles(*authority.server()))))
    with memory_server(wire=wire) as server, server.connect() as connection:
        connection.execute("CREATE ROLE reader")
        yield server


class Dbt:
    """A process that runs dbt's commands against a server, one after another, over TLS."""

    def __init__(self, server: MemoryServer, place: Path, authority: Authority) -> None:
        env = os.environ | {"HEADWATER_PORT": str(server.port), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
        env |= {"PGSSLMODE": "verify-full", "PGSSLROOTCERT": str(authority.file)}
        self._errors = place / "errors"
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [_DBT, _HERE / "run_commands.py"],
                env=env,
                cwd=place,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    def run(self, place: Path, *commands: str) -> list[dict[str, Any]]:
        """Runs commands on the project in `place`; returns what became of each. Each is to succeed."""
        told = self.outcomes(place, *commands)
        for command, each in zip(commands, told, strict=True):
            failed = {name: node for name, node in each["nodes"].items() if node[0] not in ("success", "pass")}
            assert each["success"], (command, failed, each["reason"])
        return told

    def outcomes(self, place: Path, *commands: str) -> list[dict[str, Any]]:
        """Runs commands on the project in `place`; returns what became of each."""
        project = place / "project"
        if not project.exists():
            shutil.copytree(_HERE / "project", project)
        return [
            self._ask(f"--log-level none {each} --project-dir {project} --profiles-dir {project}") for each in commands
        ]

    def _ask(self, command: str) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("{"):
                told: dict[str, Any] = json.loads(line)
                return told
        raise AssertionError(self._errors.read_text())

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate(timeout=60)


@pytest.fixture(scope="module")
def dbt(server: MemoryServer, authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dbt]:
    running = Dbt(server, tmp_path_factory.mktemp("dbt"), authority)
    yield running
    running.close()


def test_a_project_of_dbt_postgres_is_built_built_again_and_documented(
    server: MemoryServer, dbt: Dbt, tmp_path: Path, whole: bool
) -> None:
    anew = ["build --full-refresh"] if whole else []
    first, again, *_ = dbt.run(tmp_path, "build", "build", *anew, "docs generate")
    assert {name for name, (status, _) in first["nodes"].items() if status == "success"} == {
        *("raw_orders", "stg_orders", "by_customer", "big_orders", "recent", "counted", "orders_snapshot"),
    }
    assert {status for status, _ in first["nodes"].values()} == {"success", "pass"}
    assert again["nodes"]["recent"][1] == "INSERT 0 1"
    with server.connect() as connection:
        connection.execute("UPDATE analytics.raw_orders SET amount = 11 WHERE id = 1")
        dbt.run(tmp_path, "snapshot")
        snapshot = connection.execute(
            "SELECT id, amount, dbt_valid_to IS NULL FROM snaps.orders_snapshot ORDER BY 1, 3"
        )
        assert [(id_, str(amount), current) for id_, amount, current in snapshot] == [
            *((1, "10.50", False), (1, "11.00", True), (2, "20.00", True), (3, "5.25", True))
        ]
        comment = "SELECT obj_description('analytics.by_customer'::regclass)"
        assert connection.execute(comment).fetchall() == [("Totals by customer's name",)]
        may = "SELECT has_table_privilege('reader', 'analytics.counted', 'SELECT')"
        assert connection.execute(may).fetchall() == [(True,)]
    catalog = json.loads((tmp_path / "project/target/catalog.json").read_text())
    assert "model.shop.by_customer" in catalog["nodes"]


def test_a_project_of_materializes_adapter_is_built_and_deployed(
    server: MemoryServer, dbt: Dbt, tmp_path: Path, whole: bool
) -> None:
    target = "--target adapter"
    again = [f"build {target}"] if whole else []
    first, *_ = dbt.run(tmp_path, f"build {target}", *again, f"docs generate {target}")
    assert {status for status, _ in first["nodes"].values()} == {"success", "pass"}
    assert {"ticks", "latest", "indexed", "by_customer", "counted"} <= first["nodes"].keys()
    with server.connect() as connection:
        indexes = "SELECT count(*) FROM mz_indexes i JOIN mz_objects o ON o.id = i.on_id WHERE o.name = 'indexed'"
        assert connection.execute(indexes).fetchall() == [(2,)]
        ((_, counted),) = connection.execute("SHOW CREATE MATERIALIZED VIEW prod.counted").fetchall()
        assert "mz_assert_not_null(n, 'n')" in counted, "its contract says so"
        connection.execute("GRANT USAGE ON SCHEMA prod TO reader")
        connection.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA prod GRANT SELECT ON TABLES TO reader")
        dbt.run(tmp_path, f"run-operation deploy_init {target} {_DEPLOYED}", f"seed {target} {_DEPLOYED}")
        may = "SELECT has_schema_privilege('reader', 'prod_dbt_deploy', 'USAGE'), "
        may += "has_table_privilege('reader', 'prod_dbt_deploy.raw_orders', 'SELECT')"
        assert connection.execute(may).fetchall() == [(True, True)]
        connection.execute("INSERT INTO prod_dbt_deploy.raw_orders VALUES (4, 'cid', 1, '2026-01-04')")
        dbt.run(tmp_path, f"run-operation deploy_promote {target}", f"run-operation deploy_cleanup {target}")
        assert connection.execute("SELECT count(*) FROM prod.raw_orders").fetchall() == [(4,)]
        assert connection.execute("SELECT to_regnamespace('prod_dbt_deploy')").fetchall() == [(None,)]


def test_a_cluster_is_deployed_with_its_schema(server: MemoryServer, dbt: Dbt, tmp_path: Path) -> None:
    """The deployed cluster is made as the one in production is, waited for, and takes its name."""
    target = "--target adapter"
    kept = """{kept_by: shelf, deployment: {adapter: {clusters: [shelf], schemas: [prod]}}}"""
    with server.connect() as connection:
        connection.execute("CREATE CLUSTER shelf REPLICAS (r1 (SIZE '900m')); GRANT USAGE ON CLUSTER shelf TO reader")
        selected = "--select raw_orders shelved"
        dbt.run(tmp_path, f"build {target} {selected} --vars '{kept}'")
        deploying = kept.replace("{kept_by", "{deploy: true, kept_by", 1)
        init = f"run-operation deploy_init {target} --vars '{kept}'"
        dbt.run(tmp_path, init, f"build {target} {selected} --vars '{deploying}'")
        made = "SELECT r.name, r.size FROM mz_cluster_replicas r JOIN mz_clusters c ON c.id = r.cluster_id "
        assert connection.execute(made.encode() + b"WHERE c.name = 'shelf_dbt_deploy'").fetchall() == [("r1", "900m")]
        before = dict(connection.execute("SELECT name, id FROM mz_clusters").fetchall())
        dbt.run(tmp_path, f"""run-operation deploy_promote {target} --args '{{wait: true}}' --vars '{kept}'""")
        after = dict(connection.execute("SELECT name, id FROM mz_clusters").fetchall())
        assert (after["shelf"], after["shelf_dbt_deploy"]) == (before["shelf_dbt_deploy"], before["shelf"])
        kept_by = "SELECT c.name FROM mz_materialized_views v JOIN mz_clusters c ON c.id = v.cluster_id "
        kept_by += "JOIN mz_schemas s ON s.id = v.schema_id WHERE v.name = 'shelved' AND s.name = 'prod'"
        assert connection.execute(kept_by.encode()).fetchall() == [("shelf",)]
        ((privileges,),) = connection.execute("SELECT privileges FROM mz_clusters WHERE name = 'shelf'").fetchall()
        assert "reader=U/headwater" in privileges
        dbt.run(tmp_path, f"run-operation deploy_cleanup {target} --vars '{kept}'")
        assert connection.execute("SELECT count(*) FROM mz_clusters").fetchall() == [(2,)]


def test_a_role_that_is_no_superuser_deploys_what_it_owns(server: MemoryServer, dbt: Dbt, tmp_path: Path) -> None:
    target = "--target shipper"
    deployed = _DEPLOYED.replace("[prod]", "[shipped]").replace("adapter:", "shipper:")
    with server.connect() as connection:
        connection.execute("CREATE ROLE shipper LOGIN CREATEDB")
        init = f"run-operation deploy_init {target} {deployed}"
        refused = dbt.outcomes(tmp_path, init)
        assert not refused[0]["success"]
        connection.execute("GRANT CREATE ON DATABASE headwater TO shipper")
        dbt.run(tmp_path, f"seed {target}", init, f"seed {target} {deployed}")
        connection.execute("INSERT INTO shipped_dbt_deploy.raw_orders VALUES (4, 'cid', 1, '2026-01-04')")
        dbt.run(tmp_path, f"run-operation deploy_promote {target} {deployed}")
        assert connection.execute("SELECT count(*) FROM shipped.raw_orders").fetchall() == [(4,)]
        owner = "SELECT r.rolname FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE n.nspname = 'shipped'"
        assert connection.execute(owner.encode()).fetchall() == [("shipper",)]
