// key_index: finds the entry of a map by its key, or a field that is out of order by its id, without looking
// at all of them. In: a level and a key. Out: the slot's number. Built at the first lookup in a large level,
// kept up to date by appends. Never answers by hash alone, never looks at more than O(log² n) keys, even of
// keys that were made to collide.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/select.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// A key by value: two keys that mean the same compare equal whatever bytes spell them. Struct and container
/// keys are their wire bytes.
struct wire_key {
  std::uint64_t number = 0;
  std::string_view text;
  bool is_text = false;

  friend bool operator==(const wire_key& left, const wire_key& right) noexcept {
    return left.is_text == right.is_text && left.number == right.number && left.text == right.text;
  }
  [[nodiscard]] bool less(const wire_key& other) const noexcept {
    return number != other.number ? number < other.number : text < other.text;
  }
  [[nodiscard]] std::uint64_t hash(std::uint64_t seed) const noexcept {
    return is_text ? hash_text(text, seed)
                   : thriftlens::detail::fold(number ^ seed, 0x9e3779b97f4a7c15u ^ (seed >> 1));
  }
};

namespace detail {

[[nodiscard]] inline std::uint64_t real_key(double value) noexcept {
  return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
}

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
[[nodiscard]] THRIFTLENS_INLINE bool same_few(const std::uint8_t* left, const std::uint8_t* right,
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
  return size == 0 || same_few(left, right, size);
}

}  // namespace detail

/// The bytes of a value that was not changed.
[[nodiscard]] inline byte_view bytes_of(const slot& of) noexcept {
  return of.expanded ? byte_view(of.below->bytes, of.below->size) : byte_view(of.bytes, of.size);
}

/// The key that a slot of a map holds.
[[nodiscard]] inline wire_key key_of(const slot& key, protocol_id protocol) noexcept {
  const byte_view bytes = bytes_of(key);
  if (key.wire == ttype::struct_ || is_container(key.wire) || key.wire == ttype::uuid)
    return {0, bytes.text(), true};
  return visit_protocol(protocol, [&](auto tag) {
    return detail::read_wire_key(typename decltype(tag)::reader(bytes), key.wire);
  });
}

namespace detail {
/// False where the bytes are not one value of that wire type.
[[nodiscard]] inline bool key_of_bytes(byte_view bytes, ttype wire, protocol_id protocol,
                                       wire_key& key) noexcept {
  slot made;
  made.bytes = bytes.data();
  made.size = static_cast<std::uint32_t>(bytes.size());
  made.wire = wire;
  key = key_of(made, protocol);
  return visit_protocol(protocol, [&](auto tag) {
    typename decltype(tag)::reader in(bytes);
    return is_value_type(wire) && in.skip(wire) && in.at_end();
  });
}
}  // namespace detail

