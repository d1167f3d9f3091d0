/**
 * What `thriftlens record` writes: structs of Entry in Binary, each behind its size (u32, big-endian). The first holds the head.
 * Read it with tl.Recording, or as any file of records: thriftlens to-json recording.thrift Entry FILE --framing u32
 */

/** Who sent a message. */
enum Sender { CLIENT = 1, SERVER = 2 }

enum Kind { CALL = 1, REPLY = 2, EXCEPTION = 3, ONEWAY = 4 }

/** Of the bytes of a message's struct. */
enum Protocol { BINARY = 1, COMPACT = 2, TJSON = 3 }

struct Head {
  /** "thriftlens recording" */
  1: required string format
  /** Of this file's IDL: 1. Fields are added without a new number. */
  2: required i32 version
  /** The server behind the proxy, "host:port". */
  3: optional string server
  /** What may not be passed on was taken out. */
  4: optional bool redacted
}

/** An RPC message. Times are microseconds since 1970-01-01 UTC. */
struct Message {
  /** When its first byte came. */
  1: required i64 begin
  /** When its last byte came. */
  2: required i64 end
  /** Numbered from 0 in the order they were opened. */
  3: required i32 connection
  4: required Sender sender
  5: required Kind kind
  /** As it was on the wire: "Service:name" where services are multiplexed. */
  6: required string name
  7: required i32 sequence_id
  8: required Protocol protocol
  /** "buffered", "framed", "sasl", "http", "header", "ttheader" … */
  9: required string transport
  /** The struct behind the message's head: arguments, result or TApplicationException. */
  10: required binary data
  /** Those of the transport, where it has some. */
  11: optional map<string, string> headers
}

/** Bytes that were no message, or a message that could not be redacted: they are not here. */
struct Lost {
  1: required i64 time
  2: required i32 connection
  3: required Sender sender
  4: required i64 size
  5: required string why
}

union Entry {
  1: Head head
  2: Message message
  3: Lost lost
}
