// samples: one small schema that the tests of paths and selections share.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/schema.hpp>

namespace thriftlens_test {

inline constexpr std::string_view shop_idl = R"(
  enum Color { RED = 0, GREEN = 1, BLUE = 5 }
  typedef i64 UserId
  struct User { 1: required UserId id, 2: optional string name, 3: optional string secret }
  struct Item { 1: string sku, 2: double price, 3: list<string> tags, 4: optional Item part }
  union Payment { 1: string card, 2: i64 voucher }
  struct Order {
    1: required i64 id
    2: optional User user
    3: list<Item> items
    4: map<string, Item> by_sku
    5: map<i16, string> notes
    6: map<Color, i32> colors
    7: map<double, bool> rates
    8: map<bool, string> flags
    9: list<list<User>> groups
    10: binary debug
    11: map<User, i32> by_user
    12: Payment payment
    13: set<i32> numbers
    14: map<string, list<map<i32, User>>> deep
  }
  struct PartialUser { 1: UserId id }
  struct PartialItem { 2: double price, 4: optional PartialItem part }
  struct PartialOrder { 2: PartialUser user, 3: list<PartialItem> items, 9: list<list<PartialUser>> groups, 77: i32 other }
  struct WrongOrder { 3: i32 items }
)";

inline const thriftlens::schema& shop() {
  static const thriftlens::schema loaded = thriftlens::schema::parse(shop_idl);
  return loaded;
}
inline thriftlens::type shop_order() { return shop().type("Order"); }
/// A path from an order.
inline thriftlens::path order_path(std::string_view text) {
  return thriftlens::path::compile(shop_order(), text);
}

}  // namespace thriftlens_test
