// identify: which of many types the bytes are most likely a value of. Never decodes into objects; never
// excludes a type that the bytes can be read as.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct identify_options {
  thriftlens::limits limits = {};  ///< `depth` counts
  /// Number of candidates whose first disagreement is reported; the others have only counts.
  std::size_t explained = 16;
};

/// A type, and how well the bytes fit it. Counts cover the part of the value that was read: the walk of a
/// type that disagrees often stops early.
struct candidate {
  type of;
  std::size_t number = 0;     ///< index of the type in the input
  double score = 0;           ///< higher is more likely; below 0 more evidence against the type than for it
  std::uint32_t known = 0;    ///< fields of the type that have its wire type
  std::uint32_t unknown = 0;  ///< fields that it does not have
  std::uint32_t contradictions =
      0;  ///< fields and elements of another wire type, strings that are not text, numbers of no enum
  std::uint32_t missing = 0;  ///< required fields that are not there
  std::string path;           ///< of the first disagreement; empty if none is reported
  std::string reason;         ///< its error text
};

/// Ranks the types by how the bytes of one struct fit them. Types that are not structs are left out. O(types
/// x bytes) at most: a type that does not fit is left after a few disagreements. Errors: the bytes are no
/// struct of that protocol.
template <protocol P>
[[nodiscard]] result<std::vector<candidate>> try_identify(input_bytes bytes, std::span<const type> types,
                                                          const identify_options& options = {});
template <protocol P>
[[nodiscard]] std::vector<candidate> identify(input_bytes bytes, std::span<const type> types,
                                              const identify_options& options = {}) {
  return try_identify<P>(bytes, types, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/compare/identify.ipp>
#endif
