// The runner: compares answers, then hands those that agree to google-benchmark.
#include "contest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace bench {

std::string shared_dir() {
  const char* set = std::getenv("THRIFTLENS_SHARED");
  const std::filesystem::path dir = set != nullptr && *set != '\0' ? std::filesystem::path(set) : std::filesystem::path(THRIFTLENS_SOURCE_DIR) / ".." / "shared";
  return std::filesystem::exists(dir / "README.md") ? dir.string() : std::string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

namespace {

/// Adds allocations per operation and bytes per second to what a contestant measures.
void run_counted(const entry& each, benchmark::State& state) {
  const std::size_t before = allocations();
  each.run(state);
  const auto made = static_cast<double>(allocations() - before);
  state.counters["allocs"] = benchmark::Counter(made, benchmark::Counter::kAvgIterations);
  if (each.bytes != 0) state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(each.bytes));
}

std::string shortened(const std::string& text) { return text.size() <= 60 ? text : text.substr(0, 57) + "..."; }

/// Registers all whose answer equals that of the first by rank; returns how many differ.
int register_agreeing() {
  std::vector<entry>& all = contestant::entries();
  std::stable_sort(all.begin(), all.end(), [](const entry& a, const entry& b) {
    return std::tie(a.task, a.payload, a.rank, a.name) < std::tie(b.task, b.payload, b.rank, b.name);
  });
  std::map<std::string, std::string> expected;
  int differing = 0;
  for (const entry& each : all) {
    const std::string group = each.task + '/' + each.payload;
    const std::string answer = each.answer();
    auto [reference, first] = expected.try_emplace(group, answer);
    if (!first && reference->second != answer) {
      std::fprintf(stderr, "NOT TIMED %s/%s: its answer differs\n  expected %s\n  found    %s\n", group.c_str(), each.name.c_str(),
                   shortened(reference->second).c_str(), shortened(answer).c_str());
      ++differing;
      continue;
    }
    auto* made = benchmark::RegisterBenchmark((group + '/' + each.name).c_str(), [each](benchmark::State& state) { run_counted(each, state); });
    if (each.manual_time) made->UseManualTime();
  }
  return differing;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const int differing = bench::register_agreeing();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return differing == 0 ? 0 : 1;
}
