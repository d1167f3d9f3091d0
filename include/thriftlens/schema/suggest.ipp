// suggest: bodies of suggest.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/schema/suggest.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// "Order", "the arguments of get" or "the result of get".
[[nodiscard]] inline std::string described_struct(type in) {
  const std::uint32_t number = in.image()->types[in.index()].first;
  for (const image::function_node& function : in.image()->functions) {
    if (function.arguments != number && function.result != number) continue;
    const char* const part = function.arguments == number ? "the arguments of " : "the result of ";
    return part + std::string(in.image()->view(function.name));
  }
  return in.name();
}
THRIFTLENS_LOADER_BODY std::string no_such_field_text(type in, std::string_view name) {
  nearest_names nearest(name);
  for (field_info field : in.fields()) {
    // The field has that name but uses an alias in JSON.
    const std::string_view known = field.name() == name ? field.alias() : field.name();
    if (known != name) nearest.offer(known);
  }
  return joined({"no field ", in_quotes(name), " in ", described_struct(in), nearest.text()});
}
THRIFTLENS_LOADER_BODY std::string no_such_field_text(type in, std::int64_t id) {
  return joined({"no field with id ", id, " in ", described_struct(in)});
}
THRIFTLENS_LOADER_BODY std::string two_members_text(type in, std::int16_t first, std::int16_t second) {
  const auto name = [&](std::int16_t id) {
    const field_info known = in.find_field(id);
    return in_quotes(known ? known.name() : unknown_key(id));
  };
  return joined({"a union has more than one member set: ", name(first), " and ", name(second)});
}
THRIFTLENS_LOADER_BODY std::string no_such_member_text(type in, std::string_view name) {
  nearest_names nearest(name);
  for (enum_member_info member : in.members()) nearest.offer(member.name());
  return joined({"no member ", in_quotes(name), " in ", in.name(), nearest.text()});
}
THRIFTLENS_LOADER_BODY std::string key_type_text(type map) {
  return joined({"a key of ", map.name(), " must be ", with_article(map.key().name())});
}
THRIFTLENS_LOADER_BODY std::string key_range_text(type map) {
  return joined({"a key of ", map.name(), " is out of range for ", map.key().name()});
}
THRIFTLENS_LOADER_BODY std::string no_such_function_text(const service_info& in, std::string_view name) {
  nearest_names nearest(name);
  for (service_info owner = in; owner; owner = owner.base()) {
    for (function_info known : owner.functions()) nearest.offer(known.name());
  }
  return joined({"no function ", in_quotes(name), " in ", in.name(), nearest.text()});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

namespace thriftlens::inline THRIFTLENS_ABI {

template <class Which>
result<field_info> type::field_or_error(const Which& which) const {
  if (!*this) return detail::no_type_error();
  if (!is_struct()) return other_kind_error("fields");
  if (field_info match = find_field(which)) return match;
  return error(errc::no_such_field, detail::no_such_field_text(*this, which));
}
THRIFTLENS_LOADER_BODY field_info type::field(std::int16_t id) const { return try_field(id).value(); }
THRIFTLENS_LOADER_BODY field_info type::field(std::string_view name) const { return try_field(name).value(); }
THRIFTLENS_LOADER_BODY result<field_info> type::try_field(std::int16_t id) const {
  return field_or_error(id);
}
THRIFTLENS_LOADER_BODY result<field_info> type::try_field(std::string_view name) const {
  return field_or_error(name);
}
THRIFTLENS_LOADER_BODY function_info service_info::function(std::string_view name) const {
  return try_function(name).value();
}
THRIFTLENS_LOADER_BODY result<function_info> service_info::try_function(std::string_view name) const {
  if (!*this) return detail::no_service_error();
  if (function_info match = find_function(name)) return match;
  return error(errc::unknown_name, detail::no_such_function_text(*this, name));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
