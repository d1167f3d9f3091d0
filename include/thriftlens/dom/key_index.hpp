// key_index: finds a map entry by key, or a field by id, with at most O(log² n) comparisons, also of keys
// that collide. Built at the first lookup in a large level, updated by appends.
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

/// A key by value. Struct and container keys are their canonical encoding.
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
  wire_key made;
  std::int64_t number = 0;
  double real = 0;
  bool truth = false;
  if (wire == ttype::string)
    made.is_text = in.read_bytes(made.text);
  else if (wire == ttype::double_ && in.read_double(real))
    made.number = real_key(real);
  else if (wire == ttype::bool_ && in.read_bool(truth))
    made.number = truth;
  else if (read_integer(in, wire, number))
    made.number = static_cast<std::uint64_t>(number);
  return made;
}

/// Whether bytes of at most twice the width of Number, and at least that of one, are the same.
template <class Number>
[[nodiscard]] THRIFTLENS_INLINE bool same_ends(const std::uint8_t* left, const std::uint8_t* right,
                                               std::size_t size) noexcept {
  const std::size_t last = size - sizeof(Number);
  return ((load_le<Number>(left) ^ load_le<Number>(right)) |
          (load_le<Number>(left + last) ^ load_le<Number>(right + last))) == 0;
}
/// Whether 1 to 3 bytes are the same.
[[nodiscard]] THRIFTLENS_INLINE bool same_short(const std::uint8_t* left, const std::uint8_t* right,
                                                std::size_t size) noexcept {
  const std::size_t middle = size / 2, last = size - 1;
  return left[0] == right[0] && left[middle] == right[middle] && left[last] == right[last];
}
/// Keys are short: no call for those.
[[nodiscard]] THRIFTLENS_INLINE bool same_bytes(const std::uint8_t* left, const std::uint8_t* right,
                                                std::size_t size) noexcept {
  if (size > 16) return std::memcmp(left, right, size) == 0;
  if (size >= 8) return same_ends<std::uint64_t>(left, right, size);
  if (size >= 4) return same_ends<std::uint32_t>(left, right, size);
  return size == 0 || same_short(left, right, size);
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
/// The key that a slot of a map holds. `memory` takes the encoding of a struct or container key, which is
/// valid until the next call.
[[nodiscard]] inline wire_key key_of(const slot& key, protocol_id protocol, buffer& memory) {
  if (!has_children(key.wire)) return scalar_key(key, protocol);
  memory.clear();
  visit_protocol(protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes_of(key), key_limits);
    return canonical_writer<decltype(tag)>(in, memory).key(key.wire);
  });
  return {0, byte_view(memory.data(), memory.size()).text(), true};
}

namespace detail {
/// False where the bytes are not one value of that wire type.
[[nodiscard]] inline bool key_of_bytes(byte_view bytes, ttype wire, protocol_id protocol, wire_key& key,
                                       buffer& memory) {
  key = key_of(raw_slot(bytes, wire), protocol, memory);
  return visit_protocol(protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes, key_limits);
    return is_value_type(wire) && in.skip(wire) && in.at_end();
  });
}
}  // namespace detail

/// Whether a value of one wire type can be given where the other stands: without a schema a number keeps the
/// width that it has on the wire.
[[nodiscard]] inline bool same_family(ttype left, ttype right) noexcept {
  return left == right || (is_integer(left) && is_integer(right));
}
/// The wire type, of its family, of a key that is not given by its bytes.
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

/// The key that a caller means, in a map whose keys have that wire type. False where no such key can be.
/// `memory`: as above.
[[nodiscard]] inline bool key_of(const map_key& meant, ttype wire, protocol_id protocol, wire_key& key,
                                 buffer& memory) {
  if (meant.kind() == map_key::form::wire)
    return detail::key_of_bytes(meant.bytes(), wire, protocol, key, memory);
  const ttype given = wire_of(meant);
  key = given == ttype::string ? wire_key{0, meant.text(), true}
                               : wire_key{detail::number_of(meant), {}, false};
  return same_family(given, wire);
}

/// Slots by key. Lives in the tree's arena; dropped when slots move. A hash table whose keys lie near their
/// home places; where keys collide too much for that, sorted runs of 1, 2, 4, 8 … keys that are merged like
/// the digits of a binary number when one is added. A lookup looks at `longest_probe` places or, in runs,
/// O(log² n) keys at most, whatever the keys; adding costs O(log² n) keys.
class key_index {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  /// Levels of fewer children are searched one by one.
  static constexpr std::uint32_t least = 12;
  /// Places after its home that a key may take.
  static constexpr std::uint32_t longest_probe = 64;

  /// A slot's number, or none, and how many places or keys were looked at to find it.
  struct answer {
    std::uint32_t at = none;
    std::uint32_t looks = 0;
  };

