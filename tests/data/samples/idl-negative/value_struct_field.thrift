struct A { 1: i32 a }
const A x = {'b': 5}
