"""The command `idrbench`: its subcommands live in the rooms that do the work."""

import io
import sys

import click

from idrbench_inspect.checking import check
from idrbench_inspect.dataset.commands import data
from idrbench_inspect.making.commands import judge
from idrbench_inspect.making.commands_rows import accept, inject


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="idrbench-inspect")
def main() -> None:
    """What surrounds runs of idrbench_inspect; the runs themselves are started with `inspect eval`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console that has no Chinese shows the characters' numbers instead
            stream.reconfigure(errors="backslashreplace")


for command in (check, judge, inject, accept):
    data.add_command(command)
main.add_command(data)

if __name__ == "__main__":
    main()
