struct S { 1: T a = 1 }
typedef i32 T
