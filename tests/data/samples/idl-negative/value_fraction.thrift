const i64 x = 0.5
