"""`headwater`: serve, sql, restore, prepare, demo, connector, replica."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from server.door_options import read_password
from server.options import ServeOptions
from server.start.command_line import hide_secrets

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Headwater: a SQL server over time-varying collections.",
)

connector = typer.Typer(no_args_is_help=True, help="For those who write programs as destinations of sinks.")
app.add_typer(connector, name="connector")


def _option(name: str, help_: str) -> Any:
    """Declares an option that may also be given as HEADWATER_… in the environment."""
    return typer.Option(f"--{name}", help=help_, envvar=f"HEADWATER_{name.upper().replace('-', '_')}")


def _switch(name: str, help_: str) -> Any:
    """Declares a switch that may also be given as HEADWATER_… in the environment."""
    variable = f"HEADWATER_{name.upper().replace('-', '_')}"
    return typer.Option(f"--{name}/--no-{name}", help=help_, envvar=variable, show_default=False)


@app.command()
def serve(
    listen: Annotated[
        str | None, _option("listen", "HOST:PORT; port 0 takes a free one; default 127.0.0.1:6875.")
    ] = None,
    http_listen: Annotated[str | None, _option("http-listen", "HOST:PORT, or none; default the port after it.")] = None,
    http_connections: Annotated[int | None, _option("http-connections", "Over HTTP, at once; default 500.")] = None,
    http_body_bytes: Annotated[int | None, _option("http-body-bytes", "Of a request; default 5 MiB.")] = None,
    http_requests_per_second: Annotated[int | None, _option("http-requests-per-second", "To each source.")] = None,
    data_dir: Annotated[Path | None, _option("data-dir", "Where all is kept by default; default .headwater.")] = None,
    consensus: Annotated[str | None, _option("consensus", "sqlite:///PATH or postgresql://…; default SQLite.")] = None,
    blob: Annotated[
        str | None, _option("blob", "A directory, or s3://BUCKET/PREFIX; default a directory in the data directory.")
    ] = None,
    spark_master: Annotated[
        str | None, _option("spark-master", "local[N], local-cluster[…] or spark://HOST:PORT; default local[8].")
    ] = None,
    replica_memory: Annotated[str | None, _option("replica-memory", "Heap of the replica's JVM; default 4g.")] = None,
    replicas: Annotated[int | None, _option("replicas", "Processes that all maintain every view; default 1.")] = None,
    replica_state: Annotated[str | None, _option("replica-state", "disk or blob; default disk.")] = None,
    replica_state_cache_bytes: Annotated[int | None, _option("replica-state-cache-bytes", "Default 4 GiB.")] = None,
    executor_memory: Annotated[str | None, _option("executor-memory", "Each executor's heap; default 1g.")] = None,
    replica: Annotated[
        str | None,
        _option("replica", "Address of a `headwater replica` that runs already; default one that the server starts."),
    ] = None,
    password: Annotated[str | None, _option("password", "Asked of every client; default none.")] = None,
    password_file: Annotated[Path | None, _option("password-file", "A file whose first line it is.")] = None,
    socket_directory: Annotated[Path | None, _option("socket-directory", "Of a Unix socket; default none.")] = None,
    hba_file: Annotated[Path | None, _option("hba-file", "Rules of who comes in, as pg_hba.conf.")] = None,
    tls_cert: Annotated[Path | None, _option("tls-cert", "The server's certificate, in PEM; default no TLS.")] = None,
    tls_key: Annotated[Path | None, _option("tls-key", "The certificate's key, in PEM.")] = None,
    tls_client_ca: Annotated[Path | None, _option("tls-client-ca", "Of authorities of clients' certificates.")] = None,
    superuser: Annotated[str | None, _option("superuser", "Of a new data directory; default headwater.")] = None,
    server_files: Annotated[bool | None, _switch("server-files", "SQL may use the server's files; default.")] = None,
    server_programs: Annotated[bool | None, _switch("server-programs", "Sinks may start programs; default.")] = None,
    secrets_key_file: Annotated[
        Path | None, _option("secrets-key-file", "Secrets' key; default DATA-DIR.secrets-key, made when missing.")
    ] = None,
    retain_history_ms: Annotated[
        int | None, _option("retain-history-ms", "How far back AS OF reaches; default 600000.")
    ] = None,
    keep_alive_ms: Annotated[int | None, _option("keep-alive-ms", "How often idle time goes on; default 1000.")] = None,
    replica_grace_ms: Annotated[int | None, _option("replica-grace-ms", "For a next server; default 60000.")] = None,
    standby: Annotated[bool | None, _switch("standby", "Waits until no other server leads.")] = None,
    lease_ms: Annotated[int | None, _option("lease-ms", "Standbys wait so long for a sign; default 3000.")] = None,
    warm_up: Annotated[bool | None, _switch("warm-up", "Spark tries common queries when first idle; default.")] = None,
    max_connections: Annotated[int | None, _option("max-connections", "Clients at once; default 500.")] = None,
    max_prepared_transactions: Annotated[int | None, _option("max-prepared-transactions", "Default 0.")] = None,
    authentication_timeout_ms: Annotated[
        int | None, _option("authentication-timeout-ms", "For a client to say who it is; default 60000.")
    ] = None,
    subscribe_memory_bytes: Annotated[
        int | None, _option("subscribe-memory-bytes", "In memory for a slow SUBSCRIBE's reader; default 16 MiB.")
    ] = None,
    subscribe_spill_bytes: Annotated[
        int | None, _option("subscribe-spill-bytes", "And in files, before it is disconnected; default 1 GiB.")
    ] = None,
) -> None:
    """Runs the server until SIGTERM or SIGINT. Clients connect as user headwater to database headwater."""
    given = {name: value for name, value in locals().items() if value is not None}
    try:
        options = ServeOptions(**given)
    except ValidationError as error:
        for each in error.errors(include_input=False, include_url=False):
            reason = each["msg"].removeprefix("Value error, ")
            print(f"headwater serve: {str(each['loc'][0]).replace('_', '-')}: {reason}", file=sys.stderr)
        sys.exit(2)
    from server.start.serve import run_server

    sys.exit(run_server(options))


@app.command()
def certificate(
    cert: Annotated[Path, typer.Option(help="Where the certificate goes.")] = Path("headwater.crt"),
    key: Annotated[Path, typer.Option(help="Where its key goes.")] = Path("headwater.key"),
    host: Annotated[list[str] | None, typer.Option(help="A name or address of the server; may be repeated.")] = None,
) -> None:
    """Makes a self-signed certificate for --tls-cert and --tls-key; clients trust the certificate if given a copy."""
    from model.time.clock import SystemClock
    from server.tls.self_signed import make_certificate

    try:
        make_certificate(cert, key, host or ["localhost", "127.0.0.1", "::1"], SystemClock())
    except (OSError, ValueError) as error:
        print(f"headwater certificate: {error}", file=sys.stderr)
        sys.exit(1)
    print(f"The certificate is in {cert}, its key in {key}.")


@app.command()
def rotate_secrets_key(
    data_dir: Annotated[Path, _option("data-dir", "Whose keys, when no file is named.")] = Path(".headwater"),
    secrets_key_file: Annotated[Path | None, _option("secrets-key-file", "The file of the keys.")] = None,
) -> None:
    """Puts a new key before those in the file; the server encrypts all secrets with it when it starts again."""
    from server.start.key_command import rotate

    sys.exit(rotate(data_dir, secrets_key_file))


@app.command()
def restore(
    place: Annotated[str, typer.Argument(help="Where backups are: a directory, or s3://BUCKET/PREFIX.")],
    data_dir: Annotated[Path, _option("data-dir", "Where it is restored to: empty, or new.")] = Path(".headwater"),
    consensus: Annotated[str | None, _option("consensus", "As serve's; empty.")] = None,
    blob: Annotated[str | None, _option("blob", "As serve's; empty.")] = None,
    as_of: Annotated[str | None, typer.Option(help="A time: milliseconds, or like 2026-11-28T02:00:00Z.")] = None,
    backup: Annotated[
        str | None, typer.Option(help="Which one; default the newest, or the first from AS OF on.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Only tell which backups there are.")] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Only look for what is damaged or missing.")] = False,
) -> None:
    """Restores a backup into an empty place. Exit codes: 0 done, 1 not done, or damage was found."""
    from server.start.restore_command import RestoreOptions, run_restore

    sys.exit(run_restore(RestoreOptions(place, data_dir, consensus, blob, as_of, backup, list_, verify)))


@app.command()
def sql(
    url: Annotated[str, typer.Option(help="Where the server is.")] = "postgresql://headwater@127.0.0.1:6875/headwater",
    file: Annotated[Path | None, typer.Option("--file", "-f", help="A script; default standard input.")] = None,
    command: Annotated[str | None, typer.Option("--command", "-c", help="SQL to run instead of a script.")] = None,
    keep_going: Annotated[bool, typer.Option(help="Go on after an error (psql's default).")] = False,
    password: Annotated[str | None, _option("password", "The server's, where the URL has none.")] = None,
    password_file: Annotated[Path | None, _option("password-file", "A file whose first line it is.")] = None,
) -> None:
    """Runs a SQL script, with psql's exit codes: 0 done, 1 no such file, 2 no connection, 3 error in the script."""
    from server.script import run_script

    try:
        asked = password if password_file is None else read_password(password_file)
    except OSError as error:
        print(f"headwater sql: {password_file}: {error.strerror}", file=sys.stderr)
        sys.exit(1)
    sys.exit(run_script(url, file, command, keep_going=keep_going, password=asked))


