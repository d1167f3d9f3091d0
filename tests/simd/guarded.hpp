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
  guarded() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* pages = mmap(nullptr, page_ * 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("mmap");
    start_ = static_cast<std::uint8_t*>(pages);
    if (mprotect(start_ + 2 * page_, page_, PROT_NONE) != 0) throw std::runtime_error("mprotect");
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { munmap(start_, page_ * 3); }

  /// The bytes, directly before the inaccessible page. At most two pages; valid until the next call.
  const std::uint8_t* hold(std::string_view bytes) {
    std::uint8_t* at = storage(bytes.size());
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    return at;
  }
  std::uint8_t* storage(std::size_t size) { return start_ + 2 * page_ - size; }

 private:
  std::size_t page_;
  std::uint8_t* start_ = nullptr;
};

/// Every length that matters to 16-, 32- and 64-byte steps.
inline constexpr std::size_t longest = 130;

}  // namespace thriftlens_test
