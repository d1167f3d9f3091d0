"""The command line: usage errors, help, options of all commands."""

import os

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ["describe"],
        ["frobnicate"],
        ["describe", "IDL", "Ordr"],
        ["describe", "none.thrift"],
        ["to-json", "IDL"],
        ["to-json", "IDL", "Ordr", "BIN"],
        ["to-json", "IDL", "Order", "none.bin"],
        ["to-json", "IDL", "Order", "."],
        ["to-json", "IDL", "Order", "BIN", "--protocol", "json"],
        ["to-json", "IDL", "Order", "BIN", "--depth", "2000"],
        ["to-json", "IDL", "Order", "BIN", "--lines", "--pretty"],
        ["to-json", "IDL", "Order", "BIN", "-o", "none/out.json"],
        ["from-json", "IDL", "Order", "BIN", "--lines", "--framing", "u16"],
        ["to-json", "IDL", "Order", "BIN", "--start", "4"],
        ["to-json", "IDL", "Order", "BIN", "--on-error", "skip"],
        [
            "trim",
            "IDL",
            "Order",
            "{ id }",
            "BIN",
            "--framing",
            "u32",
            "--on-error",
            "null",
            "-o",
            "-",
        ],
        ["from-json", "IDL", "Order", "BIN", "--lines", "--limit", "1", "-o", "-"],
        ["redact", "IDL", "Order", "BIN"],
        ["redact", "IDL", "Order", "BIN", "--annotation", "pi"],
        ["redact", "IDL", "Order", "BIN", "--redact-path", "$.debug", "hide"],
        ["diff", "BIN", "Order", "BIN", "BIN"],
        ["get", "IDL", "Order", b"$.\xff", "BIN"],
        ["get", "IDL", b"\xff", "$.id", "BIN"],
        ["get", "IDL", "Order", "$.id", b"none\xff"],
    ],
)
def test_bad_usage(run, idl, idl_folder, arguments, failed):
    names = {"IDL": idl, "BIN": idl_folder / "order.bin"}
    failed(run(*[names.get(argument, os.fsdecode(argument)) for argument in arguments]), 2)


def test_help_names_the_commands(run):
    result = run("--help")
    assert result.returncode == 0
    for command in (b"describe", b"to-json", b"from-json", b"check"):
        assert command in result.stdout


def test_every_command_reads_the_idl_in_the_same_ways():
    from thriftlens._cli.main import main

    with_idl = {
        name: {param.name for param in command.params} for name, command in main.commands.items()
    }
    with_idl = {name: options for name, options in with_idl.items() if "idl" in options}
    assert len(with_idl) >= 11
    for name, options in with_idl.items():
        assert {"include_dirs", "strict", "implicit_ids"} <= options, name


def test_own_options_precede_shared_ones(run):
    text = run("to-json", "--help").stdout.decode().partition("\nOptions:")[2]
    titles = ("--select", "--help", "IDL options:", "--strict", "Input options:")
    positions = [text.index(title) for title in (*titles, "--framing", "Examples:")]
    assert positions == sorted(positions)


def test_a_synonym_of_a_command_is_suggested(run, failed):
    result = run("validate")
    failed(result, 2)
    assert b"did you mean 'check'?" in result.stderr
