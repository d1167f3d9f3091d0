// key_index: finds map entries by key and fields by id, with O(log² n) comparisons even if keys collide.
// Built by the first lookup in a large level, updated by appends.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/hash.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/select.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// A key by value; of structs and containers the canonical encoding.
struct wire_key {
  std::uint64_t number = 0;
  std::string_view text;
  bool is_text = false;

  friend bool operator==(const wire_key&, const wire_key&) noexcept = default;
  [[nodiscard]] bool less(const wire_key& other) const noexcept {
    return number != other.number ? number < other.number : text < other.text;
  }
  [[nodiscard]] std::uint64_t hash(std::uint64_t seed) const noexcept {
    return is_text ? hash_text(text, seed) : hash_number(number, seed);
  }
};

namespace detail {

[[nodiscard]] inline std::uint64_t real_key(double value) noexcept { return equality_bits(value); }

template <class Reader>
[[nodiscard]] wire_key read_wire_key(Reader in, ttype wire) noexcept {
  wire_key key;
  std::int64_t number = 0;
  double real = 0;
  bool truth = false;
  if (wire == ttype::string)
    key.is_text = in.read_bytes(key.text);
  else if (wire == ttype::double_ && in.read_double(real))
    key.number = real_key(real);
  else if (wire == ttype::bool_ && in.read_bool(truth))
    key.number = truth;
  else if (read_integer(in, wire, number))
    key.number = static_cast<std::uint64_t>(number);
  return key;
}

/// Compares between one and two widths of Number.
template <class Number>
[[nodiscard]] THRIFTLENS_INLINE bool same_ends(const std::uint8_t* lhs, const std::uint8_t* rhs,
                                               std::size_t size) noexcept {
  const std::size_t last = size - sizeof(Number);
  return ((load_le<Number>(lhs) ^ load_le<Number>(rhs)) |
          (load_le<Number>(lhs + last) ^ load_le<Number>(rhs + last))) == 0;
}
/// Compares 1 to 3 bytes.
[[nodiscard]] THRIFTLENS_INLINE bool same_short(const std::uint8_t* lhs, const std::uint8_t* rhs,
                                                std::size_t size) noexcept {
  const std::size_t middle = size / 2, last = size - 1;
  return lhs[0] == rhs[0] && lhs[middle] == rhs[middle] && lhs[last] == rhs[last];
}
/// Like memcmp, without a call for short keys.
[[nodiscard]] THRIFTLENS_INLINE bool same_bytes(const std::uint8_t* lhs, const std::uint8_t* rhs,
                                                std::size_t size) noexcept {
  if (size > 16) return std::memcmp(lhs, rhs, size) == 0;
  if (size >= 8) return same_ends<std::uint64_t>(lhs, rhs, size);
  if (size >= 4) return same_ends<std::uint32_t>(lhs, rhs, size);
  return size == 0 || same_short(lhs, rhs, size);
}

}  // namespace detail

/// The key, or another scalar, that a slot holds.
[[nodiscard]] inline wire_key scalar_key(const slot& key, protocol_id protocol) noexcept {
  const byte_view bytes = bytes_of(key);
  if (key.wire == ttype::uuid) return {0, bytes.text(), true};
  return visit_protocol(protocol, [&](auto tag) {
    return detail::read_wire_key(typename decltype(tag)::reader(bytes), key.wire);
  });
}
/// The key in a slot of a map. `memory` holds the encoding of a struct or container key until the next call.
[[nodiscard]] inline wire_key key_of(const slot& key, protocol_id protocol, buffer& memory) {
  if (!has_children(key.wire)) return scalar_key(key, protocol);
  memory.clear();
  visit_protocol(protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes_of(key), key_limits);
    return append_canonical_key<decltype(tag)>(in, memory, key.wire);
  });
  return {0, byte_view(memory.data(), memory.size()).text(), true};
}

namespace detail {
/// False if the bytes are not exactly one value of the wire type.
[[nodiscard]] inline bool key_of_bytes(byte_view bytes, ttype wire, protocol_id protocol, wire_key& key,
                                       buffer& memory) {
  key = key_of(raw_slot(bytes, wire), protocol, memory);
  return visit_protocol(protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes, key_limits);
    return is_value_type(wire) && in.skip(wire) && in.at_end();
  });
}
}  // namespace detail

/// Whether a value of one wire type can replace one of the other. Without a schema integers keep their width.
[[nodiscard]] inline bool same_family(ttype lhs, ttype rhs) noexcept {
  return lhs == rhs || (is_integer(lhs) && is_integer(rhs));
}
/// The wire type of a key that is not in wire form.
[[nodiscard]] inline ttype wire_of(const map_key& key) noexcept {
  using form = map_key::form;
  if (key.kind() == form::integer) return ttype::i64;
  if (key.kind() == form::real) return ttype::double_;
  return key.kind() == form::boolean ? ttype::bool_ : ttype::string;
}
namespace detail {
// Of a bool, integer or double.
[[nodiscard]] inline std::uint64_t number_of(const map_key& key) noexcept {
  return wire_of(key) == ttype::double_ ? real_key(key.real()) : static_cast<std::uint64_t>(key.integer());
}
}  // namespace detail

