// What the servers in this folder serve: Single has one argument a function, as Kitex's generic call wants it.
namespace go peers

enum Colour { RED = 1, GREEN = 2, BLUE = 4 }

struct Point { 1: required i32 x, 2: required i32 y, 3: optional string label }

struct Value {
  1: bool yes
  2: i8 tiny
  3: i16 small
  4: i32 number
  5: i64 large
  6: double real
  7: string text
  8: binary raw
  9: Colour colour
  10: list<Point> points
  11: set<i32> numbers
  12: map<string, Point> by_name
  13: optional string absent
}

exception Refused { 1: string reason, 2: i32 code }

service Single {
  Value echo(1: Value value)
  string hello(1: string name)
  string crash(1: string reason)
  oneway void note(1: string text)
}

service Full extends Single {
  void nothing()
  i64 add(1: i64 a, 2: i64 b)
  Point refuse(1: string reason, 2: i32 code) throws (1: Refused refused)
}
