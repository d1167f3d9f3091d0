"""Parquet files without what their footers tell of the rows: least and greatest values, key/value
metadata, the writer's columns by name where asked.

usage: footer_scrubber.py FILE... [--keep KEY]... [--drop COLUMN]...
       footer_scrubber.py --demo FILE      writes a small file, and scrubs it

Statistics of all columns go, and all key/value metadata but that of --keep; engines read the file
as before, and skip less. Only the footer is written, whatever the size of the file: values that
stand in the data stay there, and so do those of a column that --drop takes out of the schema (who
has to be rid of them writes the file anew).
Key/value metadata holds ARROW:schema, by which pyarrow knows types that Parquet does not have: keep
it where they matter.
"""

import sys

import thriftlens as tl


def scrub(path, keep, drop):
    """Returns what was taken out, in words. The file is either as it was or wholly scrubbed."""
    file = tl.parquet.open(path)
    kept = [name for name in file.columns if name not in drop]
    for name in drop:
        file.column(name)  # a name that is not there is an error, and nothing is done
    statistics = sum(
        any(part is not None for part in each[:3])
        for chunks in file.statistics().values()
        for each in chunks
    )
    before = list(file.key_value)
    if drop:
        file.keep_columns(*kept)  # ARROW:schema goes, which would contradict it
    file.drop_statistics()
    for key in list(file.key_value):
        if key not in keep:
            file.delete_key_value(key)
    gone = [key for key in before if key not in file.key_value]
    file.validate()
    file.save(atomic=True)
    return (
        f"{path}: statistics of {statistics} column chunks, keys "
        f"{', '.join(gone) or 'none'}, columns {', '.join(drop) or 'none'}"
    )


def demo(path):
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(
        {"id": list(range(1000)), "salary": [n * 100 for n in range(1000)]}
    ).replace_schema_metadata({"query": "select … where name = 'Zoë'"})
    pyarrow.parquet.write_table(table, path, row_group_size=400)
    print(
        "before:",
        *(f"{each.min}..{each.max}" for each in tl.parquet.open(path).statistics()["salary"]),
    )
    print(scrub(path, keep=["ARROW:schema"], drop=[]))
    print(
        "after:",
        *(f"{each.min}..{each.max}" for each in tl.parquet.open(path).statistics()["salary"]),
    )
    print("the same rows:", pyarrow.parquet.read_table(path).to_pydict() == table.to_pydict())


def main():
    arguments, files, chosen = sys.argv[1:], [], {"--keep": [], "--drop": []}
    if arguments[:1] == ["--demo"] and len(arguments) == 2:
        return demo(arguments[1])
    while arguments:
        first = arguments.pop(0)
        if first in chosen and arguments:
            chosen[first].append(arguments.pop(0))
        elif first.startswith("-"):
            sys.exit(__doc__)
        else:
            files.append(first)
    if not files:
        sys.exit(__doc__)
    for each in files:
        print(scrub(each, chosen["--keep"], chosen["--drop"]))


if __name__ == "__main__":
    main()
