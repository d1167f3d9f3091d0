// compare: whether two values are equal, and where they differ.
// In: two views, of one protocol or two. Out: yes or no; or a bounded list of differences with path and bytes.
// Never decodes into objects; what is equal byte for byte is not looked into.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/lens/canonical.hpp>
#include <thriftlens/lens/view.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What counts as equal. First value = default.
struct compare_options {
  enum class order_check : unsigned char { ignore, keep } order = order_check::ignore;  ///< of sets and maps
  std::size_t most_differences = 64;
};

enum class difference_kind : unsigned char { added, removed, changed };

/// One place where two values differ. The bytes borrow from the views' bytes, each in its own protocol, a bool as an
/// element has it; empty on the side where nothing stands.
struct difference {
  difference_kind kind = difference_kind::changed;
  std::string path;   ///< on the right for what was added, else on the left
  byte_view left;
  byte_view right;
  ttype left_wire = ttype::stop;
  ttype right_wire = ttype::stop;
};

/// Whether two values are equal: fields in any order, sets and maps in any order (option), numbers and bools by value however
/// they are spelled, doubles by their bits, empty containers whatever their element types. Fields that the IDL does not know
/// count. O(n log n). Errors: those of reading either side.
template <protocol P, protocol Q>
[[nodiscard]] result<bool> try_equal(const view<P>& left, const view<Q>& right, const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] bool equal(const view<P>& left, const view<Q>& right, const compare_options& options = {}) {
  return try_equal(left, right, options).value();
}

/// What must be done to the left value to get the right one, in the order of ids, indices and keys; at most
/// options.most_differences. Lists are compared index by index, sets by elements, maps by keys; what is in a set is added or
/// removed, never changed. O(n log n) a level that differs.
template <protocol P, protocol Q>
[[nodiscard]] result<std::vector<difference>> try_differences(const view<P>& left, const view<Q>& right, const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] std::vector<difference> differences(const view<P>& left, const view<Q>& right, const compare_options& options = {}) {
  return try_differences(left, right, options).value();
}

namespace detail {

/// A value inside one of the two sides.
struct compared_part {
  wire_position at;
  byte_view bytes;
  std::string key;       ///< canonical bytes of a map's key or a set's element
  std::int16_t id = 0;
  ttype wire = ttype::stop;
};

/// One side of a comparison: collects children, remembers the first fault.
template <protocol P>
class compared_side {
 public:
  explicit compared_side(const view<P>& of) : of_(of) {}

