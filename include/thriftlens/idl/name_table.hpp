// name_table: names to numbers, by open addressing.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Names of several owners (files, enums …), which are numbers. Expected O(1) for find, amortised for insert;
/// seeded with its address, because names may be untrusted.
class name_table {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  name_table() noexcept : seed_(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this))) {}
  name_table(name_table&&) noexcept = default;
  name_table& operator=(name_table&&) noexcept = default;

  /// Removes all names and ensures capacity for `count`; retains memory.
  THRIFTLENS_NOINLINE void reset(std::size_t count) {
    slots_.assign(std::bit_ceil(count * 2 + 2), slot());
    used_ = 0;
  }
  /// Stores the number under the name, whose bytes are borrowed; if the name exists, returns its number and
  /// false.
  THRIFTLENS_NOINLINE std::pair<std::uint32_t, bool> insert(std::string_view name, std::uint32_t value,
                                                            std::uint32_t owner = 0) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    slot& at = slots_[seek(name, owner)];
    if (at.name != nullptr) return {at.value, false};
    ++used_;
    at = {name.data() != nullptr ? name.data() : "", static_cast<std::uint32_t>(name.size()), owner, value};
    return {value, true};
  }
  /// Replaces the number of a name that exists.
  void replace(std::string_view name, std::uint32_t value) noexcept { slots_[seek(name, 0)].value = value; }
  /// The number under the name, or none.
  [[nodiscard]] THRIFTLENS_NOINLINE std::uint32_t find(std::string_view name,
                                                       std::uint32_t owner = 0) const noexcept {
    if (slots_.empty()) return none;
    const slot& at = slots_[seek(name, owner)];
    return at.name != nullptr ? at.value : none;
  }

 private:
  struct slot {
    const char* name = nullptr;
    std::uint32_t size = 0;
    std::uint32_t owner = 0;
    std::uint32_t value = 0;

    [[nodiscard]] std::string_view text() const noexcept { return {name, size}; }
  };

  [[nodiscard]] THRIFTLENS_NOINLINE std::size_t seek(std::string_view name,
                                                     std::uint32_t owner) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t seed = seed_ + owner * std::uint64_t{0x9e3779b97f4a7c15u};
    std::size_t index = thriftlens::detail::first_slot(thriftlens::detail::hash_text(name, seed), mask);
    while (slots_[index].name != nullptr && (slots_[index].owner != owner || slots_[index].text() != name))
      index = (index + 1) & mask;
    return index;
  }
  THRIFTLENS_COLD void grow() {
    const thriftlens::detail::pod_vector<slot> previous = std::move(slots_);
    slots_.assign(previous.empty() ? 8 : previous.size() * 2, slot());
    for (const slot& entry : previous) {
      if (entry.name != nullptr) slots_[seek(entry.text(), entry.owner)] = entry;
    }
  }

  thriftlens::detail::pod_vector<slot> slots_;  ///< a power of two, or none
  std::size_t used_ = 0;
  std::uint64_t seed_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
