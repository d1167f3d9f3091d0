struct A { 1: map<i32> a }
