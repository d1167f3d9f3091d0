// fwd: the names of module view.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/protocol/concept.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
class view;
template <protocol P>
class edit;
class plan;

/// Whether a value exists. Absent: no such field in the bytes, an index outside the list, no entry with that
/// key.
enum class presence : unsigned char { present, absent, error };

namespace detail {

struct wire_location;

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
