// key_table: texts to small numbers, built once and read by every request.
#pragma once

#include <thriftlens/core/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `text` with ASCII capitals made small, at `to` where as many bytes are free.
inline void put_lower(char* to, std::string_view text) noexcept {
  for (const char each : text) *to++ = each >= 'A' && each <= 'Z' ? static_cast<char>(each | 0x20) : each;
}
[[nodiscard]] inline std::string lower_text(std::string_view text) {
  std::string made(text.size(), '\0');
  put_lower(made.data(), text);
  return made;
}

/// An open-addressing table. Keys come from an IDL; what is looked up comes from outside, so that a lookup
/// costs no more than the longest run of the IDL's own collisions.
class key_table {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// The number of a key: a new one gets `fresh`.
  std::uint32_t add(std::string_view key, std::uint32_t fresh) {
    if (const std::uint32_t found = find(key); found != none) return found;
    entries_.push_back({std::string(key), fresh});
    rebuild();
    return fresh;
  }
  [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept {
    if (entries_.empty()) return none;
    for (std::size_t at = first_slot(hash_text(key), mask());; at = (at + 1) & mask()) {
      const std::uint32_t slot = slots_[at];
      if (slot == 0) return none;
      const entry& found = entries_[slot - 1];
      if (found.key == key) return found.number;
    }
  }
  /// The same for a key of any case, where the keys are in small letters.
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
  void put(std::size_t which) {
    std::size_t at = first_slot(hash_text(entries_[which].key), mask());
    while (slots_[at] != 0) at = (at + 1) & mask();
    slots_[at] = static_cast<std::uint32_t>(which + 1);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
