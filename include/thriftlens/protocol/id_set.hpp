// id_set: detects duplicate field ids in a struct.
#pragma once

#include <thriftlens/core/bit_set.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/cursor.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Unordered field ids. Allocates 8 KiB for the first one.
class id_bits : bit_set<id_bits> {
 public:
  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
  /// False if it was present.
  [[nodiscard]] bool add(std::int16_t id) {
    if (empty()) words_.resize(1024);
    return bit_set::add(number(id));
  }
  /// Removes the id and its neighbours.
  void clear_near(std::int16_t id) noexcept {
    if (!empty()) word(number(id)) = 0;
  }

 private:
  friend bit_set<id_bits>;
  [[nodiscard]] std::uint64_t* words() noexcept { return words_.data(); }
  [[nodiscard]] static std::uint16_t number(std::int16_t id) noexcept {
    return static_cast<std::uint16_t>(id);
  }
  std::vector<std::uint64_t> words_;
};

/// The field ids seen in one struct. The first id out of order causes a second pass over the struct's headers
/// and an allocation of 8 KiB.
template <protocol P>
class id_set {
 public:
  /// `start`: position of the struct's first field header.
  explicit id_set(const wire_position& start) noexcept : start_(start) {}

  /// False if `id` was present. `in` is a reader of the struct, `begin` the position of this id's header.
  [[nodiscard]] bool add(std::int16_t id, const typename P::reader& in, byte_ptr begin) {
    if (!seen_.empty() || id <= highest_) [[unlikely]]
      return add_any(id, in, begin);
    highest_ = id;
    return true;
  }
  /// Whether all ids so far were ascending.
  [[nodiscard]] bool ascends() const noexcept { return seen_.empty(); }
  /// Records that ids up to this one were added in ascending order.
  void ascend(std::int16_t id) noexcept {
    if (id > highest_) highest_ = id;
  }

 private:
  THRIFTLENS_COLD bool add_any(std::int16_t id, const typename P::reader& in, byte_ptr begin) {
    if (seen_.empty()) {
      typename P::reader rescan = in;
      rescan.seek(start_);
      field_header header;
      while (rescan.at() < begin && rescan.read_field(header) && header.type != ttype::stop) {
        static_cast<void>(seen_.add(header.id));
        if (!rescan.skip(header.type)) break;
      }
    }
    return seen_.add(id);
  }

  wire_position start_;
  std::int32_t highest_ = -0x8001;
  id_bits seen_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
