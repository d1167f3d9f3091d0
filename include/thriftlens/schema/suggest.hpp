// suggest: what to say about a field, enum member or function that is not there.
// In: a type or service and a name or id. Out: a sentence with the nearest names, or the error that holds it.
// Never makes words where something was found.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/service.hpp>

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
/// "no function 'gte' in Shop; did you mean 'get'?". Inherited ones are near, too.
[[nodiscard]] inline std::string no_such_function_text(const service_info& in, std::string_view name) {
  nearest_names near(name);
  for (service_info each = in; each; each = each.base()) {
    for (function_info known : each.functions()) near.offer(known.name());
  }
  return "no function " + in_quotes(name) + " in " + in.name() + near.text();
}

template <class Which>
result<field_info> type::find_field(const Which& which) const {
  if (!*this) return detail::no_type_error();
  if (!is_struct()) return other_kind_error("fields");
  if (field_info found = field(which)) return found;
  return error(errc::no_such_field, no_such_field_text(*this, which));
}
inline result<field_info> type::try_field(std::int16_t id) const { return find_field(id); }
inline result<field_info> type::try_field(std::string_view name) const { return find_field(name); }
inline result<function_info> service_info::try_function(std::string_view name) const {
  if (!*this) return detail::no_service_error();
  if (function_info found = function(name)) return found;
  return error(errc::type_not_found, no_such_function_text(*this, name));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