  [[nodiscard]] bool root(compared_part& into) {
    result<byte_view> bytes = of_.try_bytes();
    if (!bytes) return fail(std::move(bytes).error());
    const std::size_t end = of_.offset() + bytes->size();
    if (of_.is_root() && end != of_.whole().size()) return fail(explained({errc::trailing_bytes, 0, end}));
    into = {of_.spot().at, *bytes, {}, 0, of_.wire()};
    return true;
  }
  [[nodiscard]] bool canonical(const compared_part& part, buffer& out, bool ordered) {
    typename P::reader in = reader(part);
    canonical_writer<P> writer(in, out, ordered);
    return writer.value(part.wire) || broken(in);
  }
  /// The fields of a struct, ids ascending.
  [[nodiscard]] bool fields(const compared_part& of, std::vector<compared_part>& into) {
    typename P::reader in = reader(of);
    static_cast<void>(in.begin_struct());
    for (;;) {
      field_header header;
      if (!in.read_field(header)) return broken(in);
      if (header.type == ttype::stop) break;
      compared_part part;
      part.id = header.id;
      if (!take(in, header.type, part)) return false;
      into.push_back(std::move(part));
    }
    const auto less = [](const compared_part& left, const compared_part& right) { return left.id < right.id; };
    if (!std::is_sorted(into.begin(), into.end(), less)) std::stable_sort(into.begin(), into.end(), less);
    return true;
  }
  /// The elements of a list or set; of a set by canonical bytes unless the order is kept.
  [[nodiscard]] bool elements(const compared_part& of, std::vector<compared_part>& into, bool by_key) {
    typename P::reader in = reader(of);
    list_header list;
    if (!(of.wire == ttype::set ? in.read_set(list) : in.read_list(list)) || !in.enter()) return broken(in);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      compared_part part;
      if (!take(in, list.element, part) || (by_key && !set_key(part, part))) return false;
      into.push_back(std::move(part));
    }
    if (by_key) sort(into);
    return true;
  }
  /// The values of a map with their keys, by canonical keys unless the order is kept.
  [[nodiscard]] bool entries(const compared_part& of, std::vector<compared_part>& into, bool sorted) {
    typename P::reader in = reader(of);
    map_header map;
    if (!in.read_map(map) || !in.enter()) return broken(in);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      compared_part key, part;
      if (!take(in, map.key, key) || !set_key(key, part) || !take(in, map.value, part)) return false;
      into.push_back(std::move(part));
    }
    if (sorted) sort(into);
    return true;
  }
  [[nodiscard]] std::string path(const compared_part& part) const { return path_of<P>(of_.whole(), of_.root_type(), part.at, of_.bounds()); }
  [[nodiscard]] const error& why() const noexcept { return why_; }

 private:
  [[nodiscard]] typename P::reader reader(const compared_part& at) const noexcept {
    typename P::reader in(of_.whole());
    in.seek(at.at);
    return in;
  }
  bool fail(error&& why) {
    why_ = std::move(why);
    return false;
  }
  bool broken(const typename P::reader& in) { return fail(explained(in.fault())); }
  [[nodiscard]] error explained(const fault& why) const {
    return explain<P>(of_.whole(), of_.root_type(), why, of_.bounds());
  }
  bool take(typename P::reader& in, ttype wire, compared_part& part) {
    static constexpr std::uint8_t bools[2] = {2, 1};
    part.wire = wire;
    part.at = in.here();
    if (!in.skip(wire)) return broken(in);
    if (part.at.inline_bool >= 0) part.bytes = {&bools[part.at.inline_bool], 1};
    else part.bytes = {part.at.at, static_cast<std::size_t>(in.at() - part.at.at)};
    return true;
  }
  bool set_key(const compared_part& of, compared_part& into) {
    buffer bytes;
    if (!canonical(of, bytes, false)) return false;
    into.key = bytes.str();
    return true;
  }
  static void sort(std::vector<compared_part>& parts) {
    std::stable_sort(parts.begin(), parts.end(), [](const compared_part& left, const compared_part& right) { return left.key < right.key; });
  }

  view<P> of_;
  error why_;
};

/// Walks over both sides at once, down into what is not equal byte for byte.
template <protocol P, protocol Q>
class comparison {
 public:
  comparison(const view<P>& left, const view<Q>& right, const compare_options& options) : left_(left), right_(right), options_(options) {}

  /// False: why() has the error.
  [[nodiscard]] bool run(std::vector<difference>& into) {
    compared_part left, right;
    if (!left_.root(left) || !right_.root(right)) return false;
    found_ = &into;
    return options_.most_differences == 0 || value(left, right) || !failed();
  }
  [[nodiscard]] const error& why() const noexcept { return left_.why().code() != errc::ok ? left_.why() : right_.why(); }

 private:
  using parts = std::vector<compared_part>;
  [[nodiscard]] bool failed() const noexcept { return why().code() != errc::ok; }
  [[nodiscard]] bool keeps_order() const noexcept { return options_.order == compare_options::order_check::keep; }

