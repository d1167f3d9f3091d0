// unlocked: work on bytes alone, without the GIL where it is long enough to pay for handing it over. Never
// called with work that needs the GIL.
#pragma once

#include "convert/value.hpp"
#include "support/bytes_from.hpp"
#include "support/kept_buffer.hpp"

#include <optional>

namespace thriftlens::python {

/// Shorter inputs are done before another thread could take the GIL and give it back.
inline constexpr std::size_t least_unlocked = 4096;

/// Gives up the GIL for a scope where the input is that long, also when the scope is left by an exception.
class unlocked {
 public:
  explicit unlocked(std::size_t input) noexcept
      : state_(input >= least_unlocked ? PyEval_SaveThread() : nullptr) {}
  unlocked(const unlocked&) = delete;
  unlocked& operator=(const unlocked&) = delete;
  ~unlocked() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

/// Runs `work(buffer)` and gives the buffer as bytes. Errors are raised as `kind`, or as their code says.
template <class Work>
[[nodiscard]] PyObject* bytes_of(std::size_t input, Work work, std::optional<family> kind = std::nullopt) {
  kept_buffer memory;
  const result<void> done = [&] {
    const unlocked free(input);
    return work(memory.get());
  }();
  if (!done) return raise(done.error(), kind ? *kind : family_of(done.error().code()));
  return bytes_from(memory.get());
}

}  // namespace thriftlens::python
