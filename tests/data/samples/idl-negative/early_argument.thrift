service S { void f(1: i32 a = B) }
const i32 B = 1
