"""`python -m thriftlens` is the command `thriftlens`."""

from .cli import main

if __name__ == "__main__":
    main()
