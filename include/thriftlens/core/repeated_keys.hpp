// repeated_keys: finds equal byte strings among the keys of a container. Linear in their bytes, O(n log n)
// for keys chosen to collide.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Keys of any type with size() and operator[], as texts. Borrows.
class key_texts {
 public:
  template <class Keys>
  key_texts(const Keys& keys) noexcept  // NOLINT: implicit
      : keys_(&keys), size_(keys.size()), text_([](const void* of, std::size_t at) -> std::string_view {
          return (*static_cast<const Keys*>(of))[at];
        }) {}
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view operator[](std::size_t at) const { return text_(keys_, at); }

 private:
  const void* keys_;
  std::size_t size_;
  std::string_view (*text_)(const void*, std::size_t);
};

/// A reusable hash table.
class repeated_keys {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// `seed` of the hash; 0: the table's address, which is unknown to senders.
  explicit repeated_keys(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  /// Index of the first key that equals an earlier one, or none.
  [[nodiscard]] std::size_t first(const key_texts& keys) {
    first_ = none;
    search(keys, nullptr);
    return first_;
  }
  /// Sets those that equal a later key to 1, others to 0.
  void find_earlier(const key_texts& keys, pod_vector<std::uint8_t>& earlier) {
    earlier.assign(keys.size(), 0);
    search(keys, earlier.data());
  }
  /// Collisions of the last search.
  [[nodiscard]] std::size_t probes() const noexcept { return probes_; }

 private:
  static constexpr std::size_t max_pairwise = 8;

  THRIFTLENS_NOINLINE void search(const key_texts& keys, std::uint8_t* earlier) {
    if (keys.size() <= max_pairwise) return search_pairwise(keys, earlier);
    const std::size_t max_probes = keys.size() * 16 + 1024;  // only chosen collisions need more
    slots_.assign(std::bit_ceil(keys.size() * 2), 0);
    probes_ = 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const std::size_t i = earlier != nullptr ? keys.size() - 1 - n : n;
      std::uint32_t& slot = slots_[slot_of(keys, keys[i], max_probes)];
      if (probes_ == max_probes) return search_sorted(keys, earlier);
      if (slot != 0)
        note(i, earlier);
      else
        slot = static_cast<std::uint32_t>(i + 1);
    }
  }
  void note(std::size_t index, std::uint8_t* earlier) noexcept {
    if (earlier != nullptr)
      earlier[index] = 1;
    else
      first_ = least(first_, index);
  }
  // The slot of an equal key, or an empty one; any if the probes are exhausted.
  [[nodiscard]] std::size_t slot_of(const key_texts& keys, std::string_view key, std::size_t max_probes) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t seed = seed_ != 0 ? seed_ : reinterpret_cast<std::uintptr_t>(slots_.data());
    std::size_t slot = first_slot(hash_text(key, seed), mask);
    while (probes_ != max_probes && slots_[slot] != 0 && keys[slots_[slot] - 1] != key) {
      slot = (slot + 1) & mask;
      ++probes_;
    }
    return slot;
  }
  void search_pairwise(const key_texts& keys, std::uint8_t* earlier) {
    std::string_view texts[max_pairwise];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      texts[i] = keys[i];
      for (std::size_t j = 0; j < i; ++j) {
        if (texts[i] == texts[j]) note(earlier != nullptr ? j : i, earlier);
      }
    }
  }
  THRIFTLENS_COLD void search_sorted(const key_texts& keys, std::uint8_t* earlier) {
    std::size_t previous = none;
    for (const std::size_t index :
         stable_order(keys.size(), [&](std::size_t lhs, std::size_t rhs) { return keys[lhs] < keys[rhs]; })) {
      if (previous != none && keys[previous] == keys[index])
        note(earlier != nullptr ? previous : index, earlier);
      previous = index;
    }
  }

  pod_vector<std::uint32_t> slots_;
  std::uint64_t seed_;
  std::size_t probes_ = 0;
  std::size_t first_ = none;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
