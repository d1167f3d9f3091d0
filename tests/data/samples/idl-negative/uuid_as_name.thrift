service S { void uuid() }
