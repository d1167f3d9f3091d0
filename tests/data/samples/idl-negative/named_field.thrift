const string K = 'x'
struct P { 1: i32 x }
const P p = {K: 1}
