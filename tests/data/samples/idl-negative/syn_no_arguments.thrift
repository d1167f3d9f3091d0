service S { void f }
