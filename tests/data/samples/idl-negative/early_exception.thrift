service A { void f() throws (1: X x) }
exception X {}
