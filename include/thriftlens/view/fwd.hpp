// fwd: the names of room view.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/protocol/concept.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
class view;
template <protocol P>
class edit;
class plan;
namespace detail {

struct wire_location;

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