  // Each answers false to stop: at an error, or with enough differences.
  bool report(difference_kind kind, const compared_part* left, const compared_part* right) {
    difference made;
    made.kind = kind;
    made.path = left != nullptr ? left_.path(*left) : right_.path(*right);
    if (left != nullptr) made.left = left->bytes, made.left_wire = left->wire;
    if (right != nullptr) made.right = right->bytes, made.right_wire = right->wire;
    found_->push_back(std::move(made));
    return found_->size() < options_.most_differences;
  }
  bool value(const compared_part& left, const compared_part& right) {
    if (left.wire != right.wire) return report(difference_kind::changed, &left, &right);
    if (std::is_same_v<P, Q> && left.bytes == right.bytes) return true;
    parts lefts, rights;
    if (left.wire == ttype::struct_) {
      return left_.fields(left, lefts) && right_.fields(right, rights) && join(lefts, rights, true, [](const compared_part& a, const compared_part& b) { return int{a.id} - int{b.id}; });
    }
    const auto by_key = [](const compared_part& a, const compared_part& b) { return a.key.compare(b.key); };
    if (left.wire == ttype::map) {
      if (!left_.entries(left, lefts, !keeps_order()) || !right_.entries(right, rights, !keeps_order())) return false;
      return keeps_order() ? in_order(lefts, rights) : join(lefts, rights, true, by_key);
    }
    if (left.wire == ttype::set && !keeps_order()) {
      return left_.elements(left, lefts, true) && right_.elements(right, rights, true) && join(lefts, rights, false, by_key);
    }
    if (is_container(left.wire)) return left_.elements(left, lefts, false) && right_.elements(right, rights, false) && in_order(lefts, rights);
    buffer a, b;
    if (!left_.canonical(left, a, false) || !right_.canonical(right, b, false)) return false;
    return a.text() == b.text() || report(difference_kind::changed, &left, &right);
  }
  template <class Compare>
  bool join(const parts& lefts, const parts& rights, bool deeper, Compare compare) {
    auto left = lefts.begin();
    auto right = rights.begin();
    while (left != lefts.end() || right != rights.end()) {
      const int order = left == lefts.end() ? 1 : right == rights.end() ? -1 : compare(*left, *right);
      if (order < 0) {
        if (!report(difference_kind::removed, &*left++, nullptr)) return false;
      } else if (order > 0) {
        if (!report(difference_kind::added, nullptr, &*right++)) return false;
      } else {
        if (deeper && !value(*left, *right)) return false;
        ++left;
        ++right;
      }
    }
    return true;
  }
  // Maps whose order counts: an entry with another key is changed.
  bool in_order(const parts& lefts, const parts& rights) {
    const std::size_t both = std::min(lefts.size(), rights.size());
    for (std::size_t i = 0; i < both; ++i) {
      const bool same_key = lefts[i].key == rights[i].key;
      if (!(same_key ? value(lefts[i], rights[i]) : report(difference_kind::changed, &lefts[i], &rights[i]))) return false;
    }
    for (std::size_t i = both; i < lefts.size(); ++i)
      if (!report(difference_kind::removed, &lefts[i], nullptr)) return false;
    for (std::size_t i = both; i < rights.size(); ++i)
      if (!report(difference_kind::added, nullptr, &rights[i])) return false;
    return true;
  }

  compared_side<P> left_;
  compared_side<Q> right_;
  const compare_options& options_;
  std::vector<difference>* found_ = nullptr;
};

}  // namespace detail

template <protocol P, protocol Q>
result<bool> try_equal(const view<P>& left, const view<Q>& right, const compare_options& options) {
  detail::compared_side<P> lefts(left);
  detail::compared_side<Q> rights(right);
  detail::compared_part a, b;
  if (!lefts.root(a)) return lefts.why();
  if (!rights.root(b)) return rights.why();
  if (a.wire != b.wire) return false;
  if (std::is_same_v<P, Q> && a.bytes == b.bytes) return true;
  const bool ordered = options.order == compare_options::order_check::keep;
  buffer one, other;
  if (!lefts.canonical(a, one, ordered)) return lefts.why();
  if (!rights.canonical(b, other, ordered)) return rights.why();
  return one.text() == other.text();
}

template <protocol P, protocol Q>
result<std::vector<difference>> try_differences(const view<P>& left, const view<Q>& right, const compare_options& options) {
  std::vector<difference> found;
  detail::comparison<P, Q> work(left, right, options);
  if (!work.run(found)) return work.why();
  return found;
}

}  // namespace thriftlens
