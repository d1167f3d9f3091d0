// The calls that a peer is tried with: every base type, every container, structs within structs, exceptions, oneway, inheritance.
namespace py calls_py

enum Size { SMALL = 1, MEDIUM = 2, LARGE = 5 }
typedef i64 UserId

struct Leaf { 1: string text, 4: i8 tiny, 9: i32 number, 11: i64 big }
struct Branch { 1: i8 tiny, 2: Leaf leaf, 3: i32 number }
struct Tree { 1: map<Size, UserId> users, 2: list<Leaf> leaves }

exception Plain { 1: i32 number, 2: string message }
exception Nested { 1: i32 number, 2: Leaf leaf }

service Base {
  string echoString(1: string thing)
}

/** Answers what it is given. */
service Calls extends Base {
  void nothing()
  bool echoBool(1: bool thing)
  i8 echoByte(1: i8 thing)
  i16 echoShort(1: i16 thing)
  i32 echoInt(1: i32 thing)
  i64 echoLong(1: i64 thing)
  double echoDouble(1: double thing)
  binary echoBinary(1: binary thing)
  /** A struct of
      all sizes. */
  Leaf echoLeaf(1: Leaf thing)
  Branch echoBranch(1: Branch thing)
  map<i32, i32> echoMap(1: map<i32, i32> thing)
  map<string, string> echoStringMap(1: map<string, string> thing)
  set<i32> echoSet(1: set<i32> thing)
  list<i32> echoList(1: list<i32> thing)
  Size echoEnum(1: Size thing)
  UserId echoTypedef(1: UserId thing)
  map<i32, map<i32, i32>> mapOfMaps(1: i32 hello)
  map<UserId, map<Size, Tree>> trees(1: Tree argument)
  Leaf many(1: i8 tiny, 2: i32 number, 3: i64 big, 4: map<i16, string> texts, 5: Size size, 6: UserId user)
  void fails(1: string what) throws (1: Plain plain)
  Leaf failsTwice(1: string what, 2: string text) throws (1: Plain plain, 2: Nested nested)
  oneway void later(1: i32 milliseconds)
  list<Leaf> leaves(1: i32 count)
}
