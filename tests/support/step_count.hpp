// step_count: counts steps of a computation, independent of the machine; used by the growth tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace thriftlens_test {

/// The steps of the program so far.
[[nodiscard]] std::uint64_t steps_so_far() noexcept;

/// The steps of `work`.
template <class Work>
[[nodiscard]] std::uint64_t steps_of(const Work& work) {
  const std::uint64_t before = steps_so_far();
  work();
  return steps_so_far() - before;
}

/// Whether four times the size costs at most `most` times the steps. cost(size) returns steps; 4 is linear,
/// 16 quadratic, and up to 5 is allowed for a sort or a growing table. Also fails if fewer steps than `size`
/// / 16 were counted.
template <class Cost>
[[nodiscard]] testing::AssertionResult grows_linearly(const Cost& cost, std::size_t size, double most = 5) {
  const std::uint64_t once = cost(size);
  const std::uint64_t four_times = cost(4 * size);
  if (once < size / 16)
    return testing::AssertionFailure() << once << " steps for size " << size << ": they are not counted";
  const double growth = static_cast<double>(four_times) / static_cast<double>(once);
  if (growth <= most)
    return testing::AssertionSuccess() << "four times the size takes " << growth << " times the steps";
  return testing::AssertionFailure() << "size " << size << " takes " << once << " steps, four times that "
                                     << four_times << ": " << growth << " times as many";
}

}  // namespace thriftlens_test
