// step_trie: paths with shared prefixes as a flat trie of steps. Callers store their data by node number.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/path/path.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Key order of plans: text and wire keys by bytes, others by number.
[[nodiscard]] inline bool key_less(const map_key& lhs, const map_key& rhs) noexcept {
  if (lhs.kind() != rhs.kind()) return lhs.kind() < rhs.kind();
  if (lhs.kind() >= map_key::form::text) return lhs.text() < rhs.text();
  return lhs.integer() < rhs.integer();
}
/// Normalizes -0.0 to 0.0.
[[nodiscard]] inline map_key plain_key(const map_key& key) noexcept {
  return key.kind() == map_key::form::real && key.real() == 0 ? map_key(0.0) : key;
}

/// child() adds nodes; 0 is the root. The hash is seeded with the address because keys may be untrusted.
class step_trie {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Children are linked in insertion order.
  struct node {
    std::uint32_t parent = none;
    std::uint32_t first_child = none, last_child = none;
    std::uint32_t next = none;   ///< sibling
    std::uint32_t position = 0;  ///< among its siblings
    std::uint32_t children = 0;
    std::uint64_t value = 0;  ///< order-preserving id, index or number of the step; or offset of its text
    std::uint32_t text_size = 0;
    map_key::form form = map_key::form::integer;
    bool ascending = true;   ///< children are strictly ascending ids or indices
    bool indexed = false;    ///< the children are in the hash table
    bool wire_keys = false;  ///< a child is a wire key
  };

