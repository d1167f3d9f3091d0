// repeated_keys: finds equal byte strings among the keys of a container. Linear in their bytes, O(n log n)
// for keys chosen to collide.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A reusable hash table. `Keys`: a type with size() and operator[] that returns a std::string_view.
class repeated_keys {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// `seed` of the hash; 0: the table's address, which is unknown to senders.
  explicit repeated_keys(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  /// Index of the first key that equals an earlier one, or none.
  template <class Keys>
  [[nodiscard]] std::size_t first(const Keys& keys) {
    std::size_t first = none;
    for_each(keys, false, [&](std::size_t index) {
      if (index < first) first = index;
    });
    return first;
  }
  /// Calls visit(index) for every key that equals an earlier one (`from_end`: a later one).
  template <class Keys, class Visitor>
  void for_each(const Keys& keys, bool from_end, Visitor visit) {
    constexpr std::size_t max_pairwise = 8;
    if (keys.size() <= max_pairwise) return for_each_pairwise(keys, from_end, visit);
    const std::size_t max_probes = keys.size() * 16 + 1024;  // only chosen collisions need more
    slots_.assign(std::bit_ceil(keys.size() * 2), 0);
    probes_ = 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const std::size_t i = from_end ? keys.size() - 1 - n : n;
      std::uint32_t& slot = slots_[slot_of(keys, i, max_probes)];
      if (probes_ == max_probes) return for_each_sorted(keys, from_end, visit);
      if (slot != 0)
        visit(i);
      else
        slot = static_cast<std::uint32_t>(i + 1);
    }
  }
  /// Collisions of the last search.
  [[nodiscard]] std::size_t probes() const noexcept { return probes_; }

 private:
  [[nodiscard]] std::uint64_t seed() const noexcept {
    return seed_ != 0 ? seed_ : reinterpret_cast<std::uintptr_t>(slots_.data());
  }
  // The slot of an equal key, or an empty one; any if the probes are exhausted.
  template <class Keys>
  [[nodiscard]] std::size_t slot_of(const Keys& keys, std::size_t key, std::size_t max_probes) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = first_slot(hash_text(keys[key], seed()), mask);
    while (probes_ != max_probes && slots_[slot] != 0 && keys[slots_[slot] - 1] != keys[key]) {
      slot = (slot + 1) & mask;
      ++probes_;
    }
    return slot;
  }
  template <class Keys, class Visitor>
  static void for_each_pairwise(const Keys& keys, bool from_end, Visitor visit) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (keys[i] == keys[j]) visit(from_end ? j : i);
      }
    }
  }
  template <class Keys, class Visitor>
  void for_each_sorted(const Keys& keys, bool from_end, Visitor visit) {
    std::size_t previous = none;
    for (const std::size_t index :
         stable_order(keys.size(), [&](std::size_t lhs, std::size_t rhs) { return keys[lhs] < keys[rhs]; })) {
      if (previous != none && keys[previous] == keys[index]) visit(from_end ? previous : index);
      previous = index;
    }
  }

  std::vector<std::uint32_t> slots_;
  std::uint64_t seed_;
  std::size_t probes_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
