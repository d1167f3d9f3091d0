struct A { 1: void a }
