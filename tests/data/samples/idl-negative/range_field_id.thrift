struct A { 1: i32 a, 32768: i32 b }
