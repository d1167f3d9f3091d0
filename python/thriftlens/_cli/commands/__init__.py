"""The commands."""

COMMANDS = {
    "call": "Call a function of a server and print the result as JSON.",
    "check": "Check an IDL file, or values against a type.",
    "completion": "Print the completion script of a shell.",
    "convert": "Convert a struct between Binary, Compact and tjson.",
    "delete": "Remove the field, element or entry at a path.",
    "describe": "Show the declarations of an IDL file.",
    "diff": "Compare two values or files of records.",
    "from-json": "Convert JSON to Thrift bytes.",
    "get": "Print the value at a path as JSON.",
    "help": "Explain a command or a topic.",
    "identify": "Rank the types of IDL files by how well they match bytes.",
    "infer": "Draft IDL from sample values.",
    "inspect": "Show bytes as a tree; no IDL is needed.",
    "messages": "Print RPC messages as JSON.",
    "parquet": "Show or change the footer of a Parquet file.",
    "pcap": "Print the Thrift calls in a network capture.",
    "record": "Forward connections to a server and record the messages.",
    "redact": "Remove or mask fields by rules.",
    "replay": "Repeat recorded calls, or answer calls from a recording.",
    "rewrite": "Trim, redact and edit in one pass.",
    "routes": "List the HTTP routes of an IDL file.",
    "serve": "Serve HTTP in front of a Thrift server.",
    "set": "Set the value at a path.",
    "stubs": "Write types of imported IDL files for type checkers.",
    "table": "Write records as Parquet, Arrow, CSV or lines of JSON.",
    "to-json": "Convert Thrift bytes to JSON.",
    "trim": "Keep only the selected parts.",
}
"""Name and summary."""

MODULES = {
    "completion": "help", "delete": "edit", "describe": "check", "from-json": "convert",
    "get": "edit", "identify": "detect", "infer": "detect", "inspect": "detect",
    "redact": "rewrite", "set": "edit", "to-json": "convert", "trim": "rewrite",
}  # fmt: skip
"""Modules that are not named after their command."""
