service S { i32 f(7: i32 a, 7: i32 b) }
