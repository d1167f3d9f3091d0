"""The serializer and deserializer for confluent-kafka, on the cluster for tests that its library
has."""

import struct
from types import SimpleNamespace

import pytest
import thriftlens as tl

IDL = """
struct User { 1: required i64 id, 2: required string name, 3: optional string email }
struct Order { 1: required i64 id, 2: required User user, 3: list<string> tags }
struct Refund { 1: required i64 order, 2: double amount }
enum Color { RED = 1 }
"""
ORDERS = [
    {"id": i, "user": {"id": i * 7, "name": f"Zoë {i}"}, "tags": ["a"] * (i % 3)} for i in range(20)
]


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@pytest.fixture(scope="module")
def cluster():
    """(the module confluent_kafka, the brokers' addresses); the producer that owns the cluster
    lives as long."""
    kafka = pytest.importorskip(
        "confluent_kafka", reason="needs confluent-kafka, whose library has a cluster for tests"
    )
    owner = kafka.Producer(
        {"test.mock.num.brokers": 1, "bootstrap.servers": "mock", "log_level": 0}
    )
    yield (
        kafka,
        ",".join(
            str(broker).rpartition("/")[0] or str(broker)
            for broker in owner.list_topics(timeout=600).brokers.values()
        ),
    )


def written(cluster, topic, serializer, values, **message):
    kafka, brokers = cluster
    producer = kafka.SerializingProducer(
        {"bootstrap.servers": brokers, "value.serializer": serializer}
    )
    for value in values:
        producer.produce(topic, value=value, partition=0, **message)
    assert producer.flush(60) == 0


def read(cluster, topic, deserializer, count):
    """The first messages of a topic."""
    kafka, brokers = cluster
    consumer = kafka.DeserializingConsumer(
        {"bootstrap.servers": brokers, "group.id": "readers", "value.deserializer": deserializer}
    )
    consumer.assign([kafka.TopicPartition(topic, 0, kafka.OFFSET_BEGINNING)])
    try:
        return [consumer.poll(60) for _ in range(count)]
    finally:
        consumer.close()


@pytest.mark.parametrize(
    "prefix", [{}, {"prefix": "confluent", "schema_id": 70_000}], ids=["plain", "confluent"]
)
def test_values_round_trip(cluster, idl, protocol, prefix):
    topic = f"orders-{protocol}-{len(prefix)}"
    values = [*ORDERS[:7], None, *ORDERS[7:]]
    written(
        cluster, topic, tl.kafka.ThriftSerializer(idl.Order, protocol=protocol, **prefix), values
    )
    options = {"protocol": protocol, "prefix": prefix.get("prefix", "none")}
    messages = read(cluster, topic, tl.kafka.ThriftDeserializer(idl.Order, **options), len(values))
    assert [message.value() for message in messages] == values
    messages = read(
        cluster, topic, tl.kafka.ThriftDeserializer(idl.Order, "{ user { name } }", **options), 3
    )
    result = [message.value() for message in messages]
    assert result == [{"user": {"name": f"Zoë {i}"}} for i in range(3)]
    raw = [message.value() for message in read(cluster, topic, None, 3)]
    plain = [record[5:] if prefix else record for record in raw]
    assert plain == [idl.Order.encode(order, protocol=protocol) for order in ORDERS[:3]]
    if prefix:
        assert {record[:5] for record in raw} == {struct.pack(">bI", 0, 70_000)}


def test_confluent_reads_the_prefix(idl):
    """The bytes are those that confluent-kafka's own classes write and read."""
    pytest.importorskip("confluent_kafka")
    try:
        from confluent_kafka.schema_registry.serde import SchemaId
    except ImportError:
        pytest.skip("the schema registry of confluent-kafka is not installed")
    import io

    encoded = tl.kafka.ThriftSerializer(idl.Refund, prefix="confluent", schema_id=70_000)(
        {"order": 1}
    )
    schema_id = SchemaId("AVRO")
    rest = schema_id.from_bytes(io.BytesIO(encoded)).read()
    assert schema_id.id == 70_000 and idl.Refund.decode(rest) == {"order": 1}
    theirs = SchemaId("AVRO", 9).id_to_bytes() + rest
    assert tl.kafka.ThriftDeserializer({9: idl.Refund}, prefix="confluent")(theirs) == {"order": 1}


@pytest.mark.parametrize("headers", [list, dict])
def test_a_header_names_the_type(cluster, idl, headers):
    topic = f"headers-{headers.__name__}"
    for value in ({"id": 1, "user": {"id": 2, "name": "n"}}, {"order": 1, "amount": 2.5}):
        serializer = tl.kafka.ThriftSerializer(
            idl.Order if "id" in value else idl.Refund, header="thrift-type"
        )
        written(cluster, topic, serializer, [value], headers=headers())
    written(cluster, topic, tl.kafka.ThriftSerializer(idl.Refund), [{"order": 3}])
    messages = read(
        cluster,
        topic,
        tl.kafka.ThriftDeserializer(
            idl, header="thrift-type", on_error=lambda error, value, ctx: (error.code, ctx.topic)
        ),
        3,
    )
    assert [message.value() for message in messages] == [
        {"id": 1, "user": {"id": 2, "name": "n"}},
        {"order": 1, "amount": 2.5},
        ("bad_frame", topic),
    ]


