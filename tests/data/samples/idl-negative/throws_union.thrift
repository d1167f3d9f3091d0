union A { 1: i32 a }
service S { void f() throws (1: A a) }
