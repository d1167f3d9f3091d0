include "_fine.thrift"
struct A { 1: _fine.Pont a }
