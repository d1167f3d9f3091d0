"""Runs the command `thriftlens`: `python -m thriftlens`."""

from ._cli.main import main

if __name__ == "__main__":
    main()
