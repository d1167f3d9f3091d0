struct User {
  1: i64 id
  2: string name
}
