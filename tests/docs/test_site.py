"""The checks of scripts/docs.sh without building the site: names in inline code, links, navigation;
and that they detect faults."""

import inspect
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))

import accessible  # noqa: E402
import check_names  # noqa: E402
import check_site  # noqa: E402
import command_line  # noqa: E402
import module_graph  # noqa: E402
import prepare  # noqa: E402
import python_reference  # noqa: E402

sys.path.remove(str(ROOT / "docs" / "site"))


def test_names_in_pages_exist(capsys):
    assert check_names.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize("text", [
    "`tl.lod(file)`", "`thriftlens.nope`", "`tl.Type.decodee`", "`tl::veiw(bytes)`",
    "`tl::schema::lod(file)`", "`thriftlens to-jsn IDL`", "`thriftlens trim IDL --sellect x`",
])  # fmt: skip
def test_a_misspelt_name_is_an_error(text):
    assert list(check_names.faults_of(text))


@pytest.mark.parametrize("text", [
    "`tl.load(file)`", "`tl.Type.decode`", "`tl.http.plan(of)`", "`tl::view(bytes, order)`",
    "`thriftlens trim IDL TYPE -o OUT`", "`thriftlens/json.hpp`", "`thriftlens::compiled_json`",
    "```text\n`tl.nope`\n```",
])  # fmt: skip
def test_a_correct_name_is_accepted(text):
    assert list(check_names.faults_of(text)) == []


def page(tmp_path, body, name="a.html"):
    (tmp_path / name).write_text(f"<html><body>{body}</body></html>", encoding="utf-8")


@pytest.mark.parametrize(
    "body, fault",
    [
        ('<a href="b.html">x</a>', "no such file"),
        ('<a href="#x">x</a>', "no such anchor"),
        ('<img src="https://host/x.png">', "loads"),
        ('<link rel="stylesheet" href="//host/x.css">', "loads"),
        ('<script src="https://host/x.js"></script>', "loads"),
        ('<a href="https://host/">x</a>', None),
        ('<h2 id="x">x</h2><a href="a.html#x">x</a>', None),
    ],
)
def test_links_of_the_site(tmp_path, body, fault):
    page(tmp_path, body)
    faults = list(check_site.faults(tmp_path))
    assert (fault is None and not faults) or (len(faults) == 1 and fault in faults[0])


def test_links_of_pages_refer_to_pages_of_the_site():
    site = {"docs/a.md": "a.md", "bench/README.md": "benchmarks.md"}
    copied = set()
    text = (
        "[x](a.md#y) [x](../bench/README.md) [x](https://host) [x](../LICENSE) "
        "[x](../examples)\n```\n[x](nope.md)\n```\n"
    )
    assert prepare.retarget(text, "docs/b.md", site, copied) == (
        "[x](a.md#y) [x](benchmarks.md) [x](https://host) [x](files/LICENSE) "
        "`examples/`\n```\n[x](nope.md)\n```\n"
    )
    assert copied == {"LICENSE"}
    with pytest.raises(SystemExit):
        prepare.retarget("[x](../nope.txt)", "docs/b.md", site, copied)


def test_every_page_is_in_the_navigation():
    site = prepare.pages()
    listed = set(
        re.findall(
            r"^([a-z-]+)(?:/index)?$",
            prepare.included(
                (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8"), site
            ),
            flags=re.M,
        )
    )
    assert {name.removesuffix(".md") for name in site.values()} - {"index"} <= listed


def test_guides_begin_with_a_paragraph_and_end_with_troubleshooting():
    index = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    guides = re.findall(
        r"^\??([a-z-]+)$", index.split(":caption: Guides")[1].split(":::")[0], flags=re.M
    )
    texts = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in guides}
    wrong = [
        name
        for name, text in texts.items()
        if not re.match(r"# .*\n\n[\w*`]", text)
        or re.findall(r"^## (.*)$", text, flags=re.M)[-1] != "What can go wrong"
    ]
    assert len(guides) > 15 and not wrong


