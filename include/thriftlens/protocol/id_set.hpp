// id_set: notices a field id that stands twice in a struct.
// In: the ids of one struct as they come. Out: whether each is new.
// Never costs more than a comparison while the ids ascend.
#pragma once

#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/cursor.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The ids met in one struct. The first one that does not ascend makes it read the struct's headers once more
/// and take 8 KiB.
template <protocol P>
class id_set {
 public:
  /// `start`: the place of the struct's first field header.
  explicit id_set(const wire_position& start) noexcept : start_(start) {}

  /// False where `id` was there before. `in` is a reader of the struct, `begin` the place of this id's
  /// header.
  [[nodiscard]] bool add(std::int16_t id, const typename P::reader& in, const std::uint8_t* begin) {
    if (!words_.empty() || id <= highest_) [[unlikely]]
      return add_any(id, in, begin);
    highest_ = id;
    return true;
  }

 private:
  THRIFTLENS_COLD bool add_any(std::int16_t id, const typename P::reader& in, const std::uint8_t* begin) {
    if (words_.empty()) {
      words_.resize(1024);
      typename P::reader again = in;
      again.seek(start_);
      field_header header;
      while (again.at() < begin && again.read_field(header) && header.type != ttype::stop) {
        static_cast<void>(mark(header.id));
        if (!again.skip(header.type)) break;
      }
    }
    return mark(id);
  }
  bool mark(std::int16_t id) noexcept {
    auto at = static_cast<std::uint16_t>(id);
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    const bool fresh = (words_[at / 64] & bit) == 0;
    words_[at / 64] |= bit;
    return fresh;
  }

  wire_position start_;
  std::int32_t highest_ = -0x8001;
  std::vector<std::uint64_t> words_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
