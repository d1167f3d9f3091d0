"""The command line."""

import click

from . import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="thriftlens")
def main() -> None:
    """Apache Thrift data in place, under IDL that is parsed at run time."""
