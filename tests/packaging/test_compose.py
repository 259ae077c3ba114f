"""The compose file says what the code understands."""

import re
from pathlib import Path

from server.options import ServeOptions
from tests.packaging.compose import services

_ROOT = Path(__file__).resolve().parents[2]


def test_without_a_profile_the_server_stands_alone() -> None:
    assert [service.name for service in services().values() if not service.profiles] == ["headwater"]


def test_every_variable_is_one_that_the_server_reads() -> None:
    known = {f"HEADWATER_{name.upper()}" for name in ServeOptions.model_fields}
    used = {name for service in services().values() for name in service.environment if name.startswith("HEADWATER_")}
    assert used <= known


def test_the_cluster_has_consensus_blob_and_two_workers() -> None:
    cluster = services()["headwater-cluster"].environment
    assert cluster["HEADWATER_CONSENSUS"].startswith("postgresql://")
    assert cluster["HEADWATER_BLOB"].startswith("s3://")
    assert cluster["HEADWATER_SPARK_MASTER"] in services()["spark-worker-1"].command
    assert services()["spark-worker-1"].command == services()["spark-worker-2"].command


def test_executors_see_the_files_of_the_replica() -> None:
    shared = f"cluster-data:{services()['headwater-cluster'].environment['HEADWATER_DATA_DIR']}"
    assert shared in services()["headwater-cluster"].volumes
    assert [services()[name].volumes for name in ("spark-worker-1", "spark-worker-2")] == [(shared,), (shared,)]


def test_the_key_for_secrets_is_kept_apart_from_what_it_protects() -> None:
    recipe = (_ROOT / "Dockerfile").read_text()
    assert "HEADWATER_SECRETS_KEY_FILE=/keys/" in recipe and 'VOLUME ["/data", "/keys"]' in recipe
    for name in ("headwater", "headwater-cluster"):
        assert any(volume.endswith(":/keys") for volume in services()[name].volumes)


def test_the_image_runs_as_a_user_and_asks_for_a_password() -> None:
    recipe = (_ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER headwater$", recipe, re.MULTILINE) and "EXPOSE 6875" in recipe and "HEALTHCHECK" in recipe
    for service in services().values():
        if service.environment.get("HEADWATER_LISTEN", "").startswith("0.0.0.0"):
            assert service.environment["HEADWATER_PASSWORD"]


def test_the_image_holds_every_package() -> None:
    recipe = (_ROOT / "Dockerfile").read_text()
    copied = {line.split()[1] for line in recipe.splitlines() if line.startswith("COPY") and len(line.split()) == 3}
    assert copied == {"model", "connectors", "planner", "storage", "catalog", "timeline", "compute", "server"}
