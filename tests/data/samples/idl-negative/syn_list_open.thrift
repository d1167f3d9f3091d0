struct A { 1: list<string a }
