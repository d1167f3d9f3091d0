// select: from a protocol named at run time to the code made for it.
// In: a protocol_id and a callable. Out: the callable's answer, given the protocol's tag.
// Never holds state; the choice is made once, outside every loop.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Calls `visitor(binary{})` or `visitor(compact{})`; both must return the same type.
template <class Visitor>
constexpr decltype(auto) visit_protocol(protocol_id which, Visitor&& visitor) {
  return which == protocol_id::compact ? std::forward<Visitor>(visitor)(compact{})
                                       : std::forward<Visitor>(visitor)(binary{});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
