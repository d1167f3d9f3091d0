"""Apache Thrift data in place, under IDL that is parsed at run time."""

from ._core import __version__

__all__ = ["__version__"]
