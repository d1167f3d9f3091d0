// equal_hashes: counts the keys of a container with equal hashes, in a keyed hash table of its own.
#pragma once

#include "support/object.hpp"

#include <cstdint>
#include <vector>

namespace thriftlens::python {

/// The maximum number of keys with equal hashes in a container. Numbers cannot exceed it: at most 8 integers
/// and 34 doubles share a hash.
inline constexpr std::uint32_t max_equal_hashes = 64;

/// Counts hashes, at 16 bytes and a few nanoseconds per hash.
class equal_hashes {
 public:
  /// Adds a key. False if more than max_equal_hashes have its hash.
  [[nodiscard]] bool add(Py_hash_t hash) {
    if (used_ * 2 >= slots_.size()) grow();
    slot& counter = slot_of(static_cast<std::uint64_t>(hash));
    used_ += counter.count == 0 ? 1u : 0u;
    counter.hash = static_cast<std::uint64_t>(hash);
    return ++counter.count <= max_equal_hashes;
  }

 private:
  struct slot {
    std::uint64_t hash = 0;
    std::uint32_t count = 0;
  };

  /// A secret odd number, derived from Python's keyed hash of a str.
  static std::uint64_t secret() {
    static const std::uint64_t odd = [] {
      const object text(PyUnicode_FromString("thriftlens.equal_hashes"));
      const Py_hash_t hash = text ? PyObject_Hash(text.get()) : 0;
      return static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15u | 1u;
    }();
    return odd;
  }
  slot& slot_of(std::uint64_t hash) noexcept {
    std::size_t at = static_cast<std::size_t>((hash * secret_) >> shift_);
    while (slots_[at].count != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<slot> previous(slots_.empty() ? 256 : slots_.size() * 2);
    shift_ = slots_.empty() ? 56 : shift_ - 1;
    previous.swap(slots_);
    for (const slot& old : previous) {
      if (old.count != 0) slot_of(old.hash) = old;
    }
  }

  std::vector<slot> slots_;  // a power of two
  std::size_t used_ = 0;
  const std::uint64_t secret_ = secret();
  unsigned shift_ = 64;
};

}  // namespace thriftlens::python
