// kept_buffer: output memory that outlives a call, so that most calls need none of their own. Never keeps
// much: a large one is given back.
#pragma once

#include <thriftlens/core/buffer.hpp>

namespace thriftlens::python {

class kept_buffer {
 public:
  kept_buffer() { mine_.swap(kept()); }
  ~kept_buffer() {
    mine_.clear();
    if (mine_.capacity() <= max_kept) mine_.swap(kept());
  }
  kept_buffer(const kept_buffer&) = delete;
  kept_buffer& operator=(const kept_buffer&) = delete;
  [[nodiscard]] buffer& get() noexcept { return mine_; }

 private:
  static constexpr std::size_t max_kept = 256 * 1024;
  static buffer& kept() {
    static thread_local buffer one;
    return one;
  }
  buffer mine_;
};

}  // namespace thriftlens::python
