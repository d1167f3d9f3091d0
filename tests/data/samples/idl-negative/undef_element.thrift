struct A { 1: map<string, list<Missing>> a }
