"""Generates the C++ reference from doxygen's XML, one page per module, for public names of
namespace thriftlens that are not deprecated.
"""

import collections
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include" / "thriftlens"


def escaped(text):
    return re.sub(r"([\\*_|`<>])", r"\\\1", text)


def inline(node):
    """The text of a paragraph as RST. An escaped space separates literals from adjacent text."""
    out = escaped(node.text or "")
    for child in node:
        text_ = "".join(child.itertext())
        out += (
            f"\\ ``{text_.strip()}``\\ "
            if child.tag == "computeroutput" and text_.strip()
            else ""
            if child.tag in BLOCKS
            else inline(child)
        )
        out += escaped(child.tail or "")
    return out


BLOCKS = (
    "verbatim",
    "preformatted",
    "programlisting",
    "itemizedlist",
    "orderedlist",
    "simplesect",
    "parameterlist",
)


def blocks(node):
    for child in node if node is not None else ():
        if child.tag == "para":
            text = " ".join(inline(child).split())
            if text:
                yield text
            yield from blocks(child)
        elif child.tag in ("verbatim", "preformatted"):
            yield ".. code-block:: cpp\n\n" + "\n".join(
                "   " + line for line in "".join(child.itertext()).strip("\n").split("\n")
            )
        elif child.tag == "programlisting":
            lines = [
                "".join(" " if part.tag == "sp" else "" for part in ()) + text_of(line)
                for line in child.iter("codeline")
            ]
            yield ".. code-block:: cpp\n\n" + "\n".join("   " + line for line in lines)
        elif child.tag in ("itemizedlist", "orderedlist"):
            for item in child:
                yield "- " + "\n\n  ".join(part.replace("\n", "\n  ") for part in blocks(item))
        elif child.tag == "simplesect":
            yield from blocks(child)


def text_of(node):
    out = node.text or ""
    for child in node:
        out += (" " if child.tag == "sp" else text_of(child)) + (child.tail or "")
    return out


def description(member):
    return "\n\n".join(
        [*blocks(member.find("briefdescription")), *blocks(member.find("detaileddescription"))]
    )


def tidy(code):
    code = (
        re.sub(r"\s+", " ", code)
        .replace("< ", "<")
        .replace(" >", ">")
        .replace("thriftlens::", "")
        .replace("detail::", "")
    )
    return (
        re.sub(r" ([&*]+)(?=[\w ])", r"\1 ", code)
        .replace("  ", " ")
        .replace("= delete", " = delete")
        .replace(" THRIFTLENS_BODY", "")
        .strip()
    )


def template_head(of):
    parameters = [
        " ".join(
            filter(None, (text_of(p.find("type")), p.findtext("declname") or p.findtext("defname")))
        )
        for p in of.findall("templateparamlist/param")
    ]
    return f"template <{', '.join(parameters)}> " if parameters else ""


def declaration(member):
    kind, name = member.get("kind"), member.findtext("name")
    head = template_head(member)
    if kind == "enum":
        values = ", ".join(
            value.findtext("name")
            + (f" {value.findtext('initializer')}" if value.findtext("initializer") else "")
            for value in member.findall("enumvalue")
        )
        return f"enum class {name} {{ {values} }};"
    if kind == "typedef":
        return head + f"using {name} = {tidy(text_of(member.find('type')))};"
    type_ = text_of(member.find("type")) if member.find("type") is not None else ""
    specifiers = [
        specifier for specifier in ("static", "explicit") if member.get(specifier) == "yes"
    ]
    if kind == "variable":
        default = (
            text_of(member.find("initializer")) if member.find("initializer") is not None else ""
        )
        return (
            head + tidy(" ".join([*specifiers, type_.removeprefix("enum "), name, default])) + ";"
        )
    return (
        head + tidy(" ".join([*specifiers, type_, name]) + member.findtext("argsstring", "")) + ";"
    )


def lines_of(code, width=100):
    """A long declaration with a parameter a line."""
    out = []
    for line in code.split("\n"):
        if len(line) > width and "(" in line:
            head, _, rest = line.partition("(")
            depth, piece, pieces = 0, "", []
            for letter in rest:
                depth += {"(": 1, "<": 1, "{": 1, ")": -1, ">": -1, "}": -1}.get(letter, 0)
                piece += letter
                if letter == "," and depth == 0:
                    pieces.append(piece)
                    piece = ""
            line = (
                head
                + "(\n    "
                + "\n    ".join(parameter.strip() for parameter in [*pieces, piece])
            )
        out.append(line)
    return "\n".join(out)


def is_public(member):
    text = (
        (member.findtext("definition") or "") + text_of(member.find("type"))
        if member.find("type") is not None
        else ""
    )
    name = member.findtext("name") or ""
    return (
        member.get("prot") == "public"
        and "deprecated" not in text
        and member.get("kind") in ("function", "variable", "typedef", "enum")
        and not name.startswith(("~", "@"))
        and not re.search(r"detail", member.findtext("qualifiedname") or "")
    )


