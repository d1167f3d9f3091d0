// idl_load by Apache's `thrift` compiler: a child process with its lightest generator (gv); CPU time of the
// child less that of a run over an empty file, so that process start is not counted.
#include "payloads.hpp"

#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

std::string scratch() {
  static const std::string dir = [] {
    const std::string folder =
        (std::filesystem::temp_directory_path() / ("thriftlens_bench_" + std::to_string(getpid()))).string();
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/empty.thrift");
    return folder;
  }();
  return dir;
}

/// CPU seconds of one run, negative if it failed.
double run(const std::string& generator, const std::string& file) {
  const std::string out = scratch();
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr)
      _exit(126);
    execlp("thrift", "thrift", "-o", out.c_str(), "--gen", generator.c_str(), file.c_str(),
           static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) return -1;
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::string answer(const std::string& file) {
  if (run("json", file) < 0) return "the compiler failed";
  const std::string path = scratch() + "/gen-json/" + std::filesystem::path(file).stem().string() + ".json";
  simdjson::dom::parser parser;
  std::vector<std::string> structs;
  for (simdjson::dom::element structure : parser.load(path)["structs"].get_array()) {
    std::string text(structure["name"].get_string().value());
    for (simdjson::dom::element field : structure["fields"].get_array())
      text += ' ' + std::string(field["name"].get_string().value());
    structs.push_back(text);
  }
  return bench::idl_load::answer_of(std::move(structs));
}

void time(benchmark::State& state, const std::string& file) {
  const std::string empty = scratch() + "/empty.thrift";
  for (auto _ : state) {
    const double total = run("gv", file), start = run("gv", empty);
    if (total < 0 || start < 0) return state.SkipWithError("the compiler failed");
    state.SetIterationTime(total > start ? total - start : 0);
  }
}

const bool entered = [] {
  if (run("gv", scratch() + "/empty.thrift") < 0) {
    std::fprintf(stderr, "idl_load: no thrift compiler here, it is left out\n");
    return true;
  }
  for (const auto& payload : bench::idl_load::payloads()) {
    bench::contestant({.task = "idl_load",
                       .payload = payload.name,
                       .name = "apache_compiler",
                       .answer = [file = payload.file] { return answer(file); },
                       .run = [file = payload.file](benchmark::State& state) { time(state, file); },
                       .bytes = bench::read_file(payload.file).size(),
                       .manual_time = true,
                       .rank = 0});
  }
  return true;
}();

}  // namespace
