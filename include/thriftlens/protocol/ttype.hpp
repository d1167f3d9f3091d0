// ttype: the wire types of Thrift, their names and widths. For dispatch see dispatch.hpp.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/print.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Wire types with the numbers of the Binary protocol (TType); Compact maps onto them.
enum class ttype : std::uint8_t {
  stop = 0,
  void_ = 1,
  bool_ = 2,
  i8 = 3,
  double_ = 4,
  i16 = 6,
  i32 = 8,
  i64 = 10,
  string = 11,
  struct_ = 12,
  map = 13,
  set = 14,
  list = 15,
  uuid = 16,
};

/// A number per ttype.
using ttype_table = std::array<std::uint8_t, 17>;

namespace detail {
inline constexpr ttype_table ttype_width = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 16};
inline constexpr std::string_view ttype_name[17] = {"stop",   "void", "bool", "i8",   "double", "?",
                                                    "i16",    "?",    "i32",  "?",    "i64",    "string",
                                                    "struct", "map",  "set",  "list", "uuid"};
}  // namespace detail

/// True for value types: defined types from bool to uuid, except stop and void.
[[nodiscard]] constexpr bool is_value_type(std::uint8_t raw) noexcept {
  return raw <= 16 && ((0x1fd5cu >> raw) & 1u) != 0;
}
[[nodiscard]] constexpr bool is_value_type(ttype type) noexcept {
  return is_value_type(static_cast<std::uint8_t>(type));
}
/// Size of a value in the Binary protocol; 0 if it varies.
[[nodiscard]] constexpr std::uint8_t fixed_width(ttype type) noexcept {
  const auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::ttype_width[raw] : std::uint8_t{0};
}
/// List or set.
[[nodiscard]] constexpr bool is_sequence(ttype type) noexcept {
  return type == ttype::list || type == ttype::set;
}
[[nodiscard]] constexpr bool is_container(ttype type) noexcept {
  return type == ttype::map || is_sequence(type);
}
/// Structs and containers.
[[nodiscard]] constexpr bool has_children(ttype type) noexcept {
  return type == ttype::struct_ || is_container(type);
}
/// "i32", "string" …; "?" for numbers that Thrift does not define.
[[nodiscard]] constexpr std::string_view to_string(ttype type) noexcept {
  auto raw = static_cast<std::uint8_t>(type);
  return raw <= 16 ? detail::ttype_name[raw] : std::string_view("?");
}
template <>
inline constexpr bool detail::is_printed<ttype> = true;

static_assert(is_value_type(ttype::bool_) && is_value_type(ttype::uuid) && is_value_type(ttype::i8));
static_assert(!is_value_type(ttype::stop) && !is_value_type(ttype::void_));
static_assert(!is_value_type(std::uint8_t{5}) && !is_value_type(std::uint8_t{17}));

}  // namespace thriftlens::inline THRIFTLENS_ABI
