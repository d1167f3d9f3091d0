// The runner: compares answers, then passes the contestants that agree to google-benchmark.
#include "contest.hpp"
#include "dump.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <span>
#include <string_view>
#include <tuple>

namespace bench {

std::string shared_dir() {
  const char* set = std::getenv("THRIFTLENS_SHARED");
  const std::filesystem::path dir = set != nullptr && *set != '\0'
                                        ? std::filesystem::path(set)
                                        : std::filesystem::path(THRIFTLENS_SOURCE_DIR) / ".." / "shared";
  return std::filesystem::exists(dir / "README.md") ? dir.string() : std::string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

namespace {

/// Adds bytes per second to a result, or allocations per operation in the program that counts them.
void run_counted(const entry& contestant_entry, benchmark::State& state) {
  const std::size_t count_before = allocations();
  contestant_entry.run(state);
  const auto allocated = static_cast<double>(allocations() - count_before);
  if (counts_allocations())
    state.counters["allocs"] = benchmark::Counter(allocated, benchmark::Counter::kAvgIterations);
  if (contestant_entry.bytes != 0)
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(contestant_entry.bytes));
}

/// Up to 80 characters from shortly before `at` on. `at` may be after the end: the other answer is longer.
constexpr std::string_view around(std::string_view text, std::size_t at) {
  return text.substr(std::min(at < 20 ? 0 : at - 20, text.size()), 80);
}
constexpr std::string_view digits = "0123456789012345678901234567890123456789";
static_assert(around(digits, 19) == digits && around(digits, 35) == digits.substr(15));
static_assert(around("short", 5) == "short" && around("short", 26).empty());

/// "task/payload/"
std::string group_of(const entry& of) {
  return std::string(of.task).append(1, '/').append(of.payload).append(1, '/');
}

/// Whether --benchmark_filter selects a name: a regular expression, negated by a leading '-'.
class filter {
 public:
  filter() {
    const std::string text = benchmark::GetBenchmarkFilter();
    negated_ = text.starts_with('-');
    takes_all_ = text.empty() || text == "all";
    pattern_.assign(negated_ ? text.substr(1) : text, std::regex::extended);
  }
  [[nodiscard]] bool takes(const entry& contestant_entry) const {
    return takes_all_ ||
           std::regex_search(group_of(contestant_entry).append(contestant_entry.name), pattern_) != negated_;
  }

 private:
  std::regex pattern_;
  bool negated_ = false, takes_all_ = false;
};

void enter_for_timing(const entry& contestant_entry, const std::string& name) {
  auto* allocated = benchmark::RegisterBenchmark(
      name.c_str(), [contestant_entry](benchmark::State& state) { run_counted(contestant_entry, state); });
  if (contestant_entry.manual_time) allocated->UseManualTime();
}

/// Registers those of one task and payload whose answer equals that of the first; returns how many differ.
int register_agreeing(std::span<const entry> group) {
  const std::string name = group_of(group[0]);
  const std::string expected = group[0].answer ? group[0].answer() : std::string();
  enter_for_timing(group[0], name + group[0].name);
  int differing = 0;
  for (const entry& contestant_entry : group.subspan(1)) {
    if (!contestant_entry.answer) {
      enter_for_timing(contestant_entry, name + contestant_entry.name);
      continue;
    }
    const std::string answer = contestant_entry.answer();
    if (answer == expected) {
      enter_for_timing(contestant_entry, name + contestant_entry.name);
      continue;
    }
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(expected, answer).in1 - expected.begin());
    std::fprintf(stderr,
                 "NOT TIMED %s%s: its answer differs from %s's at %zu\n  expected %s\n  found    %s\n",
                 name.c_str(), contestant_entry.name.c_str(), group[0].name.c_str(), at,
                 std::string(around(expected, at)).c_str(), std::string(around(answer, at)).c_str());
    ++differing;
  }
  return differing;
}

int register_agreeing() {
  std::vector<entry>& entries = contestant::entries();
  std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
    return std::tie(a.task, a.payload, a.rank, a.name) < std::tie(b.task, b.payload, b.rank, b.name);
  });
  const filter name_filter;
  int differing = 0;
  for (auto from = entries.begin(); from != entries.end();) {
    const auto to = std::find_if(from, entries.end(), [&](const entry& contestant_entry) {
      return contestant_entry.task != from->task || contestant_entry.payload != from->payload;
    });
    if (std::any_of(from, to,
                    [&](const entry& contestant_entry) { return name_filter.takes(contestant_entry); }))
      differing += register_agreeing(std::span(from, to));
    from = to;
  }
  return differing;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--dump") return bench::dump(argv[2]), 0;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const int differing = bench::register_agreeing();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return differing == 0 ? 0 : 1;
}
