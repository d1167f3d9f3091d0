include "cyc_include.thrift"
struct B { 1: i32 b }
