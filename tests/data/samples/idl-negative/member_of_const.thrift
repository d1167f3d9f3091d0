const i32 A = 5
enum E { X = A }
