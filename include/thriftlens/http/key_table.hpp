// key_table: maps texts to small numbers; built once, read by every request.
#pragma once

#include <thriftlens/core/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes `text` with ASCII letters in lower case at `to`, which must have space for it.
inline void put_lower(char* to, std::string_view text) noexcept {
  for (const char c : text) *to++ = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
[[nodiscard]] inline std::string lower_text(std::string_view text) {
  std::string lower(text.size(), '\0');
  put_lower(lower.data(), text);
  return lower;
}

/// Open-addressing hash table. Only keys of the IDL are inserted, so clients cannot make a lookup cost more
/// than the longest run of collisions among those.
class key_table {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// The number of `key`, which is `fresh` for a new key.
  std::uint32_t add(std::string_view key, std::uint32_t fresh) {
    if (const std::uint32_t known = find(key); known != none) return known;
    entries_.push_back({std::string(key), fresh});
    rebuild();
    return fresh;
  }
  [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept {
    if (entries_.empty()) return none;
    for (std::size_t at = first_slot(hash_text(key), mask());; at = (at + 1) & mask()) {
      const std::uint32_t slot = slots_[at];
      if (slot == 0) return none;
      const entry& candidate = entries_[slot - 1];
      if (candidate.key == key) return candidate.number;
    }
  }
  /// Finds a key in any letter case in a table of lower-case keys.
  [[nodiscard]] std::uint32_t find_lower(std::string_view key) const noexcept {
    char lower[max_lower];
    if (entries_.empty() || key.size() > max_lower) return none;
    put_lower(lower, key);
    return find({lower, key.size()});
  }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] std::string_view key(std::size_t at) const noexcept { return entries_[at].key; }

 private:
  static constexpr std::size_t max_lower = 256;  // names of headers are not longer
  struct entry {
    std::string key;
    std::uint32_t number;
  };
  [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
  void rebuild() {
    if (slots_.size() < entries_.size() * 2) {
      slots_.assign(std::bit_ceil(entries_.size() * 4), 0);
      for (std::size_t i = 0; i < entries_.size(); ++i) put(i);
    } else {
      put(entries_.size() - 1);
    }
  }
  void put(std::size_t index) {
    std::size_t at = first_slot(hash_text(entries_[index].key), mask());
    while (slots_[at] != 0) at = (at + 1) & mask();
    slots_[at] = static_cast<std::uint32_t>(index + 1);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
