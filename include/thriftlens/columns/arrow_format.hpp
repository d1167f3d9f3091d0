// arrow_format: format strings of Arrow's C data interface. Covers every format for names, and the formats
// that columns are exported in for widths.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Formats, or their prefixes, and their names in errors.
using arrow_format_name = std::pair<std::string_view, const char*>;
inline constexpr arrow_format_name arrow_format_names[] = {
    {"n", "nulls"},        {"b", "bool"},         {"c", "int8"},         {"C", "uint8"},
    {"s", "int16"},        {"S", "uint16"},       {"i", "int32"},        {"I", "uint32"},
    {"l", "int64"},        {"L", "uint64"},       {"e", "float16"},      {"f", "float32"},
    {"g", "float64"},      {"z", "binary"},       {"Z", "large binary"}, {"u", "string"},
    {"U", "large string"}, {"vz", "binary view"}, {"vu", "string view"}, {"+l", "list"},
    {"+L", "large list"},  {"+m", "map"},         {"+s", "struct"},      {"+r", "run-end encoded"}};
inline constexpr arrow_format_name arrow_format_families[] = {{"ts", "timestamp"},
                                                              {"td", "date"},
                                                              {"tt", "time"},
                                                              {"tD", "duration"},
                                                              {"ti", "interval"},
                                                              {"d:", "decimal"},
                                                              {"w:", "fixed-size binary"},
                                                              {"+w:", "fixed-size list"},
                                                              {"+u", "union"},
                                                              {"+v", "list view"}};
/// The name of a format in errors.
[[nodiscard]] inline std::string arrow_type_name(std::string_view format) {
  for (const auto& [known, name] : arrow_format_names)
    if (known == format) return name;
  for (const auto& [begin, name] : arrow_format_families)
    if (format.starts_with(begin)) return joined({name, " (", format, ')'});
  return joined({"Arrow's format ", in_quotes(format)});
}
/// Bytes of a value in the second buffer; 0 for formats without values of fixed width, and for bits.
[[nodiscard]] inline std::size_t arrow_value_width(std::string_view format) noexcept {
  if (format == "w:16" || format == "vz" || format == "vu") return 16;
  if (format.size() != 1) return 0;
  switch (format[0]) {
    case 'c':
    case 'C':
      return 1;
    case 's':
    case 'S':
    case 'e':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    case 'l':
    case 'L':
    case 'g':
      return 8;
    default:
      return 0;
  }
}
/// Whether the second buffer holds one int32 offset more than the array has values.
[[nodiscard]] inline bool has_arrow_offsets(std::string_view format) noexcept {
  return format == "z" || format == "u" || format == "+l" || format == "+m";
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
