/**
 * Format of `thriftlens record`: Entry structs in Binary, preceded by their size (u32, big-endian). The first contains the head.
 * Read it with tl.Recording, or as a file of records: thriftlens to-json recording.thrift Entry FILE --framing u32
 */

/** The sender of a message. */
enum Sender { CLIENT = 1, SERVER = 2 }

enum Kind { CALL = 1, REPLY = 2, EXCEPTION = 3, ONEWAY = 4 }

/** Protocol of the struct of a message. */
enum Protocol { BINARY = 1, COMPACT = 2, TJSON = 3 }

struct Head {
  /** "thriftlens recording" */
  1: required string format
  /** Version of this IDL: 1. New fields do not change it. */
  2: required i32 version
  /** The recorded server, "host:port". */
  3: optional string server
  /** Whether redaction rules were applied. */
  4: optional bool redacted
}

/** An RPC message. Times are microseconds since 1970-01-01 UTC. */
struct Message {
  /** Time of the first byte. */
  1: required i64 begin
  /** Time of the last byte. */
  2: required i64 end
  /** Number of the connection, from 0 in the order of opening. */
  3: required i32 connection
  4: required Sender sender
  5: required Kind kind
  /** Name on the wire: "Service:name" for multiplexed services. */
  6: required string name
  7: required i32 sequence_id
  8: required Protocol protocol
  /** "buffered", "framed", "sasl", "http", "header", "ttheader" … */
  9: required string transport
  /** The struct after the message header: arguments, result or TApplicationException. */
  10: required binary data
  /** Headers of the transport. */
  11: optional map<string, string> headers
}

/** Bytes that are not recorded: not a message, or a message that could not be redacted. */
struct Lost {
  1: required i64 time
  2: required i32 connection
  3: required Sender sender
  4: required i64 size
  5: required string reason
}

union Entry {
  1: Head head
  2: Message message
  3: Lost lost
}
