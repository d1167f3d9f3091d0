// same_json: compares two JSON texts including their order, integers exactly. A map with keys that are not
// scalars may be [key, value] pairs in one and an object whose keys are JSON text in the other.
#pragma once

#include <simdjson.h>

#include <cstring>
#include <string>
#include <string_view>

namespace thriftlens_test {

namespace detail {

namespace dom = simdjson::dom;

inline bool same(dom::element lhs, dom::element rhs);

inline double number(dom::element of) {
  if (of.is<std::int64_t>()) return static_cast<double>(std::int64_t(of));
  if (of.is<std::uint64_t>()) return static_cast<double>(std::uint64_t(of));
  return double(of);
}
inline bool same_number(dom::element lhs, dom::element rhs) {
  if (lhs.is<std::int64_t>() && rhs.is<std::int64_t>()) return std::int64_t(lhs) == std::int64_t(rhs);
  if (lhs.is<std::uint64_t>() && rhs.is<std::uint64_t>()) return std::uint64_t(lhs) == std::uint64_t(rhs);
  const double a = number(lhs), b = number(rhs);
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
inline bool same(dom::element lhs, dom::element rhs) {
  if (lhs.is_array() && rhs.is_object()) return same_pairs(lhs, rhs);
  if (lhs.is_number() && rhs.is_number()) return same_number(lhs, rhs);
  if (lhs.type() != rhs.type()) return false;
  switch (lhs.type()) {
    case dom::element_type::ARRAY: {
      const dom::array a(lhs), b(rhs);
      auto at = b.begin();
      for (dom::element item : a) {
        if (!(at != b.end()) || !same(item, *at)) return false;
        ++at;
      }
      return !(at != b.end());
    }
    case dom::element_type::OBJECT: {
      const dom::object a(lhs), b(rhs);
      auto at = b.begin();
      for (dom::key_value_pair item : a) {
        if (!(at != b.end()) || item.key != (*at).key || !same(item.value, (*at).value)) return false;
        ++at;
      }
      return !(at != b.end());
    }
    case dom::element_type::STRING:
      return std::string_view(lhs) == std::string_view(rhs);
    case dom::element_type::BOOL:
      return bool(lhs) == bool(rhs);
    default:
      return true;
  }
}

}  // namespace detail

inline bool same_json(std::string_view lhs, std::string_view rhs) {
  simdjson::dom::parser a, b;
  simdjson::dom::element single, other;
  if (a.parse(simdjson::padded_string(lhs)).get(single) != simdjson::SUCCESS) return false;
  if (b.parse(simdjson::padded_string(rhs)).get(other) != simdjson::SUCCESS) return false;
  return detail::same(single, other);
}

}  // namespace thriftlens_test
