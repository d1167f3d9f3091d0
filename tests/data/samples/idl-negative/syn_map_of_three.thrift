struct A { 1: map<i32, i32, i32> a }
