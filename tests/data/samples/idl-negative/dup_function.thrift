service S {
  void f()
  i32 f()
}
