struct S { 1: i32 uuid }
