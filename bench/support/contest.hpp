// contest: the list of contestants, which register themselves from their own source files. A contestant is
// timed only if its answer equals the first one registered for the same task and payload.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One contestant for one task on one payload.
struct entry {
  std::string task;
  std::string payload;
  std::string name;  ///< "thriftlens", "apache_templates" …
  std::function<std::string()>
      answer;  ///< the compared answer; computed once, outside the timed loop; none for limits
  std::function<void(benchmark::State&)> run;  ///< contains the timed loop
  std::size_t bytes = 0;     ///< input or output bytes of one operation, for bytes per second
  bool manual_time = false;  ///< run() reports its time itself (child processes)
  int rank = 1;              ///< 0: its answer is the reference; 2: a limit
};

/// Enters a contestant; called from static initialisers, order does not matter.
struct contestant {
  explicit contestant(entry taken) { entries().push_back(std::move(taken)); }
  static std::vector<entry>& entries() {
    static std::vector<entry> contestants;
    return contestants;
  }
};

/// A timed loop around an operation that returns something, inlined.
template <class Operation>
std::function<void(benchmark::State&)> timed(Operation operation) {
  return [operation](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(operation());
  };
}

/// Allocations (malloc, calloc, realloc and their callers) of this thread so far, in the program that counts
/// them.
[[nodiscard]] std::size_t allocations() noexcept;
[[nodiscard]] bool counts_allocations() noexcept;

/// The folder of the shared samples, or empty if it is absent.
std::string shared_dir();
std::string read_file(const std::string& path);

}  // namespace bench
