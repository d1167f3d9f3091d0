// same_json: whether two JSON texts mean the same, in the same order, integers exactly. A map with keys
// that are not scalars may be [key, value] pairs on the one side and an object whose keys are JSON text on
// the other.
#pragma once

#include <simdjson.h>

#include <cstring>
#include <string>
#include <string_view>

namespace thriftlens_test {

namespace detail {

namespace dom = simdjson::dom;

inline bool same(dom::element left, dom::element right);

inline double number(dom::element of) {
  if (of.is<std::int64_t>()) return static_cast<double>(std::int64_t(of));
  if (of.is<std::uint64_t>()) return static_cast<double>(std::uint64_t(of));
  return double(of);
}
inline bool same_number(dom::element left, dom::element right) {
  if (left.is<std::int64_t>() && right.is<std::int64_t>()) return std::int64_t(left) == std::int64_t(right);
  if (left.is<std::uint64_t>() && right.is<std::uint64_t>())
    return std::uint64_t(left) == std::uint64_t(right);
  const double a = number(left), b = number(right);
  return std::memcmp(&a, &b, sizeof a) == 0;
}
inline bool same_pairs(dom::array pairs, dom::object object) {
  auto member = object.begin();
  for (dom::element pair : pairs) {
    if (!(member != object.end())) return false;
    dom::parser parser;
    const std::string key((*member).key);
    if (!same(dom::array(pair).at(0), parser.parse(key)) || !same(dom::array(pair).at(1), (*member).value))
      return false;
    ++member;
  }
  return !(member != object.end());
}
inline bool same(dom::element left, dom::element right) {
  if (left.is_array() && right.is_object()) return same_pairs(left, right);
  if (left.is_number() && right.is_number()) return same_number(left, right);
  if (left.type() != right.type()) return false;
  switch (left.type()) {
    case dom::element_type::ARRAY: {
      const dom::array a(left), b(right);
      auto at = b.begin();
      for (dom::element each : a) {
        if (!(at != b.end()) || !same(each, *at)) return false;
        ++at;
      }
      return !(at != b.end());
    }
    case dom::element_type::OBJECT: {
      const dom::object a(left), b(right);
      auto at = b.begin();
      for (dom::key_value_pair each : a) {
        if (!(at != b.end()) || each.key != (*at).key || !same(each.value, (*at).value)) return false;
        ++at;
      }
      return !(at != b.end());
    }
    case dom::element_type::STRING:
      return std::string_view(left) == std::string_view(right);
    case dom::element_type::BOOL:
      return bool(left) == bool(right);
    default:
      return true;
  }
}

}  // namespace detail

inline bool same_json(std::string_view left, std::string_view right) {
  simdjson::dom::parser a, b;
  simdjson::dom::element one, other;
  if (a.parse(simdjson::padded_string(left)).get(one) != simdjson::SUCCESS) return false;
  if (b.parse(simdjson::padded_string(right)).get(other) != simdjson::SUCCESS) return false;
  return detail::same(one, other);
}

}  // namespace thriftlens_test
