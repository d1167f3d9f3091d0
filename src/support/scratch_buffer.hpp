// scratch_buffer: an output buffer whose memory the next call in the thread reuses, up to 256 KiB.
#pragma once

#include <thriftlens/core/buffer.hpp>

namespace thriftlens::python {

class scratch_buffer {
 public:
  scratch_buffer() { mine_.swap(cached()); }
  ~scratch_buffer() {
    mine_.clear();
    if (mine_.capacity() <= max_cached) mine_.swap(cached());
  }
  scratch_buffer(const scratch_buffer&) = delete;
  scratch_buffer& operator=(const scratch_buffer&) = delete;
  [[nodiscard]] buffer& get() noexcept { return mine_; }

 private:
  static constexpr std::size_t max_cached = 256 * 1024;
  static buffer& cached() {
    static thread_local buffer buffer_of_thread;
    return buffer_of_thread;
  }
  buffer mine_;
};

}  // namespace thriftlens::python
