// name_table: names to numbers, by open addressing.
// In: names that outlive the table, numbers. Out: the number first stored under a name.
// Never copies a name, never removes one.
#pragma once

#include <thriftlens/core/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

[[nodiscard]] THRIFTLENS_INLINE std::uint64_t load_word(const char* from, std::size_t size) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t mix(std::uint64_t value) noexcept {
  value *= 0x9E3779B97F4A7C15u;
  return value ^ (value >> 32);
}
/// All bytes count, and a seed: names come from hostile text.
[[nodiscard]] inline std::uint64_t hash_name(std::string_view name, std::uint64_t seed) noexcept {
  std::uint64_t hash = seed ^ name.size();
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left > 8; left -= 8, at += 8) hash = mix(hash ^ load_word(at, 8));
  if (left >= 4) return mix(mix(hash ^ load_word(at, 4)) ^ (load_word(at + left - 4, 4) << 32));
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < left; ++i) tail = (tail << 8) | static_cast<unsigned char>(at[i]);
  return mix(hash ^ tail);
}

}  // namespace detail

/// Expected O(1) for find and insert.
class name_table {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  name_table() noexcept : seed_(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this))) {}
  name_table(name_table&&) noexcept = default;
  name_table& operator=(name_table&&) noexcept = default;

  /// Forgets all names and makes room for `count`; memory is kept.
  void reset(std::size_t count) {
    const std::size_t wanted = std::bit_ceil(count * 2 + 2);
    if (wanted > capacity_) {
      slots_.reset(new slot[wanted]);
      capacity_ = wanted;
    } else {
      std::memset(static_cast<void*>(slots_.get()), 0, wanted * sizeof(slot));
    }
    mask_ = wanted - 1;
    used_ = 0;
  }
  /// Stores the number under the name; where the name is taken, the number stored before and false. Room must be there.
  std::pair<std::uint32_t, bool> insert(std::string_view name, std::uint32_t value) noexcept {
    slot& at = *seek(name);
    if (at.name != nullptr) return {at.value, false};
    THRIFTLENS_ASSERT(++used_ <= mask_);
    at = {name.data(), static_cast<std::uint32_t>(name.size()), value};
    return {value, true};
  }
  /// The number under the name, or none.
  [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept {
    if (mask_ == 0) return none;
    const slot& at = *seek(name);
    return at.name != nullptr ? at.value : none;
  }

 private:
  struct slot {
    const char* name = nullptr;
    std::uint32_t size = 0;
    std::uint32_t value = 0;
  };

  [[nodiscard]] slot* seek(std::string_view name) const noexcept {
    std::size_t index = detail::hash_name(name, seed_) & mask_;
    for (;; index = (index + 1) & mask_) {
      slot& at = slots_[index];
      if (at.name == nullptr) return &at;
      if (at.size == name.size() && std::memcmp(at.name, name.data(), name.size()) == 0) return &at;
    }
  }

  std::unique_ptr<slot[]> slots_;
  std::size_t capacity_ = 0;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::uint64_t seed_;
};

}  // namespace thriftlens::idl
