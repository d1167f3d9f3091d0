struct P { 1: i32 x }
const P p = {'x': 1}
struct S { 1: P p = p }
