"""A topic of Thrift records becomes a Parquet file: the records of all partitions up to their ends,
in batches, as columns.

usage: kafka_to_parquet.py BROKERS TOPIC IDL TYPE SELECTION OUT.parquet
       kafka_to_parquet.py --demo OUT.parquet      the same on librdkafka's cluster for tests, which
       gets 10,000 orders, two of them broken

Partition and offset of each record stand beside its columns; a record that cannot be read is a row
of nulls whose reason is in the column `fault`.
The file is there when it is whole. Needs confluent-kafka and pyarrow.
"""

import os
import sys
from pathlib import Path

import confluent_kafka as kafka
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet
import thriftlens as tl

BATCH = 4096
ROOT = Path(__file__).resolve().parents[2]


def batches(consumer, topic):
    """Tables of partition, offset and value, until the end of each partition was reached."""
    found = consumer.list_topics(topic, timeout=30).topics[topic]
    if found.error is not None:
        raise kafka.KafkaException(found.error)
    open_ends = set(found.partitions)
    consumer.assign(
        [kafka.TopicPartition(topic, number, kafka.OFFSET_BEGINNING) for number in open_ends]
    )
    while open_ends:
        records = []
        for each in consumer.consume(BATCH, timeout=1):
            if each.error() is None:
                records.append(each)
            elif each.error().code() == kafka.KafkaError._PARTITION_EOF:
                open_ends.discard(each.partition())
            else:
                raise kafka.KafkaException(each.error())
        yield pa.table(
            {
                "partition": pa.array([each.partition() for each in records], pa.int32()),
                "offset": pa.array([each.offset() for each in records], pa.int64()),
                "value": pa.array([each.value() for each in records], pa.binary()),
            }
        )


def copy(brokers, topic, of, selection, out):
    """Writes the file; (records, those of them that could not be read)."""
    read = tl.arrow.from_thrift(
        "value", of, selection, keep=["partition", "offset"], on_error="null", reason="fault"
    )
    schema = pa.schema([("partition", pa.int32()), ("offset", pa.int64()), *read.schema])
    consumer = kafka.Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": "kafka_to_parquet",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    partial = f"{out}.partial"
    rows = faults = 0
    try:
        with pyarrow.parquet.ParquetWriter(partial, schema, compression="zstd") as writer:
            for table in batches(consumer, topic):
                made = read(table)
                writer.write_table(made)
                rows += made.num_rows
                faults += made.num_rows - made.column("fault").null_count
        os.replace(partial, out)
    finally:
        consumer.close()
        Path(partial).unlink(missing_ok=True)
    return rows, faults


def demo(out):
    """The same on a cluster that lives in this process."""
    Order = tl.load(ROOT / "idl" / "shop.thrift")["Order"]
    producer = kafka.Producer(
        {"test.mock.num.brokers": 1, "bootstrap.servers": "mock", "log_level": 0}
    )
    brokers = ",".join(
        str(each).rpartition("/")[0] or str(each)
        for each in producer.list_topics(timeout=30).brokers.values()
    )
    write = tl.kafka.ThriftSerializer(Order)
    for number in range(10_000):
        value = {
            "id": number,
            "user": {"id": number % 100, "name": "Zoë"},
            "items": [{"sku": "socks", "price": 4.5}] * (number % 3),
        }
        data = write(value)
        producer.produce(
            "orders", data[:-9] if number in (17, 4711) else data, partition=number % 2
        )
        producer.poll(0)
    producer.flush()
    rows, faults = copy(brokers, "orders", Order, "{ id user { name } items { sku price } }", out)
    print(f"{rows} records, {faults} of them broken")
    table = pyarrow.parquet.read_table(out)
    print(", ".join(table.column_names))
    for row in (
        table.filter(pa.compute.is_valid(table.column("fault")))
        .sort_by([("offset", "ascending")])
        .to_pylist()
    ):
        print(f"partition {row['partition']}, offset {row['offset']}: {row['fault']}")


def main():
    if sys.argv[1:2] == ["--demo"] and len(sys.argv) == 3:
        demo(sys.argv[2])
    elif len(sys.argv) == 7:
        brokers, topic, idl, name, selection, out = sys.argv[1:]
        rows, faults = copy(brokers, topic, tl.load(idl)[name], selection, out)
        print(f"{rows} records, {faults} of them broken")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
