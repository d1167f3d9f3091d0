// All shapes of calls, for tests of thriftlens::asio beside Apache's generated code.
namespace cpp thriftlens_asio_test

struct Item {
  1: i64 id
  2: string name
  3: list<double> prices
}

exception Missing {
  1: string words
  2: i32 code
}

service Base {
  string ping()
}

service Shop extends Base {
  Item find(1: i64 id) throws (1: Missing missing)
  i64 add(1: i32 a, 2: i32 b)
  bool has(1: i64 id)
  void store(1: Item item) throws (1: Missing missing)
  oneway void log(1: string line)
  i32 logged()
  string fail()
  string echo(1: string text)
}
