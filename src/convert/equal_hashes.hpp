// equal_hashes: how many keys of one container have the same hash. Never trusts the hashes: its own table
// is keyed.
#pragma once

#include "support/object.hpp"

#include <cstdint>
#include <vector>

namespace thriftlens::python {

/// Keys of one container that may have equal hashes. Numbers never reach it: at most 8 integers, and 34
/// doubles, have one hash.
inline constexpr std::uint32_t max_equal_hashes = 64;

/// Counts hashes. 16 bytes and a few nanoseconds each.
class equal_hashes {
 public:
  /// Counts one more key. False where more than max_equal_hashes have its hash.
  [[nodiscard]] bool add(Py_hash_t hash) {
    if (used_ * 2 >= slots_.size()) grow();
    slot& found = slot_of(static_cast<std::uint64_t>(hash));
    used_ += found.count == 0 ? 1u : 0u;
    found.hash = static_cast<std::uint64_t>(hash);
    return ++found.count <= max_equal_hashes;
  }

 private:
  struct slot {
    std::uint64_t hash = 0;
    std::uint32_t count = 0;
  };

  /// An odd number that nobody outside knows: from the hash of a str, which Python keys.
  static std::uint64_t secret() {
    static const std::uint64_t made = [] {
      const object text(PyUnicode_FromString("thriftlens.equal_hashes"));
      const Py_hash_t hash = text ? PyObject_Hash(text.get()) : 0;
      return static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15u | 1u;
    }();
    return made;
  }
  slot& slot_of(std::uint64_t hash) noexcept {
    std::size_t at = static_cast<std::size_t>((hash * secret_) >> shift_);
    while (slots_[at].count != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<slot> before(slots_.empty() ? 256 : slots_.size() * 2);
    shift_ = slots_.empty() ? 56 : shift_ - 1;
    before.swap(slots_);
    for (const slot& each : before) {
      if (each.count != 0) slot_of(each.hash) = each;
    }
  }

  std::vector<slot> slots_;  // a power of two
  std::size_t used_ = 0;
  const std::uint64_t secret_ = secret();
  unsigned shift_ = 64;
};

}  // namespace thriftlens::python
