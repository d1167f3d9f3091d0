const i32 x =
const i32 y = 1