def test_anchors_of_pages_exist():
    def anchors(text):
        heads = re.findall(
            r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M
        )
        return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}

    texts = {
        ROOT / path: (ROOT / path).read_text(encoding="utf-8")
        for path in [*prepare.pages(), "README.md"]
    }
    dead = [
        f"{path}: {target}#{anchor}"
        for path, text in texts.items()
        for target, anchor in re.findall(
            r"\]\(([^)\s#:]*)#([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        )
        if (target_text := texts.get((path.parent / target).resolve() if target else path))
        is not None
        and anchor not in anchors(target_text)
    ]
    assert not dead


def test_docstrings_become_restructured_text():
    paragraphs = python_reference.paragraphs(
        "Does it, `so` and *not* so.\n\nfirst: one\nsecond: two,\n    and more\n\n>>> 1 + 1\n2\n"
    )
    assert paragraphs == (
        "Does it, ``so`` and \\*not\\* so.\n\n- ``first``: one\n\n- ``second``: two, and more\n\n"
        ".. code-block:: pycon\n\n   >>> 1 + 1\n   2"
    )


def test_the_diagram_shows_the_modules_of_the_library():
    allowed = module_graph.allowed_includes()
    assert all(others <= allowed[module] for module, others in module_graph.included().items())


def test_the_architecture_lists_every_module():
    listed = re.findall(
        r"^\| `(\w+)` \|",
        (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"),
        flags=re.M,
    )
    assert sorted(listed) == sorted(
        path.name for path in (ROOT / "include" / "thriftlens").iterdir() if path.is_dir()
    )


def test_pages_are_accessible_by_keyboard():
    assert accessible.mended("<pre>x</pre>") == '<pre tabindex="0">x</pre>'
    result = accessible.mended('<th class="head text-right"><p></p></th>')
    assert result == '<td class="head text-right"></td>'


def test_every_public_name_is_documented_on_a_page():
    import thriftlens

    grouped = {name for _, _, names in python_reference.GROUPS for name in names}
    assert {
        name
        for name in thriftlens.__all__
        if not name.startswith("__") and not inspect.ismodule(getattr(thriftlens, name))
    } <= grouped
    result = python_reference.described(thriftlens, "gateway")
    assert ".. py:function:: gateway(idl: Source, service:" in result
    of_type = python_reference.described(thriftlens, "Type")
    assert "int64: Literal['number', 'string']='number', nonfinite: Literal" in of_type
    assert "Unpack[" not in of_type
    result = python_reference.described(thriftlens, "_records.columns.Columns")
    assert ".. py:class:: Columns\n" in result


def test_examples_of_commands_are_code():
    assert command_line.as_code(["| Examples:", "|   thriftlens get '$.a[*]' \\", "", "More."]) == [
        "Examples:",
        "",
        ".. code-block:: sh",
        "",
        "   thriftlens get '$.a[*]' \\",
        "",
        "More.",
    ]


# These options describe the input or the output; none of their values relaxes an error.
NO_LENIENCY = {
    "protocol", "right_protocol", "framing", "source", "target", "from_protocol", "to", "transport",
    "routes", "match", "form", "shell",
}  # fmt: skip


def words_of_options():
    """(option, its words) of the Python functions and of the command line."""
    import click
    import thriftlens._core as core
    from thriftlens._cli.main import main

    yield from (
        (name, values)
        for options in core.signatures().values()
        for name, (values, *_) in options.items()
        if values
    )
    commands = [main.commands[name] for name in main.list_commands(click.Context(main))]
    yield from (
        (param.name, param.type.choices)
        for command in commands
        for param in command.params
        if isinstance(param.type, click.Choice)
    )


def test_the_tables_of_behaviour_have_every_relaxing_option():
    rows = [
        line
        for line in (ROOT / "docs" / "behaviour.md").read_text(encoding="utf-8").split("\n")
        if line.startswith("| ")
    ]
    options = {
        (name, tuple(values)) for name, values in words_of_options() if name not in NO_LENIENCY
    }
    lacking = [
        (name, values)
        for name, values in sorted(options)
        if not any(
            (f"`{name}`" in row or f"`--{name.replace('_', '-')}`" in row)
            and all(f"`{value}`" in row for value in values)
            for row in rows
        )
    ]
    assert len(options) > 25 and not lacking
