// unsigned_edges: every position of an unsigned number in a user's structs, for tests at wire type limits.
#pragma once

#include <thriftlens/codec/bind_by_name.hpp>
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace unsigned_edges {

/// The signed wire integer, and the value one above its maximum as a T.
template <class T>
using signed_of =
    std::conditional_t<sizeof(T) == 1, std::int8_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t,
                                          std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
template <class T>
constexpr T greatest() {
  return static_cast<T>(std::numeric_limits<signed_of<T>>::max());
}
template <class T>
constexpr T beyond() {
  return static_cast<T>(static_cast<std::uint64_t>(std::numeric_limits<signed_of<T>>::max()) + 1);
}

// Structs are declared with the unsigned type and with the wire type: each reads the output of the other.
template <class N>
struct single_member {
  N n{};
};
template <class N>
struct in_a_run {
  std::int32_t before = 7;
  N n{};
  bool after = true;
};
template <class N>
struct beside_text {
  std::string text = "text";
  N n{};
};
template <class N>
struct maybe {
  std::optional<N> n;
};
template <class N>
struct beside_a_list {
  std::vector<std::int32_t> list = {1};
  N n{};
};
template <class N>
struct inner_struct {
  in_a_run<N> in;
};
template <class N>
struct holds {
  N n{};
  operator N() const { return n; }
};

}  // namespace unsigned_edges

namespace thriftlens::inline THRIFTLENS_ABI {
template <class N>
struct binding<unsigned_edges::single_member<N>> : numbered {};
template <class N>
struct binding<unsigned_edges::in_a_run<N>> : numbered {};
template <class N>
struct binding<unsigned_edges::beside_text<N>> : numbered {};
template <class N>
struct binding<unsigned_edges::maybe<N>> : numbered {};
template <class N>
struct binding<unsigned_edges::beside_a_list<N>> : numbered {};
template <class N>
struct binding<unsigned_edges::inner_struct<N>> : numbered {};
template <class N>
struct adapter<unsigned_edges::holds<N>> {
  using wire = N;
  static wire to_wire(const unsigned_edges::holds<N>& value) { return value.n; }
  static unsigned_edges::holds<N> from_wire(wire value) { return {value}; }
};
}  // namespace thriftlens::inline THRIFTLENS_ABI

namespace unsigned_edges {

/// Calls `visit(path, make)` for the positions that have code of their own for each width of a number;
/// make<N>(n) is the same value with n of another type.
template <class Visit>
void for_each_width_place(Visit&& visit) {
  visit("$", []<class N>(N n) { return n; });
  visit("$.n", []<class N>(N n) { return in_a_run<N>{7, n, true}; });
  visit("$.n", []<class N>(N n) { return beside_text<N>{"text", n}; });
  visit("$[0]", []<class N>(N n) { return std::set<N>{n}; });
  visit("${1}", []<class N>(N n) { return std::map<std::int32_t, N>{{1, n}}; });
}
/// The same for every position.
template <class Visit>
void for_each_place(Visit&& visit) {
  for_each_width_place(visit);
  visit("$.n", []<class N>(N n) { return single_member<N>{n}; });
  visit("$.n", []<class N>(N n) { return maybe<N>{n}; });
  visit("$.n", []<class N>(N n) { return beside_a_list<N>{{1}, n}; });
  visit("$.in.n", []<class N>(N n) { return inner_struct<N>{{7, n, true}}; });
  visit("$", []<class N>(N n) { return holds<N>{n}; });
  visit("$.n", []<class N>(N n) { return single_member<holds<N>>{{n}}; });
  visit("$[1]", []<class N>(N n) { return std::deque<N>{N{1}, n}; });
  visit("$[1]", []<class N>(N n) { return std::array<N, 2>{N{1}, n}; });
  visit("$[1].n", []<class N>(N n) { return std::vector<single_member<N>>{{N{1}}, {n}}; });
  visit("$[1].n", []<class N>(N n) { return std::vector<beside_text<N>>{{"a", N{1}}, {"b", n}}; });
  visit("$[1].n", []<class N>(N n) { return std::vector<maybe<N>>{{std::nullopt}, {n}}; });
  visit("${\"k\"}.n", []<class N>(N n) { return std::map<std::string, single_member<N>>{{"k", {n}}}; });
  visit("${\"k\"}.n", []<class N>(N n) {
    return std::unordered_map<std::string, beside_a_list<N>>{{"k", {{1}, n}}};
  });
  visit("$.#2", []<class N>(N n) { return std::variant<std::string, N>(std::in_place_index<1>, n); });
}
/// Vectors of numbers: those of one byte are binary.
template <class Visit>
void for_each_run(Visit&& visit) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{63}, std::size_t{65}, std::size_t{5000}}) {
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      visit("$[" + std::to_string(at) + "]", [size, at]<class N>(N n) {
        std::vector<N> items(size, N{1});
        items[at] = n;
        return items;
      });
    }
  }
}

}  // namespace unsigned_edges
