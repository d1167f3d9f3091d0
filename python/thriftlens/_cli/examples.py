"""The examples in each `--help`.

A test runs those that need no server or capture, in a folder with the files of idl/, and parses the
others."""

from __future__ import annotations

import click

from .commands import COMMANDS

_ALL = (
    "thriftlens help paths",
    "thriftlens help to-json",
    "thriftlens describe idl/shop.thrift Order",
    "thriftlens describe idl/shop.thrift --json",
    "thriftlens to-json idl/shop.thrift Order idl/order.bin --pretty",
    "thriftlens to-json idl/shop.thrift Order < idl/order.bin",
    "thriftlens to-json idl/shop.thrift Order idl/orders.frames --framing u32",
    "thriftlens to-json idl/shop.thrift Order idl/order.bin --select '{ id }'",
    "thriftlens from-json idl/shop.thrift Order idl/order.json -o order.out",
    "thriftlens from-json idl/shop.thrift Order idl/orders.jsonl --lines -o o.frames",
    "thriftlens check idl/shop.thrift --strict",
    "thriftlens check idl/shop.thrift Order idl/order.bin --window 32",
    "thriftlens check idl/shop.thrift Order idl/orders.frames --framing u32",
    "thriftlens get idl/shop.thrift Order '$.user.name' idl/order.bin",
    "thriftlens get idl/shop.thrift Order '$.items[*].sku' idl/order.bin",
    "thriftlens set idl/shop.thrift Order '$.user.name' '\"Z.\"' idl/order.bin -o o",
    "thriftlens set idl/shop.thrift Order '$.items[0].count' 5 idl/order.bin -o o",
    "thriftlens delete idl/shop.thrift Order '$.debug' idl/order.bin -o o",
    "thriftlens trim idl/shop.thrift Order '{ id user { name } }' idl/order.bin -o o",
    "thriftlens trim idl/shop.thrift Order '{ * -debug }' idl/order.bin -o o",
    "thriftlens redact idl/shop.thrift Order --annotation pii --explain",
    "thriftlens redact idl/shop.thrift Order idl/order.bin --annotation pii -o o",
    "thriftlens redact idl/shop.thrift Order idl/order.bin \\\n    --redact-path "
    "'$.user.name' blank -o o",
    "thriftlens rewrite idl/shop.thrift Order idl/order.bin --annotation pii \\\n    --select '{ "
    "* -debug }' --set '$.gift' true -o o",
    "thriftlens diff idl/shop.thrift Order idl/order.bin idl/order.bin",
    "thriftlens diff idl/shop.thrift Order idl/order.bin idl/order.cmp \\\n    --right-protocol "
    "compact",
    "thriftlens inspect idl/order.bin --levels 2",
    "thriftlens inspect idl/order.bin --idl idl/shop.thrift --type Order --html -o o.html",
    "thriftlens identify --idl idl idl/order.bin",
    "thriftlens infer idl/order.bin --name Order -o draft.thrift",
    "thriftlens messages idl/shop.thrift log.messages --service Shop",
    "thriftlens record shop:9090 today.tlrec --listen :9091",
    "thriftlens pcap shop.pcap --idl idl/shop.thrift --format summary",
    "thriftlens replay today.tlrec idl/shop.thrift --server shop:9090",
    "thriftlens replay today.tlrec idl/shop.thrift --listen :9090",
    "thriftlens call shop:9090 idl/shop.thrift --list",
    "thriftlens call shop:9090 idl/shop.thrift Shop.get id=7",
    "thriftlens call shop:9090 idl/shop.thrift get --data '{\"id\": 7}' --trace",
    "thriftlens convert idl/order.bin --from binary --to compact -o order.cmp",
    "thriftlens parquet t.parquet --row-groups",
    "thriftlens parquet t.parquet --set-metadata owner=Ann --in-place",
    "thriftlens routes idl/shop.thrift",
    "thriftlens serve idl/shop.thrift --upstream shop:9090 --routes all",
    "thriftlens stubs idl/shop.thrift -o typings",
    "thriftlens table idl/shop.thrift Order idl/orders.frames --framing u32 -o o.parquet",
    "thriftlens table idl/shop.thrift Order logs/*.gz --framing u32 --select '{ id }'",
    'eval "$(thriftlens completion bash)"',
    "thriftlens completion fish > ~/.config/fish/completions/thriftlens.fish",
)
EXAMPLES = {
    name: tuple(line for line in _ALL if line.partition("thriftlens ")[2].split()[0] == name)
    for name in COMMANDS
}
NEEDS_MORE = frozenset(
    ("messages", "record", "pcap", "replay", "call", "parquet", "serve", "table", "completion")
)
"""Commands whose examples need a server, a capture or a shell. The test only parses them."""

FIRST = (
    "thriftlens inspect idl/order.bin",
    "thriftlens to-json idl/shop.thrift Order idl/order.bin --pretty",
    "thriftlens get idl/shop.thrift Order '$.items[*].sku' idl/order.bin",
    "thriftlens help paths",
)
"""Examples in the help of `thriftlens` itself."""


def attach(command: click.Command, examples: tuple[str, ...]) -> click.Command:
    """Adds examples to the help of a command, before its epilog."""
    if not examples:
        return command
    text = "\b\nExamples:\n" + "\n".join(
        "  " + line for example in examples for line in example.split("\n")
    )
    command.epilog = text + (f"\n\n{command.epilog}" if command.epilog else "")
    return command
