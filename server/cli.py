"""`headwater`: serve, sql, replica."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from server.options import ServeOptions

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Headwater: a SQL server over time-varying collections."
)


@app.command()
def serve(
    listen: Annotated[str | None, typer.Option(help="HOST:PORT; port 0 takes a free one.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Where everything is kept by default.")] = None,
    consensus: Annotated[str | None, typer.Option(help="sqlite:///PATH or postgresql://….")] = None,
    blob: Annotated[str | None, typer.Option(help="A directory, or s3://BUCKET/PREFIX.")] = None,
    spark_master: Annotated[str | None, typer.Option(help="local[N], local-cluster[…] or spark://HOST:PORT.")] = None,
    replica_memory: Annotated[str | None, typer.Option(help="Memory of the replica's JVM, such as 4g.")] = None,
    password: Annotated[str | None, typer.Option(help="For clients that don't come over loopback.")] = None,
) -> None:
    """Runs the server until SIGTERM or SIGINT. Every option is also HEADWATER_… in the environment."""
    given = {
        "listen": listen,
        "data_dir": data_dir,
        "consensus": consensus,
        "blob": blob,
        "spark_master": spark_master,
        "replica_memory": replica_memory,
        "password": password,
    }
    from server.serve import run_server

    given_values = {name: value for name, value in given.items() if value is not None}
    sys.exit(
        run_server(ServeOptions.model_validate(given_values | ServeOptions().model_dump(exclude=set(given_values))))
    )


@app.command()
def sql(
    url: Annotated[str, typer.Option(help="Where the server is.")] = "postgresql://headwater@127.0.0.1:6875/headwater",
    file: Annotated[Path | None, typer.Option("--file", "-f", help="A script; default standard input.")] = None,
    command: Annotated[str | None, typer.Option("--command", "-c", help="SQL to run instead of a script.")] = None,
    keep_going: Annotated[bool, typer.Option(help="Go on after an error (psql's default).")] = False,
) -> None:
    """Runs a SQL script, with psql's exit codes: 0 done, 1 no such file, 2 no connection, 3 error in the script."""
    from server.script import run_script

    sys.exit(run_script(url, file, command, keep_going=keep_going))


@app.command()
def demo(
    data_dir: Annotated[Path, typer.Option(help="Emptied first.")] = Path(".headwater/demo"),
) -> None:
    """A tour on real data: load, look, change, travel in time, kill everything, find everything."""
    from server.demo.tour import run_demo

    sys.exit(run_demo(data_dir.absolute()))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)
def replica(
    context: typer.Context,
) -> None:
    """Runs a replica by hand, on another machine; `headwater replica --help` tells its options."""
    from compute.replica.__main__ import options_from
    from compute.replica.main import run

    sys.exit(run(options_from(context.args)))


def main() -> None:
    app()


if __name__ == "__main__":
    main()
