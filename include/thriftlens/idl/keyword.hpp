// keyword: keywords of the IDL and their lookup. The parser decides whether a keyword is reserved in its
// context.
#pragma once

#include <thriftlens/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

// clang-format off
enum class keyword : std::uint8_t {
  none,
  // headers
  include, cpp_include, namespace_, old_namespace,
  // declarations
  const_, typedef_, enum_, senum, struct_, union_, exception, service,
  // types
  void_, bool_, byte, i8, i16, i32, i64, double_, string, binary, list, set, map,
  // inside declarations
  required, optional, oneway, extends, throws, true_, false_,
  // never reserved as a name
  uuid, slist, async, cpp_type, xsd_all, xsd_optional, xsd_nillable, xsd_attrs,
};
// clang-format on

/// Cannot name a type, constant, service or namespace.
[[nodiscard]] constexpr bool reserved(keyword kind) noexcept {
  return kind >= keyword::include && kind <= keyword::false_ && kind != keyword::old_namespace &&
         kind != keyword::senum;
}
/// Rejected as a name by Apache's compiler. Its version 0.25 accepts most of them for fields, as here; two of
/// the old headers are ordinary names.
[[nodiscard]] constexpr bool reserved_by_apache(keyword kind, std::string_view text, bool is_field) noexcept {
  if (kind == keyword::none || text == "csharp_namespace" || text == "cocoa_prefix") return false;
  return !is_field || kind == keyword::old_namespace || kind == keyword::senum || kind == keyword::true_ ||
         kind == keyword::false_ || (kind >= keyword::slist && kind != keyword::async);
}
[[nodiscard]] constexpr bool begins_declaration(keyword kind) noexcept {
  return kind >= keyword::include && kind <= keyword::service;
}

namespace detail {

struct keyword_row {
  std::string_view text;
  keyword value = keyword::none;
};

// clang-format off
inline constexpr keyword_row keyword_rows[] = {
    {"include", keyword::include}, {"cpp_include", keyword::cpp_include}, {"namespace", keyword::namespace_},
    {"cpp_namespace", keyword::old_namespace}, {"php_namespace", keyword::old_namespace},
    {"ruby_namespace", keyword::old_namespace}, {"xsd_namespace", keyword::old_namespace},
    {"csharp_namespace", keyword::old_namespace}, {"delphi_namespace", keyword::old_namespace},
    {"py_module", keyword::old_namespace}, {"perl_package", keyword::old_namespace},
    {"java_package", keyword::old_namespace}, {"cocoa_prefix", keyword::old_namespace},
    {"smalltalk_category", keyword::old_namespace}, {"smalltalk_prefix", keyword::old_namespace},
    {"const", keyword::const_}, {"typedef", keyword::typedef_}, {"enum", keyword::enum_},
    {"senum", keyword::senum}, {"struct", keyword::struct_}, {"union", keyword::union_},
    {"exception", keyword::exception}, {"service", keyword::service}, {"void", keyword::void_},
    {"bool", keyword::bool_}, {"byte", keyword::byte}, {"i8", keyword::i8}, {"i16", keyword::i16},
    {"i32", keyword::i32}, {"i64", keyword::i64}, {"double", keyword::double_}, {"string", keyword::string},
    {"binary", keyword::binary}, {"list", keyword::list}, {"set", keyword::set}, {"map", keyword::map},
    {"required", keyword::required}, {"optional", keyword::optional}, {"oneway", keyword::oneway},
    {"extends", keyword::extends}, {"throws", keyword::throws}, {"true", keyword::true_},
    {"false", keyword::false_}, {"uuid", keyword::uuid}, {"slist", keyword::slist}, {"async", keyword::async},
    {"cpp_type", keyword::cpp_type}, {"xsd_all", keyword::xsd_all}, {"xsd_optional", keyword::xsd_optional},
    {"xsd_nillable", keyword::xsd_nillable}, {"xsd_attrs", keyword::xsd_attrs}
};
// clang-format on

inline constexpr std::size_t keyword_slots = 256;

constexpr std::size_t keyword_slot(const char* text, std::size_t size) noexcept {
  auto at = [text](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  return (size * 7u + at(0) * 13u + at(1) * 3u + at(size - 1) * 29u) % keyword_slots;
}

/// 1 + the row, or 0.
constexpr std::array<std::uint8_t, keyword_slots> make_keyword_table() {
  std::array<std::uint8_t, keyword_slots> table{};
  std::uint8_t entry = 0;
  for (const keyword_row& row : keyword_rows) {
    std::size_t slot = keyword_slot(row.text.data(), row.text.size());
    while (table[slot] != 0) slot = (slot + 1) % keyword_slots;
    table[slot] = ++entry;
  }
  return table;
}
inline constexpr auto keyword_table = make_keyword_table();

}  // namespace detail

/// The keyword with that text, or none. Constant time.
[[nodiscard]] inline keyword find_keyword(std::string_view text) noexcept {
  if (text.size() < 2 || text.size() > 18) return keyword::none;
  for (std::size_t slot = detail::keyword_slot(text.data(), text.size());; ++slot) {
    const std::uint8_t entry = detail::keyword_table[slot % detail::keyword_slots];
    if (entry == 0) return keyword::none;
    const auto& row = detail::keyword_rows[entry - 1];
    if (row.text[0] == text[0] && row.text == text) return row.value;
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
