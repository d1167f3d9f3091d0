// suggest: what to say about a field that a type does not have.
// In: a type and a name or id. Out: a sentence with the nearest names.
// Never called where the field was found.
#pragma once

#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/type.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// "no field 'nmae' in User; did you mean 'name'?".
[[nodiscard]] inline std::string no_such_field_text(type in, std::string_view name) {
  constexpr std::size_t most_candidates = 4096;
  std::vector<std::string> known;
  for (field_info each : in.fields()) {
    if (known.size() == most_candidates) break;
    known.emplace_back(each.name());
  }
  return "no field '" + std::string(name) + "' in " + in.name() + did_you_mean(name, known);
}
/// "no field with id 7 in User".
[[nodiscard]] inline std::string no_such_field_text(type in, std::int64_t id) {
  return "no field with id " + std::to_string(id) + " in " + in.name();
}
/// "no member 'RDE' in Color; did you mean 'RED'?".
[[nodiscard]] inline std::string no_such_member_text(type in, std::string_view name) {
  std::vector<std::string> known;
  for (enum_member_info each : in.members()) known.emplace_back(each.name());
  return "no member '" + std::string(name) + "' in " + in.name() + did_you_mean(name, known);
}

}  // namespace thriftlens