def grouped(members):
    """Groups overloads and the try_ variant of a function."""
    groups = collections.OrderedDict()
    for member in members:
        groups.setdefault(re.sub(r"^try_", "", member.findtext("name")), []).append(member)
    return groups


def listing(members):
    out = []
    for same in grouped(members).values():
        text_, batch = None, []
        for member in same:
            text = description(member)
            if batch and text:
                out.append((batch, text_))
                batch = []
            batch.append(lines_of(declaration(member)))
            text_ = text or (text_ if len(batch) > 1 else "")
        out.append((batch, text_))
    parts = []
    for batch, text_ in out:
        parts.append(
            ".. code-block:: cpp\n\n"
            + "\n".join("   " + line for line in "\n".join(batch).split("\n"))
        )
        if text_:
            parts.append(text_)
    return "\n\n".join(parts)


def module_and_header(node):
    location = node.find("location")
    path = Path(location.get("file")) if location is not None else Path()
    try:
        parts = path.resolve().relative_to(INCLUDE).parts
    except ValueError:
        return None
    return (parts[0], "/".join(parts[1:])) if len(parts) > 1 and "fast" not in parts else None


def is_documented(members, text):
    return bool(text) or any(description(member) for member in members)


def gather(xml):
    """(module, header) -> entries (name, RST)."""
    sections = collections.defaultdict(list)
    for path in sorted(xml.glob("*.xml")):
        if not re.match(r"(namespacethriftlens|class|struct|concept)", path.name) or re.search(
            r"detail", path.name
        ):
            continue
        compound = ElementTree.parse(path).getroot().find("compounddef")
        name = compound.findtext("compoundname")
        if compound.get("kind") == "namespace":
            if name != "thriftlens":
                continue
            places = collections.defaultdict(list)
            for member in compound.iter("memberdef"):
                if is_public(member) and module_and_header(member):
                    places[
                        module_and_header(member), re.sub(r"^try_", "", member.findtext("name"))
                    ].append(member)
            for (header_path, title), members in places.items():
                if title.startswith("operator"):
                    continue
                sections[header_path].append((title, listing(members)))
        elif (
            module_and_header(compound)
            and "detail::" not in name
            and name.startswith("thriftlens::")
            and "<" not in name
        ):
            short = name[len("thriftlens::") :]
            text = description(compound)
            members = [member for member in compound.iter("memberdef") if is_public(member)]
            head = ""
            if compound.get("kind") == "concept":
                body = ".. code-block:: cpp\n\n   " + tidy(
                    compound.findtext("initializer") or short
                ).replace("\n", "\n   ")
            else:
                parameters = template_head(compound)
                head = f".. code-block:: cpp\n\n   {parameters}{compound.get('kind')} {short};"
                body = listing(
                    [
                        member
                        for member in members
                        if not member.findtext("name").startswith("operator")
                        or description(member)
                        or member.findtext("name") in ("operator[]", "operator bool")
                    ]
                )
            if is_documented(members, text):
                sections[module_and_header(compound)].append(
                    (short, "\n\n".join(part for part in (head, text, body) if part))
                )
    return sections


def file_comment(module, header):
    lines = []
    for line in (INCLUDE / module / header).read_text(encoding="utf-8").split("\n"):
        if not line.startswith("//"):
            break
        lines.append(line[3:])
    return escaped(" ".join(lines))


def write(xml, folder):
    folder.mkdir(parents=True)
    sections = gather(xml)
    order = modules_in_order()
    modules = sorted(
        {module for module, _ in sections},
        key=lambda module: (order.index(module) if module in order else len(order), module),
    )
    for module in modules:
        title = f"Module {module}"
        parts = [f"{title}\n{'=' * len(title)}"]
        for (_, header), entries in sorted(
            (item for item in sections.items() if item[0][0] == module), key=lambda item: item[0][1]
        ):
            heading = f"{module}/{header}"
            parts += [f"{heading}\n{'-' * len(heading)}", file_comment(module, header)]
            for name, body in sorted(entries, key=lambda entry: entry[0]):
                parts += [f"{escaped(name)}\n{'~' * (len(escaped(name)) + 2)}", body]
        (folder / f"{module}.rst").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    listed = "\n".join(f"   {module}" for module in modules)
    (folder / "index.rst").write_text(
        "C++ reference\n=============\n\n``namespace tl = thriftlens;`` There is one page per "
        "module (a directory of headers), generated from the comments in the headers. "
        "Overloads are documented together with their ``try_`` variant, which returns a "
        "``tl::result`` instead of throwing. :doc:`../cpp` lists the headers.\n\n"
        f".. toctree::\n   :maxdepth: 1\n\n{listed}\n",
        encoding="utf-8",
    )


def modules_in_order():
    import module_graph

    return module_graph.names()