  /// Number of the first slot in use with that key, or none.
  [[nodiscard]] static std::uint32_t find(tree& in, level& of, const wire_key& key) {
    return look_for(in, of, key).at;
  }
  /// The same with its cost.
  [[nodiscard]] static answer look_for(tree& in, level& of, const wire_key& key) {
    if (of.count < least * of.stride()) return {search(in, of, key), of.count};
    if (of.index == nullptr) build(in, of);
    return of.index->runs_ != nullptr ? of.index->look_up_runs(in, of, key) : of.index->look_up(in, of, key);
  }
  /// After a slot (pair) was appended at number `at`, or has another key.
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
  /// The seed of a table: the first, or that of a second attempt.
  [[nodiscard]] static std::uint64_t seed_of(const tree& in, std::uint64_t attempt) noexcept {
    return in.seed + attempt * 0x9e3779b97f4a7c15u;
  }
  /// Whether the keys of the level's index collided too much for a hash table.
  [[nodiscard]] static bool has_runs(const level& of) noexcept {
    return of.index != nullptr && of.index->runs_ != nullptr;
  }

 private:
  // Holds the key: that of an erased slot cannot be read any more.
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
  /// The same, valid as long as the tree.
  [[nodiscard]] static wire_key stored_key(tree& in, const level& of, std::uint32_t at) {
    wire_key key = key_at(in, of, at);
    if (has_children(of.key)) key.text = in.memory.copy(key.text);
    return key;
  }
  [[nodiscard]] static THRIFTLENS_INLINE bool is_text(const slot& held, std::size_t width,
                                                      std::string_view text) noexcept {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return held.size == text.size() + width && detail::same_bytes(held.bytes + width, bytes, text.size());
  }
  /// Slot `at` is in use and has that key.
  [[nodiscard]] static THRIFTLENS_INLINE bool has_key(const tree& in, const level& of, std::uint32_t at,
                                                      const wire_key& key) {
    const slot& held = of.items[at];
    if (held.erased()) return false;
    const std::size_t width = traits_of(in.protocol).size_width;
    if (key.is_text && held.wire == ttype::string && width != 0) return is_text(held, width, key.text);
    return key_at(in, of, at) == key;
  }
  [[nodiscard]] static std::uint32_t search(const tree& in, const level& of, const wire_key& key) {
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (has_key(in, of, at, key)) return at;
    return none;
  }
  static void build(tree& in, level& of) {
    key_index& made = *in.memory.make<key_index>();
    made.mask_ = std::bit_ceil(of.count / of.stride() * 2 + 2) - 1;
    made.table_ = take<std::uint32_t>(in, std::size_t{made.mask_} + 1);
    // Runs store the encodings of struct and container keys.
    const bool sorts = of.wire == ttype::map && has_children(of.key);
    if (sorts || (!made.fill(in, of, 0) && !made.fill(in, of, 1))) made.sort(in, of);
    of.index = &made;
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
  // Of equal keys the first stays; a place whose slot was erased is taken over. False: the keys collide too
  // much.
  [[nodiscard]] bool add(const tree& in, const level& of, std::uint32_t at) {
    const wire_key key = key_at(in, of, at);
    std::uint32_t place = home_of(key);
    for (std::uint32_t probes = 0; probes < longest_probe; ++probes, place = (place + 1) & mask_) {
      std::uint32_t& entry = table_[place];
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
    std::uint32_t place = home_of(key);
    std::uint32_t probes = 0;
    for (; table_[place] != 0 && probes < longest_probe; place = (place + 1) & mask_, ++probes) {
      const std::uint32_t at = table_[place] - 1;
      if (has_key(in, of, at, key)) return {at, probes + 1};
    }
    return {none, probes};
  }

  // ---- the sorted runs: `used_` entries; each bit of that number, from the highest on, is a run of so many

  void sort(tree& in, const level& of) {
    runs_ = take<run_entry>(in, std::size_t{mask_} / 4 * 3 + 1);
    used_ = 0;
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.items[at].erased()) runs_[used_++] = {stored_key(in, of, at), at};
    std::sort(runs_, runs_ + used_, in_order);
  }
  [[nodiscard]] static bool in_order(const run_entry& left, const run_entry& right) noexcept {
    return left.less(right);
  }
  void add_run(const wire_key& key, std::uint32_t at) {
    runs_[used_++] = {key, at};
    // The runs at the end that are as long as what follows them become one with it.
    const std::uint32_t merged = used_ & (0 - used_);
    std::sort(runs_ + (used_ - merged), runs_ + used_, in_order);
  }
  [[nodiscard]] answer look_up_runs(const tree& in, const level& of, const wire_key& key) const {
    answer best;
    for (std::uint32_t begin = 0, size = std::bit_floor(used_); begin != used_;
         begin += size, size = std::bit_floor(used_ - begin)) {
      const answer here = look_up_run(in, of, key, runs_ + begin, runs_ + begin + size);
      best.looks += here.looks;
      if (here.at < best.at) best.at = here.at;
    }
    return best;
  }
  [[nodiscard]] static answer look_up_run(const tree& in, const level& of, const wire_key& key,
                                          const run_entry* begin, const run_entry* end) {
    answer found;
    const run_entry* at =
        std::lower_bound(begin, end, key, [&found](const run_entry& each, const wire_key& requested) {
          ++found.looks;
          return each.key.less(requested);
        });
    for (; at != end && at->key == key && found.at == none; ++at) {
      if (has_key(in, of, at->at, key)) found.at = at->at;
      ++found.looks;
    }
    return found;
  }

  std::uint32_t* table_ = nullptr;  // slot number + 1, 0 is free
  run_entry* runs_ = nullptr;       // instead of the table
  std::uint64_t seed_ = 0;
  std::uint32_t mask_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