@app.command()
def prepare() -> None:
    """Prepare Java once, so that Spark starts in half the time (from Java 25 on)."""
    from compute.spark.training import train

    typer.echo("Java learns what Spark loads; this takes a minute or two, once.")
    file = train()
    typer.echo("This Java can't be prepared: that takes version 25." if file is None else f"It is kept in {file}.")


@app.command()
def demo(
    data_dir: Annotated[Path, typer.Option(help="Emptied first.")] = Path(".headwater/demo"),
    postgres: Annotated[bool, typer.Option("--postgres", help="Mirror a PostgreSQL database instead.")] = False,
) -> None:
    """A tour on real data: load, look, change, travel in time, kill everything, find everything."""
    from server.demo.mirror import run_mirror
    from server.demo.tour import run_demo

    sys.exit(run_mirror(data_dir.absolute()) if postgres else run_demo(data_dir.absolute()))


@connector.command(name="check", context_settings={"allow_interspersed_args": False})
def check_connector(
    command: Annotated[list[str], typer.Argument(help="The program and its arguments.")],
    config: Annotated[str, typer.Option(help="What the program is told as its configuration: texts.")] = "{}",
    patience: Annotated[float, typer.Option(help="Seconds for an answer.")] = 10.0,
) -> None:
    """Tries a program as destination. All that the destination has is replaced: give it an empty one.

    Exit codes: 0 it breaks no rule, 1 it breaks one, 2 nothing could be tried.
    """
    from server.connector_check.check import check

    sys.exit(check(command, config, patience))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)
def replica(
    context: typer.Context,
) -> None:
    """Runs a replica by hand, on another machine; `headwater replica --help` tells its options."""
    from compute.replica.process.start import main as run_replica

    run_replica(context.args)


def main() -> None:
    hide_secrets()
    app()


if __name__ == "__main__":
    main()
