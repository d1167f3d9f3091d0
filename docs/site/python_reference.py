"""The Python reference: signatures from the stubs and sources, words from the docstrings, a page a
group of names.
"""

import ast
import copy
import functools
import importlib
import inspect
import re
from pathlib import Path

import thriftlens

GROUPS = [
    (
        "schema",
        "Schemas and types",
        ["load", "loads", "Schema", "Store", "Type", "Field", "Service", "Function"],
    ),
    ("views", "Views", ["View", "StructView", "MapView", "ListView", "SetView"]),
    (
        "changes",
        "Edits and rewriting",
        [
            "Edit",
            "Document",
            "Rewrite",
            "rewrite",
            "RewriteReport",
            "Redaction",
            "RedactReport",
            "Difference",
            "Differences",
        ],
    ),
    ("codecs", "Decoders and encoders", ["Decoder", "Encoder", "convert"]),
    ("objects", "Typed objects", ["Struct", "UnionStruct", "Adapter", "Name", "Unix"]),
    (
        "records",
        "Records and messages",
        ["scan", "Scan", "Rejected", "Writer", "Message", "read_message", "application_exception"],
    ),
    (
        "columns",
        "Columns",
        [
            "scan_columns",
            "_records.columns.Columns",
            "_records.columns.RejectedRow",
            "_records.columns.ArrowSchema",
        ],
    ),
    ("unknown", "Unknown data", ["detect", "Guess", "inspect", "identify", "Candidate", "infer"]),
    (
        "services",
        "Services",
        [
            "connect",
            "Client",
            "serve",
            "ThriftException",
            "Recording",
            "Recorded",
            "RecordedCall",
            "LostBytes",
        ],
    ),
    ("gateway", "Gateway", ["gateway", "Gateway"]),
    (
        "errors",
        "Errors",
        [
            "Error",
            "DecodeError",
            "EncodeError",
            "JSONError",
            "SchemaError",
            "UnknownNameError",
            "AbsentError",
            "ApplicationError",
            "TransportError",
            "TransportConnectionError",
            "TransportTimeoutError",
            "BusinessError",
            "FileError",
            "MissingFileError",
            "UsageError",
            "Diagnostic",
        ],
    ),
]
PACKAGE = Path(thriftlens.__file__).parent
ROLE = {"function": "py:function", "class": "py:class", "exception": "py:exception"}


@functools.lru_cache(maxsize=None)
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def declared(module, name):
    """The nodes that declare a name of a module; of a compiled one those of its stub.

    A public name may be declared in any file of the package.
    """
    if module.endswith("._core"):
        return declarations(ast.walk(tree(PACKAGE / "_core.pyi")), name)
    inner = module.split(".")[1:]
    path = PACKAGE.joinpath(*inner).with_suffix(".py")
    nodes = declarations(ast.walk(tree(path)), name) if inner and path.exists() else []
    return nodes or declarations(
        (node for path in sorted(PACKAGE.rglob("*.py")) for node in tree(path).body), name
    )


def declarations(nodes, name):
    return [
        node
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        and node.name == name
    ]


def option_types(name):
    """The members of a TypedDict, with their annotations."""
    for owner in declared("thriftlens._typing", name):
        for base in owner.bases:
            yield from option_types(ast.unparse(base))
        for node in owner.body:
            if isinstance(node, ast.AnnAssign):
                yield node.target.id, node.annotation


def parameters(node, function):
    """The parameters of a declaration; those of the function in place of **options."""
    arguments = copy.deepcopy(node.args)
    if arguments.kwarg is None or not callable(function):
        return arguments
    shown = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in shown):
        return arguments
    types = dict(option_types(ast.unparse(arguments.kwarg.annotation.slice)))
    for parameter in shown:
        if parameter.name in types:
            arguments.kwonlyargs.append(ast.arg(parameter.name, types[parameter.name]))
            default = ast.parse(repr(parameter.default), mode="eval").body
            arguments.kw_defaults.append(default)
    arguments.kwarg = None
    return arguments


