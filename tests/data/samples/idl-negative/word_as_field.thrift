struct S { 1: i32 list, 2: uuid uuid, 3: i32 cpp_type }
