"""The program tests/prove/driver.cpp: operations of the C++ API on generated cases."""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path
from typing import Callable, Optional

BUILD = Path(__file__).resolve().parents[3] / "build"


def driver_path() -> Optional[Path]:
    """The program, or None if it was not built."""
    named = os.environ.get("THRIFTLENS_PROVE_DRIVER")
    path = Path(named) if named else BUILD / "dev" / "tests" / "prove_driver"
    return path if path.exists() else None


class Driver:
    """A process that answers one request after another. It is started again after a crash."""

    def __init__(self) -> None:
        self.process: Optional[subprocess.Popen[bytes]] = None
        self.record: Callable[[bytes], object] = lambda message: None
        self.prefix = ""

    def ask(
        self, operation: str, case: tuple[str, str, str, bytes], *arguments: bytes
    ) -> list[bytes]:
        """The parts of the answer: b"ok" and results, or the code of an error. `case`: protocol,
        IDL, type and data."""
        protocol, idl, kind, data = case
        parts = [
            (self.prefix + operation).encode(),
            protocol.encode(),
            idl.encode(),
            kind.encode(),
            data,
            *arguments,
        ]
        message = struct.pack("<I", len(parts))
        for part in parts:
            message += struct.pack("<I", len(part)) + part
        self.record(message)
        process = self.running()
        assert process.stdin is not None
        try:
            process.stdin.write(message)
            process.stdin.flush()
            answer = [self.take(self.number()) for _ in range(self.number())]
        except (BrokenPipeError, EOFError) as error:
            raise AssertionError(f"{operation}: driver ended, {self.stop()}") from error
        if answer[0] == b"differs":
            raise AssertionError(f"{operation}: {answer[1].decode()}")
        return answer

    def running(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            self.process = subprocess.Popen(
                [str(driver_path())], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        return self.process

    def stop(self) -> str:
        process, self.process = self.running(), None
        process.kill()
        return f"exit code {process.wait()}"

    def number(self) -> int:
        (number,) = struct.unpack("<I", self.take(4))
        return int(number)

    def take(self, size: int) -> bytes:
        stdout = self.running().stdout
        assert stdout is not None
        data = stdout.read(size)
        if len(data) != size:
            raise EOFError
        return data


DRIVER = Driver()
