// Spans as tracers write them, one behind the other; PartialSpan is what the trim keeps.
namespace cpp thriftlens_bench

struct Endpoint { 1: i32 ipv4, 2: i16 port, 3: string service_name }
struct Annotation { 1: i64 timestamp, 2: string value, 3: optional Endpoint host }
struct Tag { 1: string key, 2: binary value, 3: i32 type }
struct Span {
  1: i64 trace_id
  2: i64 id
  3: string name
  4: optional i64 parent_id
  5: i64 timestamp
  6: i64 duration
  7: list<Annotation> annotations
  8: list<Tag> tags
  9: optional bool debug
}
struct PartialSpan {
  1: i64 trace_id
  3: string name
  6: i64 duration
}
