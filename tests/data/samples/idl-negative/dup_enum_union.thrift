enum A { X }
union A { 1: i32 a }
