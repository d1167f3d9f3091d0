"""A file of Thrift records without what the IDL marks as personal: blanked, hashed or cut on the
way through, the rest copied byte for byte.

usage: privacy_filter.py IN OUT [--key KEY]      records of the type Order of idl/shop.thrift, each
behind its size (framing u32)
       privacy_filter.py --make COUNT OUT        writes such a file

Records are read, filtered and written one at a time: memory does not grow with the file. A record
that is broken is never passed on half filtered: it is left out, and counted.
OUT is there when it is whole.
"""

import os
import struct
import sys
from collections import Counter
from pathlib import Path

import thriftlens as tl

IDL = Path(__file__).resolve().parents[2] / "idl" / "shop.thrift"
ACTIONS = {
    "name": "keep_last(2)",
    "card": "keep_last(4)",
    "email": "hash",
}  # by the value of the annotation `pii`; others are blanked
PATHS = {"$.debug": "drop", "$.notes": "drop"}  # what the IDL does not mark


def write(file, record):
    file.write(struct.pack(">I", len(record)))
    file.write(record)


def make(count, out):
    Order = tl.load(IDL)["Order"]
    with open(out, "wb") as file:
        for number in range(count):
            user = {
                "id": number,
                "name": f"Zoë Müller {number}",
                "email": f"zoe{number}@example.org",
            }
            value = {
                "id": number,
                "user": user,
                "items": [{"sku": "socks", "price": 4.5}],
                "payment": {"card": f"4711 {number:08}"},
                "debug": "x" * 40,
            }
            write(file, Order.encode(value))
    print(f"{count} records, {os.path.getsize(out)} bytes")


def filter_file(source, out, key):
    Order = tl.load(IDL)["Order"]
    for each in Order.redactions(annotation="pii", values=ACTIONS, paths=PATHS, key=key):
        print(f"{each.path} -> {each.action}: {each.reason}")
    count = Counter()

    def report(done):
        count["replaced"] += done.replaced
        count["dropped"] += done.dropped

    def refuse(rejected):
        count["refused"] += 1
        print(f"refused: {rejected.error}", file=sys.stderr)

    partial = f"{out}.partial"
    try:
        with open(partial, "wb") as file:
            for record in tl.scan(source, Order, framing="u32", to="bytes", on_error=refuse):
                try:
                    safe = Order.redact(
                        record,
                        annotation="pii",
                        values=ACTIONS,
                        paths=PATHS,
                        key=key,
                        report=report,
                    )
                except tl.DecodeError as error:
                    count["refused"] += 1
                    print(f"refused: {error}", file=sys.stderr)
                    continue
                write(file, safe)
                count["passed"] += 1
        os.replace(partial, out)
    finally:
        Path(partial).unlink(missing_ok=True)
    print(
        f"{count['passed']} records passed, {count['refused']} refused; {count['replaced']} values "
        f"replaced, {count['dropped']} dropped"
    )


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--make"] and len(arguments) == 3:
        make(int(arguments[1]), arguments[2])
    elif len(arguments) == 2:
        filter_file(
            *arguments, key=os.urandom(16)
        )  # hashes of one run can be compared with each other, and with no others
    elif len(arguments) == 4 and arguments[2] == "--key":
        filter_file(*arguments[:2], key=arguments[3].encode())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