def test_invalid_records(cluster, idl):
    kafka, _ = cluster
    good = idl.Order.encode(ORDERS[1])
    written(cluster, "broken", None, [good, good[:-5], b"", good])
    messages = read(cluster, "broken", tl.kafka.ThriftDeserializer(idl.Order, on_error="null"), 4)
    assert [message.value() for message in messages] == [ORDERS[1], None, None, ORDERS[1]]
    rejected = []
    keep = tl.kafka.ThriftDeserializer(
        idl.Order, "{ id }", on_error=lambda error, value, ctx: rejected.append((error.code, value))
    )
    result = [message.value() for message in read(cluster, "broken", keep, 4)]
    assert result == [{"id": 1}, None, None, {"id": 1}]
    assert rejected == [("truncated", good[:-5]), ("truncated", b"")]
    from confluent_kafka.error import ValueDeserializationError, ValueSerializationError

    with pytest.raises(ValueDeserializationError, match="ends in the middle"):
        read(cluster, "broken", tl.kafka.ThriftDeserializer(idl.Order), 2)
    with pytest.raises(ValueSerializationError, match=r"expected i64, got str at \$\.id"):
        written(cluster, "broken", tl.kafka.ThriftSerializer(idl.Order), [{"id": "seven"}])
    with pytest.raises(ValueSerializationError, match="pass headers= to produce"):
        written(cluster, "broken", tl.kafka.ThriftSerializer(idl.Order, header="t"), [ORDERS[0]])


def test_forms_of_a_value(idl):
    data = idl.Order.encode(ORDERS[1])
    assert tl.kafka.ThriftDeserializer(idl.Order, to="view")(data).user.name == "Zoë 1"
    result = tl.kafka.ThriftDeserializer(idl.Order, "{ id }", to="bytes")(memoryview(data))
    assert result == idl.Order.trim(data, "{ id }")
    assert tl.kafka.ThriftDeserializer(idl.Order, "{ id }", to="json")(data) == b'{"id":1}'
    result = tl.kafka.ThriftDeserializer(idl.Order, "{ tags }", defaults="write")(data)
    assert result == {"tags": ["a"]}
    assert tl.kafka.ThriftSerializer(idl.Order)(idl.Order.view(data)) == data


def test_invalid_prefixes(idl):
    data = idl.Refund.encode({"order": 1})
    read = tl.kafka.ThriftDeserializer({7: idl.Refund}, prefix="confluent")
    assert read(b"\0\0\0\0\x07" + data) == {"order": 1}
    for value, message in [
        (b"", "prefix of 5 bytes, found 0 bytes"),
        (b"\0\0\0\0", "4 bytes"),
        (b"\1\0\0\0\7" + data, "expected byte 0, found 1"),
        (b"\0\0\0\0\x08" + data, "unknown record type: 8"),
    ]:
        with pytest.raises(tl.DecodeError, match=message) as caught:
            read(value)
        assert caught.value.code == "bad_frame"
    read = tl.kafka.ThriftDeserializer(idl, "{ order }", header="type")
    for headers, message in [
        (None, "no header"),
        ([("type", b"Oder")], "'Oder'"),
        ({"type": b"\xff"}, "unknown record type"),
        ([("type", "Color")], "'Color'"),
        ([("type", b"Order")], "no field 'order'"),
    ]:
        with pytest.raises(tl.Error, match=message):
            read(data, SimpleNamespace(headers=headers))
    result = read(data, SimpleNamespace(headers=[("type", b"Order"), ("type", b"Refund")]))
    assert result == {"order": 1}


def test_wrong_options(idl):
    for make, message in [
        (lambda: tl.kafka.ThriftDeserializer(idl.Order, to="dct"),
            "to must be one of 'dict', 'view', 'bytes', 'json', not 'dct'"),
        (lambda: tl.kafka.ThriftDeserializer(idl.Order, prefix="apicurio"), "prefix must be"),
        (lambda: tl.kafka.ThriftDeserializer(idl.Order, on_error="skip"), "on_error must be"),
        (lambda: tl.kafka.ThriftDeserializer(idl), "specify a header"),
        (lambda: tl.kafka.ThriftDeserializer(idl, prefix="confluent"), "with a mapping"),
        (lambda: tl.kafka.ThriftDeserializer(idl.Order, "{ idd }"), "did you mean 'id'"),
        (lambda: tl.kafka.ThriftDeserializer(idl.Order, enums="nme"), "enums must be"),
        (lambda: tl.kafka.ThriftSerializer(idl.Order, prefix="confluent"), "used together"),
        (lambda: tl.kafka.ThriftSerializer(idl.Order, schema_id=1), "used together"),
        (lambda: tl.kafka.ThriftSerializer(idl.Order, prefix="confluent", schema_id=1 << 32),
            "unsigned 32-bit"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(TypeError, match="enms"):
        tl.kafka.ThriftDeserializer(idl.Order, enms="name")


def test_the_page(cluster, run_page):
    run_page("Kafka", brokers=cluster[1])
