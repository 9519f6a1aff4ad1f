"""`idrbench data`: what is done with datasets, and the fetching of what the hundred tasks are joined with."""

import click

from idrbench_inspect.dataset import public
from idrbench_inspect.dataset.fetching import kept


@click.group()
def data() -> None:
    """Datasets: check one, fetch the public files."""


@data.command()
def fetch() -> None:
    """Fetch the public files of the hundred tasks, once, and check them."""
    files = (public.QUERIES, public.REFERENCES)
    for file, copy in zip(files, kept(files, None), strict=True):
        click.echo(f"{public.kept_in() / file.name}: {len(copy.content):,} bytes, git blob hash {copy.blob}, as pinned")
