struct Point { 1: i32 x }
service Base { void f() }