/// Converts a requested key to the wire type of the keys of a map; false if that is impossible. `memory`: as
/// above.
[[nodiscard]] inline bool key_of(const map_key& requested, ttype wire, protocol_id protocol, wire_key& key,
                                 buffer& memory) {
  if (requested.kind() == map_key::form::wire)
    return detail::key_of_bytes(requested.bytes(), wire, protocol, key, memory);
  const ttype requested_wire = wire_of(requested);
  key = requested_wire == ttype::string ? wire_key{0, requested.text(), true}
                                        : wire_key{detail::number_of(requested), {}, false};
  return same_family(requested_wire, wire);
}

/// Index of slots by key. Allocated in the arena of the tree; dropped when slots move. A hash table with
/// linear probing, or, if keys collide too much, sorted runs of 1, 2, 4, 8 … keys, which are merged like the
/// digits of a binary number when a key is added. A lookup compares at most `longest_probe` keys or, in runs,
/// O(log² n); adding a key costs O(log² n).
class key_index {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  /// Levels of fewer children are searched linearly.
  static constexpr std::uint32_t least = 12;
  /// Maximum number of buckets that are probed for a key.
  static constexpr std::uint32_t longest_probe = 64;

  /// A slot number, or none, and the cost of the lookup.
  struct answer {
    std::uint32_t at = none;
    std::uint32_t probes = 0;
  };

  /// Number of the first slot with that key, or none.
  [[nodiscard]] static std::uint32_t find(tree& in, level& of, const wire_key& key) {
    return look_for(in, of, key).at;
  }
  /// Like find, with the cost.
  [[nodiscard]] static answer look_for(tree& in, level& of, const wire_key& key) {
    if (of.count < least * of.stride()) return {search(in, of, key), of.count};
    if (of.index == nullptr) build(in, of);
    return of.index->runs_ != nullptr ? of.index->look_up_runs(in, of, key) : of.index->look_up(in, of, key);
  }
  /// Must be called after a slot (pair) was appended at number `at` or got another key.
  static void appended(tree& in, level& of, std::uint32_t at) {
    if (of.index == nullptr) return;
    key_index& self = *of.index;
    if (self.used_ + 1 > self.mask_ / 4 * 3)
      of.index = nullptr;
    else if (self.runs_ != nullptr)
      self.add_run(stored_key(in, of, at), at);
    else if (!self.add(in, of, at))
      of.index = nullptr;
  }
  /// The seed of a table in its first or second attempt.
  [[nodiscard]] static std::uint64_t seed_of(const tree& in, std::uint64_t attempt) noexcept {
    return in.seed + attempt * 0x9e3779b97f4a7c15u;
  }
  /// Whether the index is not a hash table because keys collided.
  [[nodiscard]] static bool has_runs(const level& of) noexcept {
    return of.index != nullptr && of.index->runs_ != nullptr;
  }

 private:
  // Has a copy of the key, as that of an erased slot cannot be read.
  struct run_entry {
    wire_key key;
    std::uint32_t at;
    [[nodiscard]] bool less(const run_entry& other) const noexcept {
      return key == other.key ? at < other.at : key.less(other.key);
    }
  };

  [[nodiscard]] static wire_key key_at(const tree& in, const level& of, std::uint32_t at) {
    if (of.wire == ttype::map) return key_of(of.items[at], in.protocol, in.key_memory);
    return {static_cast<std::uint64_t>(std::int64_t{of.items[at].id}), {}, false};
  }
  /// Like key_at, valid as long as the tree.
  [[nodiscard]] static wire_key stored_key(tree& in, const level& of, std::uint32_t at) {
    wire_key key = key_at(in, of, at);
    if (has_children(of.key)) key.text = in.memory.copy(key.text);
    return key;
  }
  [[nodiscard]] static THRIFTLENS_INLINE bool is_text(const slot& item, std::size_t width,
                                                      std::string_view text) noexcept {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return item.size == text.size() + width && detail::same_bytes(item.bytes + width, bytes, text.size());
  }
  /// Whether slot `at` is in use and has that key.
  [[nodiscard]] static THRIFTLENS_INLINE bool has_key(const tree& in, const level& of, std::uint32_t at,
                                                      const wire_key& key) {
    const slot& item = of.items[at];
    if (item.erased()) return false;
    const std::size_t width = traits_of(in.protocol).size_width;
    if (key.is_text && item.wire == ttype::string && width != 0) return is_text(item, width, key.text);
    return key_at(in, of, at) == key;
  }
  [[nodiscard]] static std::uint32_t search(const tree& in, const level& of, const wire_key& key) {
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (has_key(in, of, at, key)) return at;
    return none;
  }
  static void build(tree& in, level& of) {
    key_index& index = *in.memory.make<key_index>();
    index.mask_ = std::bit_ceil(of.count / of.stride() * 2 + 2) - 1;
    index.table_ = take<std::uint32_t>(in, std::size_t{index.mask_} + 1);
    // Runs store the encodings of struct and container keys.
    const bool sorts = of.wire == ttype::map && has_children(of.key);
    if (sorts || (!index.fill(in, of, 0) && !index.fill(in, of, 1))) index.sort(in, of);
    of.index = &index;
  }
  template <class T>
  [[nodiscard]] static T* take(tree& in, std::size_t count) {
    return static_cast<T*>(in.memory.allocate(count * sizeof(T), alignof(T)));
  }

