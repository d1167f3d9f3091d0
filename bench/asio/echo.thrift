// A call of Small: sent, and sent back.
namespace cpp thriftlens_bench

struct Small {
  1: byte ByteField
  2: i64 I64Field
  3: double DoubleField
  4: i32 I32Field
  5: string StringField
  6: binary BinaryField
}

service Echo {
  Small echo(1: Small value)
}
