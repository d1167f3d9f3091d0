service S { void f(1: i32 a, 2: Missing b) }
