const i8 x = -129
