"""Records of a file as a table: Polars over columns, beside thriftpy2's objects. python3
bench/python/tables.py [MEGABYTES]

29 MB (or the given size) of records of a text corpus, to the four columns of a query; then two of
them, and those that match a filter. CPU time of this process, median of the repetitions; the tables
are compared first. Needs polars, and thriftpy2 for the peer.
"""

import statistics
import struct
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
import thriftlens as tl

IDL = """
struct Source { 1: required string url, 2: optional string language, 3: optional double score }
struct Document {
  1: required i64 id, 2: required string text, 3: optional Source source,
  4: optional list<string> tags, 5: optional i32 tokens, 6: optional map<string, string> more
}
"""
SELECT = "{ id source { url } tokens text }"


def records(size):
    of = tl.loads(IDL)["Document"]
    text = "the quick brown fox jumps over the lazy dog and then some more of it "
    encoded, total = [], 0
    while total < size:
        n = len(encoded)
        value = {
            "id": n, "text": text * (4 + n % 13), "tokens": n % 1000,
            "tags": ["web", "en", f"t{n % 10}"],
            "source": {"url": f"https://example.org/{n}", "language": "en", "score": n / 7},
            "more": {"crawl": "2026-11", "part": str(n % 100)},
        }  # fmt: skip
        encoded.append(of.encode(value))
        total += len(encoded[-1])
    return encoded


def by_thriftpy2(encoded, folder):
    """Objects, then the columns of them."""
    import thriftpy2
    from thriftpy2.protocol.binary import TBinaryProtocolFactory
    from thriftpy2.utils import deserialize

    (folder / "corpus.thrift").write_text(IDL)
    module = thriftpy2.load(str(folder / "corpus.thrift"), module_name="corpus_thrift")
    factory = TBinaryProtocolFactory()

    def run():
        documents = [deserialize(module.Document(), document, factory) for document in encoded]
        return pl.DataFrame(
            {
                "id": [document.id for document in documents],
                "text": [document.text for document in documents],
                "source": [{"url": document.source.url} for document in documents],
                "tokens": pl.Series([document.tokens for document in documents], dtype=pl.Int32),
            }
        )  # fmt: skip

    return run


def timed(run, times):
    taken = []
    for _ in range(times):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def main(size):
    of = tl.loads(IDL)["Document"]
    encoded = records(size)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "corpus.bin"
        path.write_bytes(b"".join(struct.pack(">I", len(record)) + record for record in encoded))
        frame = lambda: tl.polars.scan_thrift(path, of, select=SELECT, framing="u32")  # noqa: E731
        tasks = {
            "four columns, of a file": lambda: frame().collect(),
            "two columns, of a file": lambda: frame().select("id", "tokens").collect(),
            "one record of a thousand, of a file": lambda: (
                frame().filter(pl.col("tokens") == 7).collect()
            ),
            "four columns, of a list": lambda: of.columns(encoded, SELECT).num_rows,
        }
        peer = None
        try:
            peer = by_thriftpy2(encoded, folder)
        except ImportError:
            print("thriftpy2 is not here: no peer")
        if peer is not None:
            assert (
                peer()
                .select("id", "text", "source", "tokens")
                .equals(frame().collect().select("id", "text", "source", "tokens"))
            )
        base = None if peer is None else timed(peer, 3)
        total = sum(map(len, encoded))
        print(
            f"{len(encoded)} records, {total / 1e6:.0f} MB"
            + ("" if base is None else f"; thriftpy2 objects to a DataFrame: {base * 1e3:.0f} ms")
        )
        for task, run in tasks.items():
            run()
            taken = timed(run, 9)
            print(
                f"{task}: {taken * 1e3:.1f} ms, {total / taken / 1e9:.2f} GB/s"
                + ("" if base is None else f", {base / taken:.0f}x thriftpy2")
            )


main(float(sys.argv[1]) * 1e6 if len(sys.argv) > 1 else 29e6)
