struct A { 1: set a }
