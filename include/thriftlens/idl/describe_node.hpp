// describe_node: how messages name types and constants.
#pragma once

#include <thriftlens/idl/message.hpp>
#include <thriftlens/idl/program.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// "a list", "the enum 'Color'", "i32".
[[nodiscard]] THRIFTLENS_COLD inline message_arg describe(const type_ref& type) noexcept {
  switch (type.shape) {
    case type_ref::form::list:
      return "a list";
    case type_ref::form::set:
      return "a set";
    case type_ref::form::map:
      return "a map";
    case type_ref::form::name:
      return {type.target.kind == declaration_kind::enum_ ? message_arg::form::enum_name
                                                          : message_arg::form::struct_name,
              type.name};
    default:
      return type.name;
  }
}
/// "the integer 5", "the string 'a'".
[[nodiscard]] THRIFTLENS_COLD inline message_arg describe(const const_value& value) noexcept {
  using form = const_value::form;
  switch (value.shape) {
    case form::integer:
      return {message_arg::form::integer_value, value.integer};
    case form::real:
      return "a number with a fraction or exponent";
    case form::string:
      return {message_arg::form::string_value, value.text};
    case form::boolean:
      return value.integer != 0 ? "true" : "false";
    case form::list:
      return "a list";
    case form::map:
      return "a map";
    case form::identifier:
      return {message_arg::form::name_value, value.text};
    default:
      return "a constant of another type";
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
