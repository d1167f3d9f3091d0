// missing_name: stores the names of failed steps until an error text needs them. Never allocates or
// fails; a text whose name was overwritten lacks the name.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/utf8.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The last names of a thread. A view is trivially copied and outlives the text of its steps, so it can
/// neither own the name nor point to it. A number includes a hash of its name, so that it does not find a
/// later one.
class missing_names {
 public:
  static constexpr std::uint32_t capacity = 16;
  static constexpr std::size_t longest = 72;

  /// Stores a name, truncated to `longest` bytes. Returns its number.
  [[nodiscard]] std::uint32_t add(std::string_view name) noexcept {
    const std::string_view shown = utf8_cut(name, longest);
    const std::uint32_t slot = next_++ % capacity;
    const std::uint32_t number = hash(shown) / capacity * capacity + slot;
    entry& to = entries_[slot];
    if (!shown.empty()) std::memcpy(to.text, shown.data(), shown.size());
    to.size = static_cast<std::uint8_t>(shown.size());
    to.number = number;
    return number;
  }
  /// Empty if the name was overwritten or stored by another thread. Valid until the next add().
  [[nodiscard]] std::string_view find(std::uint32_t number) const noexcept {
    const entry& at = entries_[number % capacity];
    return at.number == number ? std::string_view(at.text, at.size) : std::string_view();
  }

 private:
  struct entry {
    std::uint32_t number = 0;
    std::uint8_t size = 0;
    char text[longest] = {};
  };
  /// FNV-1a.
  [[nodiscard]] static std::uint32_t hash(std::string_view text) noexcept {
    std::uint32_t sum = 0x811c9dc5u;
    for (const char character : text) sum = (sum ^ static_cast<std::uint8_t>(character)) * 0x01000193u;
    return sum;
  }

  std::array<entry, capacity> entries_{};
  std::uint32_t next_ = 0;
};

/// The names of this thread.
[[nodiscard]] THRIFTLENS_COLD inline missing_names& thread_missing_names() noexcept {
  thread_local missing_names names;
  return names;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
