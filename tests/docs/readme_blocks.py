"""Finds and runs the code blocks of a README, and of the pages in docs/.

The blocks of one file run in order in one folder, which begins with the files of idl/ (and idl/
itself).
  cpp            compiled with g++ and run; a fragment without main() gets one around its
  statements. Outside README.md, the program links
                 thriftlens_compiled_json in the build folder that THRIFTLENS_COMPILED_IN names, if
                 it is set
  python         executed; the blocks of a file share their names
  sh, bash       run by bash -euo pipefail, with this interpreter's folder first in PATH
  console        lines after `$ ` are run; the lines below must be their output (`...` matches
  anything) json, thrift   must parse
A comment on the line above a block changes this:
  <!-- skip: reason -->   not run; tests/docs/test_readme_blocks.py lists every skip
  <!-- file: name -->     written to that file instead
  <!-- continues -->      (cpp) the statements of the block before come first
  <!-- output -->         is the output of the previous block (`...` matches anything)
Blocks in other languages, or in none, are not run."""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {"build", "dist", ".venv", ".git", "node_modules"}


@dataclass(frozen=True)
class Block:
    path: Path
    line: int
    language: str
    text: str
    skip: str = ""
    file: str = ""
    continues: bool = False
    output: bool = False

    def __str__(self):
        return f"{self.path}:{self.line}"


def readmes(root=ROOT):
    return sorted(
        {
            path.relative_to(root)
            for path in (
                *root.rglob("README.md"),
                *root.glob("*.md"),
                *(root / "docs").rglob("*.md"),
            )
            if not any(
                part in LEFT_OUT or part.startswith("build-")
                for part in path.relative_to(root).parts
            )
        }
    )


def blocks_of(path, text):
    lines, number = text.split("\n"), 0
    while number < len(lines):
        fence = re.match(r"^(```+)(\w*|\{[\w-]+\}.*?)\s*$", lines[number])
        if not fence:
            number += 1
            continue
        end = next(
            (n for n in range(number + 1, len(lines)) if lines[n].rstrip() == fence[1]), None
        )
        if end is None:
            raise ValueError(f"{path}:{number + 1}: a block without an end")
        above = lines[number - 1] if number else ""
        note = dict(re.findall(r"<!--\s*(skip|file|continues|output)(?::\s*(.*?))?\s*-->", above))
        yield Block(
            path,
            number + 1,
            fence[2],
            "\n".join(lines[number + 1 : end]) + "\n",
            note.get("skip", ""),
            note.get("file", ""),
            "continues" in note,
            "output" in note,
        )
        number = end + 1


def program(fragment):
    """A complete C++ program: declarations stay outside, statements go into main()."""
    if re.search(r"\bint main\(", fragment):
        return fragment
    outside, inside, chunk, depth = [], [], "", 0
    for line in fragment.split("\n"):
        chunk += line + "\n"
        code = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", line).rstrip()
        depth += code.count("{") - code.count("}")
        if depth == 0 and (not code or code[-1] in ";}" or code.lstrip().startswith("#")):
            first = chunk.lstrip()
            (
                outside
                if re.match(r"#|(namespace|template|struct|class|enum|using)\b", first)
                else inside
            ).append(chunk)
            chunk = ""
    return "".join(outside) + "int main() {\n" + "".join(inside) + chunk + "}\n"


def must_be(description, expected, output):
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    if not re.fullmatch(pattern, output.strip(), flags=re.S):
        raise AssertionError(f"{description}\nexpected:\n{expected}\nfound:\n{output}")


def of_idl(module):
    return module.partition(".")[0].endswith("_thrift")


class Session:
    """What the blocks of one file share: the folder, the Python names, the C++ text so far."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for path in (ROOT / "idl").iterdir():
            if path.is_file():
                shutil.copy(path, self.folder)
        shutil.copytree(
            ROOT / "idl", self.folder / "idl", ignore=shutil.ignore_patterns("__pycache__")
        )
        self.names = {"__name__": "__readme__"}
        self.imports = (sys.path[:], sys.meta_path[:], {})
        self.cpp = self.output = ""
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        }

    def run(self, block):
        if block.skip:
            return
        if block.file:
            target = self.folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
            return
        if block.output:
            must_be("the block before", block.text, self.output)
            return
        runner = getattr(self, "run_" + {"bash": "sh"}.get(block.language, block.language), None)
        if runner:
            runner(block)

    def call(self, *command, **options):
        result = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", **options,
        )  # fmt: skip
        if result.returncode:
            raise AssertionError(
                f"exit {result.returncode} of {' '.join(command)}\n{result.stdout}"
            )
        return result.stdout

    def run_cpp(self, block):
        self.cpp = (self.cpp if block.continues else "") + block.text
        source, binary = self.folder / "block.cpp", self.folder / "block"
        source.write_text(program(self.cpp), encoding="utf-8")
        libraries = ["-lsimdjson"] if re.search("<thriftlens/(json|http)", self.cpp) else []
        folder = os.environ.get("THRIFTLENS_COMPILED_IN")
        if folder and block.path != Path("README.md"):
            bodies = [
                f"{folder}/libthriftlens_{name}.a"
                for name in ("compiled_json", "compiled", "loader")
            ]
            libraries = ["-DTHRIFTLENS_COMPILED", *bodies, *libraries]
        self.call(
            *shlex.split(os.environ.get("CXX", "g++")), "-std=c++20", "-O0",
            f"-I{ROOT / 'include'}", str(source), "-o", str(binary), *libraries,
        )  # fmt: skip
        self.output = self.call(str(binary))

    def run_python(self, block):
        output = io.StringIO()
        with self.own_imports(), contextlib.redirect_stdout(output):
            exec(compile("\n" * block.line + block.text, str(block.path), "exec"), self.names)
        self.output = output.getvalue()

    @contextlib.contextmanager
    def own_imports(self):
        """Runs in the folder; import paths, hooks and modules of IDL files last for the page."""
        previous_folder, before = os.getcwd(), (sys.path[:], sys.meta_path[:])
        os.chdir(self.folder)
        sys.path_importer_cache.pop(".", None)  # the folder of another session
        sys.path[:], sys.meta_path[:], modules = self.imports
        sys.modules.update(modules)
        try:
            yield
        finally:
            os.chdir(previous_folder)
            modules = {name: sys.modules.pop(name) for name in list(sys.modules) if of_idl(name)}
            self.imports = (sys.path[:], sys.meta_path[:], modules)
            sys.path[:], sys.meta_path[:] = before

    def run_sh(self, block):
        self.call("bash", "-euo", "pipefail", "-c", block.text)

    def run_console(self, block):
        for command, expected in re.findall(
            r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, flags=re.M
        ):
            must_be(f"$ {command}", expected, self.call("bash", "-euo", "pipefail", "-c", command))

    def run_json(self, block):
        json.loads(block.text)

    def run_thrift(self, block):
        import thriftlens

        thriftlens.loads(block.text)
