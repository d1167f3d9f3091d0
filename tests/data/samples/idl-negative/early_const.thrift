const i32 A = B
const i32 B = 1
