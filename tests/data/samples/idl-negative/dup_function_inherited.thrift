include "_fine.thrift"
service S extends _fine.Base { void f() }
