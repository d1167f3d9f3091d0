// missing_name: names that steps asked for in vain, until somebody wants the error in words. Never
// allocates, never fails, never decides anything: where a name is gone the error has fewer words.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/quote.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The last few names of a thread. A view is copied as bytes and outlives the text that a step was given, so
/// it can neither own the name nor point to it. A number is made of the name itself: it never finds another
/// one.
class missing_names {
 public:
  static constexpr std::uint32_t capacity = 16;
  static constexpr std::size_t longest = 64;

  /// Remembers a name, cut where it is long. O(its length, at most `longest`).
  [[nodiscard]] std::uint32_t add(std::string_view name) noexcept {
    const std::string_view shown = utf8_cut(name, longest);
    const std::uint32_t place = next_++ % capacity;
    const std::uint32_t number = hash(shown) / capacity * capacity + place;
    entry& to = entries_[place];
    if (!shown.empty()) std::memcpy(to.text, shown.data(), shown.size());
    to.size = static_cast<std::uint8_t>(shown.size());
    to.number = number;
    return number;
  }
  /// Empty where it has been overwritten, or was remembered by another thread. Good until the next add().
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
    for (const char each : text) sum = (sum ^ static_cast<std::uint8_t>(each)) * 0x01000193u;
    return sum;
  }

  std::array<entry, capacity> entries_{};
  std::uint32_t next_ = 0;
};

/// Those of this thread.
[[nodiscard]] THRIFTLENS_COLD inline missing_names& names_asked_for() noexcept {
  thread_local missing_names names;
  return names;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
