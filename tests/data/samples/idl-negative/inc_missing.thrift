namespace cpp x
include "_missing.thrift"
