// order: one message of the shop schema, used by most lens tests.
#pragma once

#include "path/samples.hpp"
#include "support/tree.hpp"

#include <string_view>
#include <vector>

namespace thriftlens_test {

inline thriftlens::type order_type() { return shop().type("Order"); }

/// The paths in a text, with blanks between them.
inline std::vector<std::string_view> paths_in(std::string_view text) {
  std::vector<std::string_view> paths;
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string_view::npos; at += paths.back().size())
    paths.push_back(text.substr(at, text.find_first_of(" \n", at) - at));
  return paths;
}

inline tree item(std::string sku, double price, std::vector<tree> tags = {}) {
  return structure({{1, text(std::move(sku))}, {2, real(price)}, {3, list(ttype::string, std::move(tags))}});
}

inline tree sample_order() {
  tree part = item("b", 2.5, {text("x"), text("y")});
  part.fields.push_back({4, item("inner", 0.5)});
  return structure({
      {1, i64(77)},
      {2, structure({{1, i64(9)}, {2, text("Ann")}, {3, text("s3cret")}})},
      {3, list(ttype::struct_, {item("a", 1.5), part, item("c", 3.5)})},
      {4, map(ttype::string, ttype::struct_, {{text("k1"), item("m1", 4)}, {text("k\"2"), item("m2", 5)}})},
      {5, map(ttype::i16, ttype::string, {{i16(-3), text("minus")}, {i16(300), text("plus")}})},
      {6, map(ttype::i32, ttype::i32, {{i32(0), i32(10)}, {i32(5), i32(50)}})},
      {7, map(ttype::double_, ttype::bool_, {{real(0.5), boolean(true)}, {real(2), boolean(false)}})},
      {8, map(ttype::bool_, ttype::string, {{boolean(false), text("no")}, {boolean(true), text("yes")}})},
      {9, list(ttype::list, {list(ttype::struct_, {structure({{1, i64(1)}}), structure({{1, i64(2)}})}),
                             list(ttype::struct_, {})})},
      {10, text(std::string("\0\1\2", 3))},
      {11, map(ttype::struct_, ttype::i32,
               {{structure({{1, i64(4)}}), i32(44)}, {structure({{1, i64(5)}}), i32(55)}})},
      {12, structure({{2, i64(1000)}})},
      {13, list(ttype::i32, {i32(-1), i32(70000), i32(3)}, ttype::set)},
      {14,
       map(ttype::string, ttype::list,
           {{text("d"), list(ttype::map, {map(ttype::i32, ttype::struct_,
                                              {{i32(7), structure({{1, i64(70)}, {2, text("deep")}})}})})}})},
      {200, boolean(true)},  // unknown to the schema
  });
}

template <class P>
const std::string& order_bytes() {
  static const std::string bytes = encode<P>(sample_order());
  return bytes;
}

}  // namespace thriftlens_test
