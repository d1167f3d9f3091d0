struct A {
  1: string s = 'abc" }