"""The command `thriftlens`.

Outside the package, so that Ctrl-C while that is imported does not end in a traceback.
"""

import os
import sys


def main() -> None:
    try:
        from thriftlens._cli.main import main as command

        command()
    except (
        KeyboardInterrupt
    ):  # before the command could catch it: the line and the status that it would have given
        os.write(2, b"thriftlens: interrupted\n")
        sys.exit(130)
