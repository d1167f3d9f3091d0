const i32 x = '5'
