// matrix: the interface of both sides of the type matrix, and values for containers of any type.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace matrix_test {

/// One struct on one side. Templates end here, so that tests and compiler see each type once.
struct side {
  std::string_view name;
  /// A default-constructed or a filled object as bytes.
  std::string (*write)(bool filled, bool compact);
  /// The encoding of the object decoded from `bytes`.
  std::string (*rewrite)(const std::string& bytes, bool compact);
};
/// Ours also has the computed size, and decoding into an existing object, for shapes that need it.
struct our_side : side {
  std::size_t (*size)(bool filled, bool compact);
  std::string (*rewrite_over)(const std::string& bytes, bool compact);
};

/// In the order of the matrix.
std::vector<side> apache_sides();
std::vector<our_side> our_sides();

template <class C, class Values>
void fill_sequence(C& to, const Values& values) {
  for (const auto& value : values) to.insert(to.end(), value);
}
template <class C, class Values>
void fill_nested(C& to, const Values& values) {
  to.resize(3);
  fill_sequence(to[0], values);
  fill_sequence(to[2], values);
}
template <class C, class Key, class Mapped>
void add_entry(C& to, const Key& key, const Mapped& value) {
  to.insert(to.end(), typename C::value_type(key, value));
}
template <class C, class Keys>
void fill_keys(C& to, const Keys& keys) {
  int value = -1;
  for (const auto& key : keys) add_entry(to, key, value), value += 1000;
}
template <class C, class Keys, class Values>
void fill_map(C& to, const Keys& keys, const Values& values) {
  auto value = std::begin(values);
  for (const auto& key : keys) {
    add_entry(to, key, *value);
    if (++value == std::end(values)) value = std::begin(values);
  }
}
template <class C, class Values>
void fill_map_of_list(C& to, const Values& values) {
  std::size_t count = 0;
  for (const auto& value : values) {
    typename C::value_type::second_type list(count * 4, value);
    add_entry(to, "k" + std::to_string(count++), list);
  }
}
template <class C, class Values>
void fill_map_of_map(C& to, const Values& values) {
  int key = -1;
  for (const auto& value : values) {
    typename C::value_type::second_type inner;
    add_entry(inner, (key + 1LL) << 40, value);
    add_entry(to, key++, inner);
  }
  add_entry(to, 99, typename C::value_type::second_type());
}

}  // namespace matrix_test