  // ---- the hash table

  [[nodiscard]] std::uint32_t home_of(const wire_key& key) const noexcept {
    return static_cast<std::uint32_t>(key.hash(seed_)) & mask_;
  }

  [[nodiscard]] bool fill(const tree& in, const level& of, std::uint64_t attempt) {
    seed_ = seed_of(in, attempt);
    std::fill_n(table_, std::size_t{mask_} + 1, 0u);
    used_ = 0;
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.items[at].erased() && !add(in, of, at)) return false;
    return true;
  }
  // The first of equal keys stays; buckets of erased slots are reused. False if the keys collide too much.
  [[nodiscard]] bool add(const tree& in, const level& of, std::uint32_t at) {
    const wire_key key = key_at(in, of, at);
    std::uint32_t bucket = home_of(key);
    for (std::uint32_t probes = 0; probes < longest_probe; ++probes, bucket = (bucket + 1) & mask_) {
      std::uint32_t& entry = table_[bucket];
      const bool is_free = entry == 0;
      if (is_free || of.items[entry - 1].erased()) {
        used_ += is_free;
        entry = at + 1;
        return true;
      }
      if (key_at(in, of, entry - 1) == key) return true;
    }
    return false;
  }
  [[nodiscard]] answer look_up(const tree& in, const level& of, const wire_key& key) const {
    std::uint32_t bucket = home_of(key);
    std::uint32_t probes = 0;
    for (; table_[bucket] != 0 && probes < longest_probe; bucket = (bucket + 1) & mask_, ++probes) {
      const std::uint32_t at = table_[bucket] - 1;
      if (has_key(in, of, at, key)) return {at, probes + 1};
    }
    return {none, probes};
  }

  // ---- sorted runs: one for every set bit of `used_`, from the highest on, with that many entries

  void sort(tree& in, const level& of) {
    runs_ = take<run_entry>(in, std::size_t{mask_} / 4 * 3 + 1);
    used_ = 0;
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.items[at].erased()) runs_[used_++] = {stored_key(in, of, at), at};
    std::sort(runs_, runs_ + used_, in_order);
  }
  [[nodiscard]] static bool in_order(const run_entry& lhs, const run_entry& rhs) noexcept {
    return lhs.less(rhs);
  }
  void add_run(const wire_key& key, std::uint32_t at) {
    runs_[used_++] = {key, at};
    // Merges the trailing runs, like a carry in a binary number.
    const std::uint32_t merged = used_ & (0 - used_);
    std::sort(runs_ + (used_ - merged), runs_ + used_, in_order);
  }
  [[nodiscard]] answer look_up_runs(const tree& in, const level& of, const wire_key& key) const {
    answer best;
    for (std::uint32_t begin = 0, size = std::bit_floor(used_); begin != used_;
         begin += size, size = std::bit_floor(used_ - begin)) {
      const answer here = look_up_run(in, of, key, runs_ + begin, runs_ + begin + size);
      best.probes += here.probes;
      if (here.at < best.at) best.at = here.at;
    }
    return best;
  }
  [[nodiscard]] static answer look_up_run(const tree& in, const level& of, const wire_key& key,
                                          const run_entry* begin, const run_entry* end) {
    answer result;
    const run_entry* at =
        std::lower_bound(begin, end, key, [&result](const run_entry& entry, const wire_key& requested) {
          ++result.probes;
          return entry.key.less(requested);
        });
    for (; at != end && at->key == key && result.at == none; ++at) {
      if (has_key(in, of, at->at, key)) result.at = at->at;
      ++result.probes;
    }
    return result;
  }

  std::uint32_t* table_ = nullptr;  // slot number + 1, 0 is free
  run_entry* runs_ = nullptr;       // instead of the table
  std::uint64_t seed_ = 0;
  std::uint32_t mask_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
