struct P { 1: i32 x }
const P p = {'x': 1}
const list<P> q = [p]
