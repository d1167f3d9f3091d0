// cpu_time: the CPU time of work, for the programs that are not contestants of thriftlens_bench. Never the
// time of the clock on the wall: machines are shared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace bench {

/// Of this process, all its threads together.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// True with THRIFTLENS_BENCH_ONCE in the environment: one repetition of everything, to see that it runs.
inline bool runs_once() { return std::getenv("THRIFTLENS_BENCH_ONCE") != nullptr; }

/// The median of `rounds` runs, an odd number, after one that does not count. With runs_once(), the time of
/// one run.
template <class Work>
double median_cpu_seconds(std::size_t rounds, Work work) {
  const double first = cpu_seconds();
  work();
  if (runs_once()) return cpu_seconds() - first;
  std::vector<double> times(rounds);
  for (double& time : times) {
    const double begin = cpu_seconds();
    work();
    time = cpu_seconds() - begin;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(rounds / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace bench
