// json_alias: JSON names of fields in annotations.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/idl/program.hpp>

#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Parses a Go struct tag such as `json:"name,omitempty" form:"name"`. Ignores the quoting of IDL files:
/// enclosing backquotes, backslashes before quotes.
class go_tag_reader {
 public:
  explicit go_tag_reader(std::string_view tag) noexcept : rest_(tag) {}

  /// The value of a key, or empty.
  [[nodiscard]] THRIFTLENS_COLD std::string_view value(std::string_view key) noexcept {
    for (skip(" `"); !rest_.empty(); skip(" `")) {
      const std::string_view current_key = take(": ");
      if (!rest_.starts_with(':')) continue;
      rest_.remove_prefix(1);
      const bool quoted = quote();
      const std::string_view value = take(quoted ? "\"\\" : " `");
      if (quoted) quote();
      if (current_key == key) return value;
    }
    return {};
  }

 private:
  void skip(std::string_view any) noexcept {
    rest_.remove_prefix(least(rest_.find_first_not_of(any), rest_.size()));
  }
  std::string_view take(std::string_view stops) noexcept {
    const std::string_view part = rest_.substr(0, rest_.find_first_of(stops));
    rest_.remove_prefix(part.size());
    return part;
  }
  bool quote() noexcept {
    skip("\\");
    const bool is_quoted = rest_.starts_with('"');
    if (is_quoted) rest_.remove_prefix(1);
    return is_quoted;
  }

  std::string_view rest_;
};
[[nodiscard]] inline std::string_view go_tag_value(std::string_view tag, std::string_view key) noexcept {
  return go_tag_reader(tag).value(key);
}

/// The JSON name of a field with names = alias: `api.key`, else the name in `go.tag`'s json, else empty.
[[nodiscard]] inline std::string_view alias_of(std::span<const idl::annotation> annotations) noexcept {
  for (const idl::annotation& entry : annotations) {
    if (entry.key == "api.key" && !entry.value.empty()) return entry.value;
  }
  for (const idl::annotation& entry : annotations) {
    if (entry.key != "go.tag") continue;
    const std::string_view value = go_tag_value(entry.value, "json");
    const std::string_view name = value.substr(0, value.find(','));
    if (!name.empty() && value != "-") return name;
  }
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
