// name_table: names to numbers, by open addressing.
#pragma once

#include <thriftlens/core/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Expected O(1) for find and insert; seeded with its address, because names may be untrusted.
class name_table {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  name_table() noexcept : seed_(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this))) {}
  name_table(name_table&&) noexcept = default;
  name_table& operator=(name_table&&) noexcept = default;

  /// Removes all names and ensures capacity for `count`; retains memory.
  void reset(std::size_t count) {
    const std::size_t capacity = std::bit_ceil(count * 2 + 2);
    if (capacity > capacity_) {
      slots_.reset(new slot[capacity]);
      capacity_ = capacity;
    } else {
      std::memset(static_cast<void*>(slots_.get()), 0, capacity * sizeof(slot));
    }
    mask_ = capacity - 1;
    used_ = 0;
  }
  /// Stores the number under the name; if the name exists, returns its number and false. Precondition:
  /// reset() reserved the capacity.
  std::pair<std::uint32_t, bool> insert(std::string_view name, std::uint32_t value) noexcept {
    slot& at = *seek(name);
    if (at.name != nullptr) return {at.value, false};
    THRIFTLENS_ASSERT(++used_ <= mask_);
    at = {name.data() != nullptr ? name.data() : "", static_cast<std::uint32_t>(name.size()), value};
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
    std::size_t index = thriftlens::detail::first_slot(thriftlens::detail::hash_text(name, seed_), mask_);
    for (;; index = (index + 1) & mask_) {
      slot& at = slots_[index];
      if (at.name == nullptr) return &at;
      if (std::string_view(at.name, at.size) == name) return &at;
    }
  }

  std::unique_ptr<slot[]> slots_;
  std::size_t capacity_ = 0;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::uint64_t seed_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
