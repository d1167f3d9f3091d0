// suggest: error texts for unknown fields, enum members and functions.
#pragma once

#include <thriftlens/schema/service.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// "no field 'nmae' in User; did you mean 'name'?".
[[nodiscard]] std::string no_such_field_text(type in, std::string_view name);
/// "no field with id 7 in User".
[[nodiscard]] std::string no_such_field_text(type in, std::int64_t id);
/// "a union has more than one member set: 'a' and '#2'": by id if the IDL has no name.
[[nodiscard]] std::string two_members_text(type in, std::int16_t first, std::int16_t second);
/// "no member 'RDE' in Color; did you mean 'RED'?".
[[nodiscard]] std::string no_such_member_text(type in, std::string_view name);
/// "a key of map<i32, string> must be an i32" and "a key of map<i32, string> is out of range for i32".
[[nodiscard]] std::string key_type_text(type map);
/// The end of an error text: the steps that lead into a container, with `name` as the key of a map.
[[nodiscard]] std::string step_advice(type in, std::string_view name = "key");
[[nodiscard]] std::string key_range_text(type map);
/// "no function 'gte' in Shop; did you mean 'get'?". Includes inherited ones.
[[nodiscard]] std::string no_such_function_text(const service_info& in, std::string_view name);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/schema/suggest.ipp>
#endif
