// enum_values: the form of enum values in results.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Numbers or names of an enum. Operations accept the forms that their result has.
enum class enum_values : std::uint8_t {
  number,
  name,    ///< a number that the IDL does not name stays a number; in columns a dictionary of names
  string,  ///< in columns: names as strings
  member,  ///< in Python: a member of an IntEnum class, or the number
};
constexpr std::string_view enumerators(enum_values) noexcept { return "number,name,string,member"; }

}  // namespace thriftlens::inline THRIFTLENS_ABI
