// Types of the benchmark payloads Small (Simple) and Medium (Nesting), and of what the task trim keeps of them.
// The wire shape is that of the samples which dynamicgo publishes, so that figures can be compared.
namespace cpp thriftlens_bench
namespace py thriftlens_bench

struct Simple {
  1: byte ByteField
  2: i64 I64Field
  3: double DoubleField
  4: i32 I32Field
  5: string StringField
  6: binary BinaryField
}

struct PartialSimple {
  1: byte ByteField
  3: double DoubleField
  6: binary BinaryField
}

struct Nesting {
  1: string String
  2: list<Simple> ListSimple
  3: double Double
  4: i32 I32
  5: list<i32> ListI32
  6: i64 I64
  7: map<string, string> MapStringString
  8: Simple SimpleStruct
  9: map<i32, i64> MapI32I64
  10: list<string> ListString
  11: binary Binary
  12: map<i64, string> MapI64String
  13: list<i64> ListI64
  14: byte Byte
  15: map<string, Simple> MapStringSimple
}

struct PartialNesting {
  2: list<PartialSimple> ListSimple
  8: PartialSimple SimpleStruct
  15: map<string, PartialSimple> MapStringSimple
}

// The same with nothing required: in the varied messages of the benchmark a quarter of the fields is missing.
struct SparseSimple {
  1: optional byte ByteField
  2: optional i64 I64Field
  3: optional double DoubleField
  4: optional i32 I32Field
  5: optional string StringField
  6: optional binary BinaryField
}

struct PartialSparseSimple {
  1: optional byte ByteField
  3: optional double DoubleField
  6: optional binary BinaryField
}

struct SparseNesting {
  1: optional string String
  2: optional list<SparseSimple> ListSimple
  3: optional double Double
  4: optional i32 I32
  5: optional list<i32> ListI32
  6: optional i64 I64
  7: optional map<string, string> MapStringString
  8: optional SparseSimple SimpleStruct
  9: optional map<i32, i64> MapI32I64
  10: optional list<string> ListString
  11: optional binary Binary
  12: optional map<i64, string> MapI64String
  13: optional list<i64> ListI64
  14: optional byte Byte
  15: optional map<string, SparseSimple> MapStringSimple
}

struct PartialSparseNesting {
  2: optional list<PartialSparseSimple> ListSimple
  8: optional PartialSparseSimple SimpleStruct
  15: optional map<string, PartialSparseSimple> MapStringSimple
}

// A column of numbers.
struct Numbers {
  1: list<i64> Values
}
