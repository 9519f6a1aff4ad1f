"""`idrbench data`, to which other rooms add commands, and `fetch`, of what the hundred tasks are joined with."""

from collections.abc import Callable
from typing import Any

import click

from idrbench_inspect.dataset import public
from idrbench_inspect.dataset.fetching import kept


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--data-dir` and `--reports`, which say what a dataset is joined with."""
    for name, metavar, told in (
        ("--reports", "FILE", "Reports to pair with, in place of the public references."),
        ("--data-dir", "DIR", "Folder with copies of the public files, in place of fetching them."),
    ):
        command = click.option(name, metavar=metavar, help=told)(command)
    return command


@click.group()
def data() -> None:
    """Datasets: fetch the public files, check, make and judge one."""


@data.command()
def fetch() -> None:
    """Fetch the public files of the hundred tasks, once, and check them."""
    files = (public.QUERIES, public.REFERENCES)
    for file, copy in zip(files, kept(files, None), strict=True):
        click.echo(f"{public.kept_in() / file.name}: {len(copy.content):,} bytes, git blob hash {copy.blob}, as pinned")
