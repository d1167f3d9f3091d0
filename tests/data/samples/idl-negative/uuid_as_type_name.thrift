struct uuid { 1: i32 x }
