// guarded: bytes that end before an inaccessible page, to detect reads past the end.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace thriftlens_test {

class guarded {
 public:
  /// Two pages, or more for a capacity that needs them.
  explicit guarded(std::size_t capacity = 0) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = capacity <= 2 * page_ ? 2 * page_ : (capacity + page_ - 1) / page_ * page_;
    void* pages = mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("mmap");
    start_ = static_cast<std::uint8_t*>(pages);
    if (mprotect(start_ + size_, page_, PROT_NONE) != 0) throw std::runtime_error("mprotect");
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { munmap(start_, size_ + page_); }

  /// The bytes, directly before the inaccessible page. At most the capacity; valid until the next call.
  const std::uint8_t* hold(std::string_view bytes) {
    std::uint8_t* at = storage(bytes.size());
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    return at;
  }
  std::uint8_t* storage(std::size_t size) { return start_ + size_ - size; }

 private:
  std::size_t page_;
  std::size_t size_ = 0;
  std::uint8_t* start_ = nullptr;
};

/// Every length that matters to 16-, 32- and 64-byte steps.
inline constexpr std::size_t longest = 130;

}  // namespace thriftlens_test
