"""Public C++ functions that report errors come in pairs: name() throws, try_name() returns a
result."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from sources import cpp_files  # noqa: E402

LOCAL = {"object", "reject"}  # a variable, and a function of a private class
OPERATORS = {"unite": "operator|", "intersect": "operator&", "subtract": "operator-"}
DETAIL = r"^namespace [^\n]*\bdetail\b[^\n]*\{.*?^\}  // namespace [^\n]*detail[^\n]*$"


def public_text(path):
    text = re.sub(DETAIL, "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"^ private:.*?^(?=\};)", "", re.sub(r"//.*", "", text), flags=re.M | re.S)


def test_functions_that_report_errors_come_in_pairs():
    text = "\n".join(public_text(path) for path in cpp_files("include") if path.suffix == ".hpp")
    names = set(re.findall(r"\b(\w+)\(", text))
    results = set(re.findall(r"\bresult<[^;{}()]*>\s+(\w+)\(", text)) - LOCAL
    assert len(results) > 80
    assert not {name for name in results if not name.startswith("try_")}
    unpaired = {name.removeprefix("try_") for name in results} - names
    assert not {name for name in unpaired if OPERATORS.get(name, "operator?") + "(" not in text}
    throws = (
        r"\b(\w+)\([^;{}]*\)(?: const)?[^;{}]*\{[^{}]*(?:\btry_\w+[^;]*\.value\(\)|detail::raise\()"
    )
    assert not {name for name in re.findall(throws, text) if "try_" + name not in names}
