// compare: whether two values are equal, and where they differ. Never decodes into objects; parts that are
// equal byte for byte are skipped.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What counts as equal. First value = default.
struct compare_options {
  /// output_size: limit of the differences and of the tables that find them. The depth limit is the views'.
  thriftlens::limits limits = {};
  enum class order_check : unsigned char { ignore, keep } order = order_check::ignore;  ///< of sets and maps
  std::size_t max_differences = 64;
};

enum class difference_kind : unsigned char { added, removed, changed };

/// A difference of two values. Its bytes borrow from the views, in the protocol of their side, a bool as in
/// an element; empty on the side that has no value.
struct difference {
  difference_kind kind = difference_kind::changed;
  std::string path;  ///< on the right for what was added, else on the left
  byte_view left;
  byte_view right;
  ttype left_wire = ttype::stop;
  ttype right_wire = ttype::stop;
};

/// Whether two values are equal: fields in any order, sets and maps in any order (option), numbers and bools
/// by value however they are spelled, doubles by their bits, empty containers whatever their element types.
/// Fields that the IDL does not know count. O(n log n). Errors: those of reading either side.
template <protocol P, protocol Q>
[[nodiscard]] result<bool> try_equal(const view<P>& lhs, const view<Q>& rhs,
                                     const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] bool equal(const view<P>& lhs, const view<Q>& rhs, const compare_options& options = {}) {
  return try_equal(lhs, rhs, options).value();
}

/// The changes that turn the left value into the right one, in the order of ids, indices and keys; at most
/// options.max_differences. Lists are compared index by index, sets by elements, maps by keys; an element of
/// a set is added or removed, never changed. O(n log n) a level that differs. Memory: the differences, and a
/// table of the fields, elements or entries of every struct, set or map that differs; lists need none. More
/// than 64 bytes for every byte of both sides and 16 MiB (or options.limits) is output_limit.
template <protocol P, protocol Q>
[[nodiscard]] result<std::vector<difference>> try_differences(const view<P>& lhs, const view<Q>& rhs,
                                                              const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] std::vector<difference> differences(const view<P>& lhs, const view<Q>& rhs,
                                                  const compare_options& options = {}) {
  return try_differences(lhs, rhs, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/compare/compare.ipp>
#endif
