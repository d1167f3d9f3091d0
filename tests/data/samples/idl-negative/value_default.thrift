struct A { 1: bool a = 'x' }
