const E A = 1
enum E { X = 1 }