  step_trie() : nodes_(1), seed_(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this))) {}

  void reserve(std::size_t nodes) { nodes_.reserve(nodes); }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] const node& operator[](std::uint32_t at) const noexcept { return nodes_[at]; }

  /// The child of `at` for a field, index or key step; equals the previous size() if it was added. Expected
  /// O(1).
  std::uint32_t child(std::uint32_t at, const path_step& step) {
    using kind = path_step::form;
    if (step.kind == kind::key) return child(at, seen(plain_key(step.key)), true);
    return child(at,
                 {map_key::form::integer,
                  step.kind == kind::field ? by_number(step.id) : static_cast<std::uint64_t>(step.first),
                  {}},
                 false);
  }
  /// Adds a node without a parent.
  std::uint32_t detached() {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  /// The child with that key, or none. `key` must be normalized by plain_key().
  [[nodiscard]] std::uint32_t find(std::uint32_t at, const map_key& key) const noexcept {
    return find(at, seen(key));
  }

  [[nodiscard]] std::int16_t id(std::uint32_t at) const noexcept {
    return static_cast<std::int16_t>(nodes_[at].value ^ top_bit);
  }
  [[nodiscard]] std::int64_t index(std::uint32_t at) const noexcept {
    return static_cast<std::int64_t>(nodes_[at].value);
  }
  /// Valid until the next call of child().
  [[nodiscard]] map_key key(std::uint32_t at) const noexcept {
    const node& of = nodes_[at];
    if (of.form >= map_key::form::text) return text_key(of);
    const auto number = static_cast<std::int64_t>(of.value ^ top_bit);
    if (of.form == map_key::form::boolean) return number != 0;
    return of.form == map_key::form::real ? map_key(std::bit_cast<double>(number)) : map_key(number);
  }
  /// Order of siblings: fields by id; elements by index, negative ones last; keys by key_less().
  [[nodiscard]] bool less(std::uint32_t lhs, std::uint32_t rhs) const noexcept {
    const node &first = nodes_[lhs], &second = nodes_[rhs];
    if (first.form != second.form) return first.form < second.form;
    return first.form >= map_key::form::text ? text(first) < text(second) : first.value < second.value;
  }

 private:
  static constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
  static constexpr std::uint32_t small_size = 8;  // up to this number of children are searched linearly

  struct seen_step {
    map_key::form form;
    std::uint64_t value;
    std::string_view text;
  };
  struct slot {
    std::uint32_t hash = 0;
    std::uint32_t node = 0;  // 0: free
  };

  [[nodiscard]] static std::uint64_t by_number(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) ^ top_bit;
  }
  [[nodiscard]] static seen_step seen(const map_key& key) noexcept {
    if (key.kind() >= map_key::form::text) return {key.kind(), 0, key.text()};
    return {key.kind(), by_number(key.integer()), {}};
  }
  [[nodiscard]] map_key text_key(const node& of) const noexcept {
    if (of.form == map_key::form::text) return text(of);
    return of.form == map_key::form::name ? map_key::name(text(of)) : map_key::wire(byte_view(text(of)));
  }
  [[nodiscard]] std::string_view text(const node& of) const noexcept {
    return {keys_.data() + of.value, of.text_size};
  }
  [[nodiscard]] seen_step seen(const node& of) const noexcept {
    if (of.form >= map_key::form::text) return {of.form, 0, text(of)};
    return {of.form, of.value, {}};
  }
  [[nodiscard]] bool is(const node& of, const seen_step& step) const noexcept {
    if (of.form != step.form) return false;
    return step.form >= map_key::form::text ? text(of) == step.text : of.value == step.value;
  }
  [[nodiscard]] std::uint32_t hash(std::uint32_t parent, const seen_step& step) const noexcept {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;
    const std::uint64_t seed =
        seed_ ^ (std::uint64_t{parent} * 8 + static_cast<std::uint64_t>(step.form)) * odd;
    if (step.form >= map_key::form::text) return static_cast<std::uint32_t>(hash_text(step.text, seed));
    return static_cast<std::uint32_t>(fold(step.value ^ odd, seed ^ 0xe7037ed1a0b428dbu));
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t at, const seen_step& step) const noexcept {
    const node& parent = nodes_[at];
    if (parent.indexed) return find_hashed(at, step);
    std::uint32_t sibling = parent.first_child;
    while (sibling != none && !is(nodes_[sibling], step)) sibling = nodes_[sibling].next;
    return sibling;
  }
  [[nodiscard]] std::uint32_t find_hashed(std::uint32_t at, const seen_step& step) const noexcept {
    const std::uint32_t expected = hash(at, step);
    for (std::size_t position = expected & mask_; slots_[position].node != 0;
         position = (position + 1) & mask_) {
      const slot& sibling = slots_[position];
      if (sibling.hash == expected && nodes_[sibling.node].parent == at && is(nodes_[sibling.node], step))
        return sibling.node;
    }
    return none;
  }
  std::uint32_t child(std::uint32_t at, const seen_step& step, bool is_key) {
    const node& parent = nodes_[at];
    if (parent.last_child == none) return add(at, step, false);
    const node& last = nodes_[parent.last_child];
    if (is(last, step)) return parent.last_child;
    if (!is_key && parent.ascending && last.value < step.value) return add(at, step, true);
    // Keys are looked up later too, other steps only if they do not ascend.
    if (parent.children >= small_size) index_children(at);
    const auto existing = find(at, step);
    return existing != none ? existing : add(at, step, false);
  }
  std::uint32_t add(std::uint32_t at, const seen_step& step, bool ascends) {
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    node& fresh = nodes_.emplace_back();
    node& parent = nodes_[at];
    fresh.parent = at;
    fresh.position = parent.children++;
    take(fresh, step);
    parent.wire_keys |= step.form == map_key::form::wire;
    append_child(parent, added, ascends);
    if (parent.indexed) put(added, hash(at, step));
    return added;
  }
  void append_child(node& parent, std::uint32_t added, bool ascends) noexcept {
    if (parent.first_child == none) {
      parent.first_child = added;
    } else {
      nodes_[parent.last_child].next = added;
      parent.ascending = ascends;
    }
    parent.last_child = added;
  }
  /// Sets the step of a node; copies its text.
  void take(node& fresh, const seen_step& step) {
    fresh.form = step.form;
    fresh.value = step.form >= map_key::form::text ? keys_.size() : step.value;
    fresh.text_size = static_cast<std::uint32_t>(step.text.size());
    keys_.append(step.text);
  }

  void index_children(std::uint32_t at) {
    if (std::exchange(nodes_[at].indexed, true)) return;
    for (std::uint32_t entry = nodes_[at].first_child; entry != none; entry = nodes_[entry].next)
      put(entry, hash(at, seen(nodes_[entry])));
  }
  void put(std::uint32_t added, std::uint32_t hashed) {
    if (4 * (used_ + 1) > 3 * slots_.size()) rehash();
    ++used_;
    store(added, hashed);
  }
  void store(std::uint32_t added, std::uint32_t hashed) noexcept {
    std::size_t at = hashed & mask_;
    while (slots_[at].node != 0) at = (at + 1) & mask_;
    slots_[at] = {hashed, added};
  }
  void rehash() {
    // Grows to the reserved capacity at once: rehashing costs as much as filling.
    pod_vector<slot> previous;
    previous.resize(greatest(std::size_t{64}, slots_.size() * 2, std::bit_ceil(nodes_.capacity() / 4 * 3)));
    previous.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const slot& entry : previous) {
      if (entry.node != 0) store(entry.node, entry.hash);
    }
  }

  std::vector<node> nodes_;
  std::string keys_;  // concatenated texts of keys
  pod_vector<slot> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::uint64_t seed_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
