"""Findings in IDL."""

from __future__ import annotations

from typing import NamedTuple

from .._text import escaped, escaped_lines


class Diagnostic(NamedTuple):
    """One finding in IDL. Lines and columns count from 1; `caret` is an index into `source`.
    Columns and `caret` count bytes of UTF-8."""

    severity: str
    kind: str
    file: str
    line: int
    column: int
    message: str
    source: str
    caret: int

    def __str__(self) -> str:
        """`file:line:column: error: message [kind]`, the source line, and a caret below the
        error."""
        text_before = escaped_lines(self.source.encode()[: self.caret].decode(errors="ignore"))
        blanks = "".join("\t" if char == "\t" else " " for char in text_before)
        return f"{heading_of(self)}\n  {escaped_lines(self.source)}\n  {blanks}^"


def heading_of(finding: Diagnostic) -> str:
    """`file:line:column: error: message [kind]`."""
    location = f"{escaped(finding.file)}:{finding.line}:{finding.column}"
    return f"{location}: {finding.severity}: {escaped(finding.message)} [{finding.kind}]"
