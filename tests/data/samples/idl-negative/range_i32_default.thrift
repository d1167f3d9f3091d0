struct A { 1: i32 a = 2147483648 }
