service S { void required() }
