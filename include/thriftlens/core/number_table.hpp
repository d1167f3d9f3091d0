// number_table: numbers of 64 bits, or addresses, to numbers, by open addressing.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Amortised O(1). Keys are assigned by the library, not read from input.
class number_table {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  /// Two numbers as a key.
  [[nodiscard]] static std::uint64_t pair_of(std::uint32_t first, std::uint32_t second) noexcept {
    return std::uint64_t{first} << 32 | second;
  }
  /// Stores the number, which is not `none`; if the key exists, returns its number and false.
  THRIFTLENS_NOINLINE std::pair<std::uint32_t, bool> insert(std::uint64_t key, std::uint32_t value) {
    THRIFTLENS_ASSERT(value != none);
    if ((used_ + 1) * 2 > slots_.size()) grow();
    slot& at = slots_[seek(key)];
    if (at.value != none) return {at.value, false};
    ++used_;
    at = {key, value};
    return {value, true};
  }
  std::pair<std::uint32_t, bool> insert(const void* key, std::uint32_t value) {
    return insert(number_of(key), value);
  }
  /// The number under the key, or none.
  [[nodiscard]] THRIFTLENS_NOINLINE std::uint32_t find(std::uint64_t key) const noexcept {
    return slots_.empty() ? none : slots_[seek(key)].value;
  }
  [[nodiscard]] std::uint32_t find(const void* key) const noexcept { return find(number_of(key)); }

 private:
  struct slot {
    std::uint64_t key = 0;
    std::uint32_t value = none;
  };

  [[nodiscard]] static std::uint64_t number_of(const void* key) noexcept {
    return reinterpret_cast<std::uintptr_t>(key);
  }
  [[nodiscard]] std::size_t seek(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t index = first_slot(hash_number(key, 0), mask);
    while (slots_[index].value != none && slots_[index].key != key) index = (index + 1) & mask;
    return index;
  }
  THRIFTLENS_COLD void grow() {
    const pod_vector<slot> previous = std::move(slots_);
    slots_.assign(previous.empty() ? 16 : previous.size() * 2, slot());
    for (const slot& entry : previous) {
      if (entry.value != none) slots_[seek(entry.key)] = entry;
    }
  }

  pod_vector<slot> slots_;  ///< a power of two, or none
  std::size_t used_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
