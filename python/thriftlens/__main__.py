"""`python -m thriftlens` is the command `thriftlens`."""

from ._cli.main import main

if __name__ == "__main__":
    main()
