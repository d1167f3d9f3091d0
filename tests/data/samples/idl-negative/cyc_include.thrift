include "_cycle_b.thrift"
struct A { 1: i32 a }
