// select: dispatches from a protocol id at run time to the code for that protocol.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Calls `visitor(binary{})` or `visitor(compact{})`; both must return the same type. Precondition: a
/// protocol of the library.
template <class Visitor>
constexpr decltype(auto) visit_protocol(protocol_id which, Visitor&& visitor) {
  THRIFTLENS_ASSERT(detail::is_listed(which));
  return which == protocol_id::compact ? std::forward<Visitor>(visitor)(compact{})
                                       : std::forward<Visitor>(visitor)(binary{});
}

/// The traits of that protocol.
[[nodiscard]] constexpr const protocol_traits& traits_of(protocol_id which) noexcept {
  return visit_protocol(which, [](auto tag) -> const protocol_traits& { return decltype(tag)::traits; });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
