// tjson_names: names of wire types in Apache's JSON protocol.
#pragma once

#include <thriftlens/protocol/ttype.hpp>

#include <array>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

struct tjson_name {
  ttype type;
  std::string_view name;
};
inline constexpr std::array<tjson_name, 12> tjson_names = {{
    {ttype::bool_, "tf"},
    {ttype::i8, "i8"},
    {ttype::i16, "i16"},
    {ttype::i32, "i32"},
    {ttype::i64, "i64"},
    {ttype::double_, "dbl"},
    {ttype::string, "str"},
    {ttype::struct_, "rec"},
    {ttype::list, "lst"},
    {ttype::set, "set"},
    {ttype::map, "map"},
    {ttype::uuid, "uid"},
}};

/// Empty for types that no value has.
[[nodiscard]] constexpr std::string_view tjson_name_of(ttype type) noexcept {
  for (const tjson_name& entry : tjson_names)
    if (entry.type == type) return entry.name;
  return {};
}
/// ttype::stop for a name that the protocol does not know.
[[nodiscard]] constexpr ttype tjson_type_of(std::string_view name) noexcept {
  for (const tjson_name& entry : tjson_names)
    if (entry.name == name) return entry.type;
  return ttype::stop;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
