"""Records of a file as a table: Polars over columns, beside thriftpy2's objects. python3 bench/python/tables.py [MEGABYTES]

29 MB (or so many) of records as a corpus of texts has them, to the four columns that a query wants; then two of them, and those that meet a filter. CPU time of this process,
median of the repetitions; the tables are compared first. Needs polars, and thriftpy2 for the peer."""

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
  1: required i64 id, 2: required string text, 3: optional Source source, 4: optional list<string> tags, 5: optional i32 tokens, 6: optional map<string, string> more
}
"""
SELECT = "{ id source { url } tokens text }"


def records(size):
    of = tl.loads(IDL)["Document"]
    words = "the quick brown fox jumps over the lazy dog and then some more of it "
    made, total = [], 0
    while total < size:
        n = len(made)
        value = {
            "id": n, "text": words * (4 + n % 13), "tokens": n % 1000, "tags": ["web", "en", f"t{n % 10}"],
            "source": {"url": f"https://example.org/{n}", "language": "en", "score": n / 7}, "more": {"crawl": "2026-11", "part": str(n % 100)},
        }  # fmt: skip
        made.append(of.encode(value))
        total += len(made[-1])
    return made


def by_thriftpy2(made, folder):
    """Objects, then the columns of them."""
    import thriftpy2
    from thriftpy2.protocol.binary import TBinaryProtocolFactory
    from thriftpy2.utils import deserialize

    (folder / "corpus.thrift").write_text(IDL)
    module = thriftpy2.load(str(folder / "corpus.thrift"), module_name="corpus_thrift")
    factory = TBinaryProtocolFactory()

    def run():
        found = [deserialize(module.Document(), each, factory) for each in made]
        return pl.DataFrame(
            {
                "id": [each.id for each in found], "text": [each.text for each in found], "source": [{"url": each.source.url} for each in found],
                "tokens": pl.Series([each.tokens for each in found], dtype=pl.Int32),
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
    made = records(size)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "corpus.bin"
        path.write_bytes(b"".join(struct.pack(">I", len(each)) + each for each in made))
        frame = lambda: tl.polars.scan_thrift(path, of, select=SELECT, framing="u32")  # noqa: E731
        tasks = {
            "four columns, of a file": lambda: frame().collect(),
            "two columns, of a file": lambda: frame().select("id", "tokens").collect(),
            "one record of a thousand, of a file": lambda: frame().filter(pl.col("tokens") == 7).collect(),
            "four columns, of a list": lambda: of.columns(made, SELECT).num_rows,
        }
        peer = None
        try:
            peer = by_thriftpy2(made, folder)
        except ImportError:
            print("thriftpy2 is not here: no peer")
        if peer is not None:
            assert peer().select("id", "text", "source", "tokens").equals(frame().collect().select("id", "text", "source", "tokens"))
        base = None if peer is None else timed(peer, 3)
        total = sum(map(len, made))
        print(f"{len(made)} records, {total / 1e6:.0f} MB" + ("" if base is None else f"; thriftpy2 objects to a DataFrame: {base * 1e3:.0f} ms"))
        for task, run in tasks.items():
            run()
            taken = timed(run, 9)
            print(f"{task}: {taken * 1e3:.1f} ms, {total / taken / 1e9:.2f} GB/s" + ("" if base is None else f", {base / taken:.0f}x thriftpy2"))


main(float(sys.argv[1]) * 1e6 if len(sys.argv) > 1 else 29e6)
