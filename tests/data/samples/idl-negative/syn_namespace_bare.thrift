namespace cpp
enum E { A }
