// cuts: every proper beginning of some bytes, one after the other.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

namespace codec_test {

/// Cutting is quadratic: longer vectors of these structs are only decoded into borrowing ones, in
/// cuts_test.cpp.
inline bool cut_while_borrowing(std::string_view structure, std::size_t size) {
  constexpr std::string_view borrowing[] = {"Lists", "MapKeys", "MapVals", "Nested", "Wide"};
  return size > 1024 &&
         std::find(std::begin(borrowing), std::end(borrowing), structure) != std::end(borrowing);
}

/// A copy that is shortened from its end; the address sanitizer detects reads past the end.
class shrinking_bytes {
 public:
  explicit shrinking_bytes(std::string_view bytes)
      : copy_(new char[bytes.size()]), size_(bytes.size()), full_size_(bytes.size()) {
    bytes.copy(copy_.get(), size_);
  }
  ~shrinking_bytes() {
#ifdef ASAN_UNPOISON_MEMORY_REGION
    ASAN_UNPOISON_MEMORY_REGION(copy_.get(), full_size_);
#endif
  }
  shrinking_bytes(const shrinking_bytes&) = delete;
  shrinking_bytes& operator=(const shrinking_bytes&) = delete;

  void shrink(std::size_t size) {
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_POISON_MEMORY_REGION(copy_.get() + size, size_ - size);
#endif
    size_ = size;
  }
  [[nodiscard]] thriftlens::byte_view view() const {
    return thriftlens::byte_view(std::string_view(copy_.get(), size_));
  }

 private:
  std::unique_ptr<char[]> copy_;
  std::size_t size_;
  std::size_t full_size_;
};

/// Truncates `wire` to all sizes that `chosen` accepts, from long to short, and calls `error_of`. Returns the
/// first result that is not an error inside the bytes, or an empty text.
template <class ErrorOf, class Chosen>
std::string find_accepted_cut(std::string_view wire, ErrorOf error_of, Chosen chosen) {
  shrinking_bytes bytes(wire);
  for (std::size_t size = wire.size(); size-- != 0;) {
    if (!chosen(size)) continue;
    bytes.shrink(size);
    const std::optional<thriftlens::error> error = error_of(bytes.view());
    if (!error) return "accepted when cut to " + std::to_string(size);
    if (error->offset() > size)
      return "offset " + std::to_string(error->offset()) + " when cut to " + std::to_string(size);
  }
  return {};
}
template <class ErrorOf>
std::string find_accepted_cut(std::string_view wire, ErrorOf error_of) {
  return find_accepted_cut(wire, error_of, [](std::size_t) { return true; });
}

}  // namespace codec_test
