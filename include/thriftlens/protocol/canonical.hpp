// canonical: the canonical encoding of a value: Binary with sorted fields, set elements and map entries,
// and -0.0 as 0.0 in keys and elements. Equal values have equal bytes in both protocols. Needs no schema.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/concept.hpp>

#include <new>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads a value and appends its canonical encoding. `ordered`: sets and maps stay as they are, for
/// comparisons where their order counts. False: the reader failed; `out` has a part of the encoding.
/// O(n log n) in the bytes and times the depth where containers are nested.
template <protocol P>
[[nodiscard]] bool append_canonical(typename P::reader& in, buffer& out, ttype wire, bool ordered = false);
/// Same for a map key or set element: two of them are equal if and only if the appended bytes are.
template <protocol P>
[[nodiscard]] bool append_canonical_key(typename P::reader& in, buffer& out, ttype wire,
                                        bool ordered = false);

/// Whether equal keys of that wire type can differ in bytes although integers and sizes have a fixed width.
[[nodiscard]] constexpr bool has_spellings(ttype wire) noexcept {
  return wire == ttype::bool_ || wire == ttype::double_ || wire == ttype::struct_ || is_container(wire);
}
/// The limits of a reader of one key that was read within its limits before.
inline constexpr limits key_limits{.depth = limits::max_depth};

/// Runs an action that allocates, in a function that does not throw. False: an allocation failed.
template <class Action>
[[nodiscard]] bool allocates(const Action& action) noexcept {
#if THRIFTLENS_EXCEPTIONS
  try {
    action();
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  action();
#endif
  return true;
}

/// Whether two keys of that wire type are equal; not if one is invalid or has trailing bytes. Allocates if
/// their bytes differ. False: an allocation failed.
template <protocol P>
[[nodiscard]] bool compare_keys(byte_view lhs, byte_view rhs, ttype wire, bool& equal) noexcept;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/protocol/canonical.ipp>
#endif
