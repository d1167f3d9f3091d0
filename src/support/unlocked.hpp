// unlocked: releases the GIL for work on bytes that takes longer than handing the GIL over.
#pragma once

#include "convert/value.hpp"
#include "support/bytes_from.hpp"
#include "support/scratch_buffer.hpp"

#include <optional>

namespace thriftlens::python {

/// For shorter inputs, releasing the GIL costs more than it gains.
inline constexpr std::size_t least_unlocked = 4096;

/// Releases the GIL for a scope if the input is at least that long.
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

/// The result of `work()`, run without the GIL if the input is at least that long.
template <class Work>
auto without_gil(std::size_t input, Work&& work) {
  const unlocked free(input);
  return work();
}

/// Runs `work(buffer)` and returns the buffer as bytes. Raises errors as `kind`, by default that of their
/// code.
template <class Work>
[[nodiscard]] PyObject* bytes_of(std::size_t input, Work work, std::optional<family> kind = std::nullopt) {
  scratch_buffer memory;
  const result<void> status = without_gil(input, [&] { return work(memory.get()); });
  if (!status) {
    const errc code = status.error().code();
    const bool is_empty = input == 0 && code == errc::truncated;
    return raise(is_empty ? status.error().with_hint(empty_input) : status.error(),
                 kind ? *kind : family_of(code));
  }
  return bytes_from(memory.get());
}

}  // namespace thriftlens::python