def signatures(nodes, function=None):
    """Parameters and result of every overload, or of the only declaration."""
    overloads = [
        node
        for node in nodes
        if any("overload" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]
    for node in overloads or nodes[:1]:
        arguments = parameters(node, function)
        listed = arguments.posonlyargs or arguments.args
        if listed and listed[0].arg in ("self", "cls"):
            listed.pop(0)
        result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
        yield f"({ast.unparse(arguments)}){result}"


def unquoted(signature):
    """The text of a signature, whose annotations are strings, without their quotes."""
    return re.sub(r"(: |-> )(['\"])(.*?)\2(?= = |, |\)|$)", r"\1\3", signature)


def escaped(text):
    parts = re.split(r"(``?[^`]+``?)", text)
    return "".join(
        f"``{part.strip('`')}``"
        if part.startswith("`") and len(part) > 2
        else re.sub(r"([\\*_|<>`])", r"\\\1", part)
        for part in parts
    )


def paragraphs(doc):
    """A docstring as RST: paragraphs, `name: text` as a list, sessions as code."""
    out = []
    for block in re.split(r"\n\s*\n", doc.strip("\n")):
        lines = block.split("\n")
        if all(re.match(r"\s+|$", line) for line in lines) and not lines[0].lstrip().startswith(
            ">>>"
        ):
            width = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
            body = [line[width:] for line in lines]
            named = all(re.match(r"[\w*, .\"]+: |\s", line) for line in body) and ": " in body[0]
            if not named:
                out.append(".. code-block:: text\n\n" + "\n".join("   " + line for line in lines))
                continue
            lines = body
        if lines[0].lstrip().startswith(">>>"):
            out.append(
                ".. code-block:: pycon\n\n"
                + "\n".join(
                    "   " + line.strip()
                    if line.lstrip().startswith((">>>", "..."))
                    else "   " + line
                    for line in lines
                )
            )
            continue
        while lines:
            item = re.match(r"([a-z_*][\w*./]*(?:, [\w*./]+)*): (.*)", lines[0])
            more = 1
            while more < len(lines) and lines[more].startswith(" "):
                more += 1
            if (
                item
                and (
                    more > 1
                    or len(lines) == 1
                    or re.match(r"[\w*, ./]+: ", lines[more] if more < len(lines) else lines[0])
                )
                and len(item[1]) < 50
            ):
                out.append(
                    f"- {escaped('`' + item[1] + '`')}: "
                    + escaped(" ".join([item[2], *(line.strip() for line in lines[1:more])]))
                )
                lines = lines[more:]
                continue
            if lines[0].startswith("- "):
                out.append(
                    "- "
                    + escaped(" ".join([lines[0][2:], *(line.strip() for line in lines[1:more])]))
                )
                lines = lines[more:]
                continue
            until = next((n for n in range(1, len(lines)) if re.match(r"- ", lines[n])), len(lines))
            out.append(escaped(" ".join(line.strip() for line in lines[:until])))
            lines = lines[until:]
    return "\n\n".join(out)


def directive(kind, names, doc, options=(), inner=""):
    first, *others = names
    head = f".. {kind}:: {first}\n" + "".join(
        f"{' ' * (len(kind) + 6)}{signature}\n" for signature in others
    )
    head += "".join(f"   :{option}:\n" for option in options)
    body = "\n\n".join(part for part in (paragraphs(doc) if doc else "", inner) if part)
    return head + "\n" + "\n".join("   " + line if line else "" for line in body.split("\n")) + "\n"


def member_nodes(of, name):
    for base in of.__mro__:
        for owner in declared(base.__module__, base.__name__):
            nodes = [node for node in owner.body if getattr(node, "name", None) == name]
            if nodes:
                return nodes, owner
    return [], None


def attribute_docs(of):
    """Fields of a named tuple or data class, with their docstrings."""
    for owner in declared(of.__module__, of.__name__)[:1]:
        for node, following in zip(owner.body, [*owner.body[1:], None]):
            if isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_"):
                text = (
                    following.value.value
                    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                    else ""
                )
                yield node.target.id, ast.unparse(node.annotation), text


def members(of):
    if issubclass(of, tuple) and getattr(of, "_fields", None):
        for name, kind, doc in attribute_docs(of):
            yield directive("py:attribute", [f"{name}: {kind}"], doc)
    seen = set(getattr(of, "_fields", None) or ())
    for name in sorted(set(dir(of)) - seen):
        if name.startswith("_"):
            continue
        nodes, owner = member_nodes(of, name)
        if owner is None:
            continue
        member = inspect.getattr_static(of, name)
        doc = inspect.getdoc(member) or ""
        if any(
            ast.unparse(decorator) in ("property", "functools.cached_property", "cached_property")
            for decorator in nodes[0].decorator_list
        ):
            result = ast.unparse(nodes[0].returns) if nodes[0].returns is not None else "Any"
            yield (
                directive("py:property", [name], doc)
                if result == "Any"
                else directive("py:property", [f"{name}"], f"{doc}\n\nOf type `{result}`.")
            )
            continue
        options = [
            option
            for option in ("staticmethod", "classmethod")
            if any(ast.unparse(decorator) == option for decorator in nodes[0].decorator_list)
        ]
        if any(isinstance(node, ast.AsyncFunctionDef) for node in nodes):
            options.append("async")
        yield directive(
            "py:method", [name + signature for signature in signatures(nodes, member)], doc, options
        )


def described(module, name):
    """A public name; `_module.Name` is the class of a result, which users do not import."""
    *inner, name = name.split(".")
    module = functools.reduce(getattr, inner, module)
    value = getattr(module, name)
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
        nodes, owner = member_nodes(value, "__init__")
        ours = (
            owner is not None
            and not inner
            and owner.name == value.__name__
            and not issubclass(value, BaseException)
        )
        return directive(
            ROLE[kind],
            [name + signature for signature in signatures(nodes)] if ours else [name],
            inspect.getdoc(value) or "",
            inner="\n\n".join(members(value)),
        )
    if callable(value):
        nodes = declared(value.__module__ or "thriftlens._core", name)
        texts = (
            [unquoted(str(value.__signature__))]
            if hasattr(value, "__signature__")
            else list(signatures(nodes))
        )
        return directive(
            "py:function",
            [name + signature for signature in texts] or [name + "()"],
            inspect.getdoc(value) or "",
        )
    return ""


def page(title, module, names, intro=""):
    parts = [
        f"{title}\n{'=' * len(title)}",
        paragraphs(intro) if intro else "",
        f".. py:currentmodule:: {module.__name__}",
    ]
    return (
        "\n\n".join(part for part in (*parts, *(described(module, name) for name in names)) if part)
        + "\n"
    )


def write(folder):
    folder.mkdir(parents=True)
    grouped = {name for _, _, names in GROUPS for name in names}
    rest = [
        name
        for name in thriftlens.__all__
        if name not in grouped
        and not inspect.ismodule(getattr(thriftlens, name))
        and name != "__version__"
    ]
    files = []
    for file, title, names in [*GROUPS, *([("more", "More", rest)] if rest else [])]:
        (folder / f"{file}.rst").write_text(page(title, thriftlens, names), encoding="utf-8")
        files.append(file)
    for name in thriftlens.__all__:
        module = getattr(thriftlens, name)
        if inspect.ismodule(module) and name != "grammar":
            public = getattr(module, "__all__", None) or [
                name
                for name in vars(module)
                if not name.startswith("_")
                and getattr(getattr(module, name), "__module__", None) == module.__name__
            ]
            title = f"thriftlens.{name}"
            (folder / f"{name}.rst").write_text(
                page(
                    title,
                    importlib.import_module(module.__name__),
                    public,
                    inspect.getdoc(module) or "",
                ),
                encoding="utf-8",
            )
            files.append(name)
    grammar = "Paths and selections\n====================\n\n" + "\n\n".join(
        f"{title}\n{'-' * len(title)}\n\n.. code-block:: text\n\n"
        + "\n".join("   " + line for line in text.strip("\n").split("\n"))
        for title, text in (
            ("Paths", thriftlens.grammar.PATHS),
            ("Selections", thriftlens.grammar.SELECTIONS),
        )
    )
    (folder / "paths-and-selections.rst").write_text(grammar + "\n", encoding="utf-8")
    files.append("paths-and-selections")
    listed = "\n".join(f"   {file}" for file in files)
    (folder / "index.rst").write_text(
        "Python reference\n================\n\n``import thriftlens as tl``. The pages are "
        "generated from docstrings, whose examples "
        "are tested, and from the type annotations of the package.\n\n.. toctree::\n   "
        f":maxdepth: 1\n\n{listed}\n",
        encoding="utf-8",
    )
