struct A { 1: _fine.Point a }
