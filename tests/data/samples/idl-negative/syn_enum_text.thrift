enum E {
  A = 1,
  B = 'x'
}
