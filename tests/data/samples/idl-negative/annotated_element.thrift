const list<i32> A = [1 (a = "b")]