/// The key that a caller means, in a map whose keys have that wire type. False where no such key can be.
[[nodiscard]] inline bool key_of(const map_key& meant, ttype wire, protocol_id protocol,
                                 wire_key& key) noexcept {
  using form = map_key::form;
  switch (meant.kind()) {
    case form::wire:
      return detail::key_of_bytes(meant.bytes(), wire, protocol, key);
    case form::text:
    case form::name:
      key = {0, meant.text(), true};
      return wire == ttype::string;
    case form::boolean:
      key = {meant.boolean() ? 1u : 0u, {}, false};
      return wire == ttype::bool_;
    case form::real:
      key = {detail::real_key(meant.real()), {}, false};
      return wire == ttype::double_;
    case form::integer:
      break;
  }
  key = {static_cast<std::uint64_t>(meant.integer()), {}, false};
  return is_integer(wire);
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
  /// Places behind its home that a key may take.
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
      self.add_run(key_at(in, of, at), at);
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

  [[nodiscard]] static wire_key key_at(const tree& in, const level& of, std::uint32_t at) noexcept {
    if (of.wire == ttype::map) return key_of(of.slots[at], in.protocol);
    return {static_cast<std::uint64_t>(std::int64_t{of.slots[at].id}), {}, false};
  }
  [[nodiscard]] static THRIFTLENS_INLINE bool is_text(const slot& held, std::size_t width,
                                                      std::string_view text) noexcept {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return held.size == text.size() + width && detail::same_bytes(held.bytes + width, bytes, text.size());
  }
  /// Slot `at`, which is in use, has that key.
  [[nodiscard]] static THRIFTLENS_INLINE bool has_key(const tree& in, const level& of, std::uint32_t at,
                                                      const wire_key& key) noexcept {
    const slot& held = of.slots[at];
    const std::size_t width = traits_of(in.protocol).size_width;
    if (key.is_text && held.wire == ttype::string && width != 0) return is_text(held, width, key.text);
    return key_at(in, of, at) == key;
  }
  [[nodiscard]] static std::uint32_t search(const tree& in, const level& of, const wire_key& key) noexcept {
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.slots[at].erased() && has_key(in, of, at, key)) return at;
    return none;
  }
  static void build(tree& in, level& of) {
    key_index& made = *in.memory.make<key_index>();
    made.mask_ = std::bit_ceil(of.count / of.stride() * 2 + 2) - 1;
    made.table_ = take<std::uint32_t>(in, std::size_t{made.mask_} + 1);
    bool filled = false;
    for (std::uint64_t attempt = 0; attempt < 2 && !filled; ++attempt) {
      made.seed_ = seed_of(in, attempt);
      filled = made.fill(in, of);
    }
    if (!filled) made.sort(in, of);
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

  [[nodiscard]] bool fill(const tree& in, const level& of) noexcept {
    std::fill_n(table_, std::size_t{mask_} + 1, 0u);
    used_ = 0;
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.slots[at].erased() && !add(in, of, at)) return false;
    return true;
  }
  // Of equal keys the first stays; a place whose slot was erased is taken over. False: the keys collide too
  // much.
  [[nodiscard]] bool add(const tree& in, const level& of, std::uint32_t at) noexcept {
    const wire_key key = key_at(in, of, at);
    std::uint32_t place = home_of(key);
    for (std::uint32_t probes = 0; probes < longest_probe; ++probes, place = (place + 1) & mask_) {
      if (table_[place] == 0) {
        table_[place] = at + 1;
        ++used_;
        return true;
      }
      const std::uint32_t other = table_[place] - 1;
      if (of.slots[other].erased()) {
        table_[place] = at + 1;
        return true;
      }
      if (key_at(in, of, other) == key) return true;
    }
    return false;
  }
  [[nodiscard]] answer look_up(const tree& in, const level& of, const wire_key& key) const noexcept {
    std::uint32_t place = home_of(key);
    std::uint32_t probes = 0;
    for (; table_[place] != 0 && probes < longest_probe; place = (place + 1) & mask_, ++probes) {
      const std::uint32_t at = table_[place] - 1;
      if (!of.slots[at].erased() && has_key(in, of, at, key)) return {at, probes + 1};
    }
    return {none, probes};
  }

  // ---- the sorted runs: `used_` entries; each bit of that number, from the highest on, is a run of so many

  void sort(tree& in, const level& of) {
    runs_ = take<run_entry>(in, std::size_t{mask_} / 4 * 3 + 1);
    used_ = 0;
    for (std::uint32_t at = 0; at < of.count; at += of.stride())
      if (!of.slots[at].erased()) runs_[used_++] = {key_at(in, of, at), at};
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
  [[nodiscard]] answer look_up_runs(const tree& in, const level& of, const wire_key& key) const noexcept {
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
                                          const run_entry* begin, const run_entry* end) noexcept {
    answer found;
    const run_entry* at =
        std::lower_bound(begin, end, key, [&found](const run_entry& each, const wire_key& wanted) {
          ++found.looks;
          return each.key.less(wanted);
        });
    for (; at != end && at->key == key; ++at, ++found.looks) {
      if (of.slots[at->at].erased() || !has_key(in, of, at->at, key)) continue;
      found.at = at->at;
      break;
    }
    return found;
  }

  std::uint32_t* table_ = nullptr;  // slot number + 1, 0 is free
  run_entry* runs_ = nullptr;       // instead of the table
  std::uint64_t seed_ = 0;
  std::uint32_t mask_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
