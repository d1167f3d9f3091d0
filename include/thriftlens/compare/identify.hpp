// identify: which of many types bytes are most likely a value of. Never decodes into objects; never takes
// a type for impossible that the bytes can be read as.
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
  /// The candidates whose first disagreement is told; the others have their counts.
  std::size_t explained = 16;
};

/// A type, and how the bytes fit it. Counts are of the whole value, of what was looked at: a type that
/// disagrees often is left early.
struct candidate {
  type of;
  std::size_t number = 0;     ///< of the type among those given
  double score = 0;           ///< more is likelier; below 0 more speaks against it than for it
  std::uint32_t known = 0;    ///< fields that the type has, of the wire type that it says
  std::uint32_t unknown = 0;  ///< fields that it does not have
  std::uint32_t contradictions =
      0;  ///< fields and elements of another wire type, strings that are no text, numbers no enum has
  std::uint32_t missing = 0;  ///< required fields that are not there
  std::string path;           ///< of the first disagreement; empty where there is none, or it is not told
  std::string why;            ///< its words
};

/// Ranks the types by how the bytes of one struct fit them. Types that are no structs are left out. O(types x
/// bytes) at most: a type that does not fit is left after a few disagreements. Errors: the bytes are no
/// struct of that protocol.
template <protocol P>
[[nodiscard]] result<std::vector<candidate>> try_identify(byte_view bytes, std::span<const type> types,
                                                          const identify_options& options = {});
template <protocol P>
[[nodiscard]] std::vector<candidate> identify(byte_view bytes, std::span<const type> types,
                                              const identify_options& options = {}) {
  return try_identify<P>(bytes, types, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/compare/identify.ipp>
#endif
