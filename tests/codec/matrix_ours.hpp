// matrix_ours: our side of the type matrix, for the units that make_matrix.py writes.
#pragma once

#include "codec/matrix.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace matrix_test {

namespace tl = thriftlens;

template <class K, class V>
using pairs = std::vector<std::pair<K, V>>;

enum class color : std::int32_t { red = 0, green = 1, blue = 70000 };
struct point {
  std::int32_t x = 0;
  std::int32_t y = 0;
  auto operator<=>(const point&) const = default;
};

template <class T>
std::string encoded(const T& object, bool compact) {
  tl::buffer out;
  if (compact)
    tl::append_encoded<tl::compact>(object, out);
  else
    tl::append_encoded<tl::binary>(object, out);
  return out.str();
}
template <class T>
T object_of(bool filled) {
  T object{};
  if (filled) fill(object);
  return object;
}
template <class T>
std::string rewrite_over(const std::string& bytes, bool compact) {
  T object = object_of<T>(true);
  if (compact)
    tl::decode_into<tl::compact>(bytes, object);
  else
    tl::decode_into<tl::binary>(bytes, object);
  return encoded(object, compact);
}

template <class T, bool Over>
our_side side_of(std::string_view name) {
  our_side side;
  side.name = name;
  side.write = [](bool filled, bool compact) { return encoded(object_of<T>(filled), compact); };
  side.rewrite = [](const std::string& bytes, bool compact) {
    return encoded(compact ? tl::decode<T, tl::compact>(bytes) : tl::decode<T, tl::binary>(bytes), compact);
  };
  side.size = [](bool filled, bool compact) {
    return compact ? tl::encoded_size<tl::compact>(object_of<T>(filled))
                   : tl::encoded_size<tl::binary>(object_of<T>(filled));
  };
  if constexpr (Over)
    side.rewrite_over = &rewrite_over<T>;
  else
    side.rewrite_over = nullptr;
  return side;
}

}  // namespace matrix_test

template <>
struct thriftlens::binding<matrix_test::point> : thriftlens::numbered {};
