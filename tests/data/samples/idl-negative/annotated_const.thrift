const i32 A = 1 (a = "b")
