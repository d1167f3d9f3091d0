// suggest: what to say about a field that a type does not have.
// In: a type and a name or id. Out: a sentence with the nearest names.
// Never called where the field was found.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/type.hpp>

#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// "no field 'nmae' in User; did you mean 'name'?".
[[nodiscard]] inline std::string no_such_field_text(type in, std::string_view name) {
  nearest_names near(name);
  for (field_info each : in.fields()) near.offer(each.name());
  return "no field " + in_quotes(name) + " in " + in.name() + near.text();
}
/// "no field with id 7 in User".
[[nodiscard]] inline std::string no_such_field_text(type in, std::int64_t id) {
  return "no field with id " + std::to_string(id) + " in " + in.name();
}
/// "no member 'RDE' in Color; did you mean 'RED'?".
[[nodiscard]] inline std::string no_such_member_text(type in, std::string_view name) {
  nearest_names near(name);
  for (enum_member_info each : in.members()) near.offer(each.name());
  return "no member " + in_quotes(name) + " in " + in.name() + near.text();
}

}  // namespace thriftlens
