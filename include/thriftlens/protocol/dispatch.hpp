// dispatch: the switch over ttype. Readers reject undefined types before.
#pragma once

#include <thriftlens/protocol/ttype.hpp>

#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A ttype as a type: `decltype(constant)::value` inside a visitor.
template <ttype Type>
using ttype_constant = std::integral_constant<ttype, Type>;

/// Calls `visitor(ttype_constant<T>{})` with T == `type` and returns what it returns (one type for all T).
/// Precondition: `type` is a value type (not stop, void or undefined); otherwise asserts and returns a
/// value-initialised result.
template <class Visitor>
THRIFTLENS_INLINE constexpr auto visit_ttype(ttype type, Visitor&& visitor)
    -> decltype(visitor(ttype_constant<ttype::bool_>{})) {
  switch (type) {
    case ttype::bool_:
      return visitor(ttype_constant<ttype::bool_>{});
    case ttype::i8:
      return visitor(ttype_constant<ttype::i8>{});
    case ttype::double_:
      return visitor(ttype_constant<ttype::double_>{});
    case ttype::i16:
      return visitor(ttype_constant<ttype::i16>{});
    case ttype::i32:
      return visitor(ttype_constant<ttype::i32>{});
    case ttype::i64:
      return visitor(ttype_constant<ttype::i64>{});
    case ttype::string:
      return visitor(ttype_constant<ttype::string>{});
    case ttype::struct_:
      return visitor(ttype_constant<ttype::struct_>{});
    case ttype::map:
      return visitor(ttype_constant<ttype::map>{});
    case ttype::set:
      return visitor(ttype_constant<ttype::set>{});
    case ttype::list:
      return visitor(ttype_constant<ttype::list>{});
    case ttype::uuid:
      return visitor(ttype_constant<ttype::uuid>{});
    case ttype::stop:
    case ttype::void_:
      break;
  }
  THRIFTLENS_ASSERT(is_value_type(type));
  using answer = decltype(visitor(ttype_constant<ttype::bool_>{}));
  if constexpr (!std::is_void_v<answer>) return answer{};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
