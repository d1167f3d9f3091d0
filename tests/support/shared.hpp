// shared: where the sample data of the project's founders lies, for tests that want it.
// In: the environment variable THRIFTLENS_SHARED, else ../shared. Out: paths and file contents.
// Never needed: a test that misses it is skipped with a message.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace thriftlens_test {

inline std::filesystem::path shared_dir() {
  if (const char* set = std::getenv("THRIFTLENS_SHARED"); set != nullptr && *set != '\0') return set;
  return std::filesystem::path(THRIFTLENS_SOURCE_DIR) / ".." / "shared";
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace thriftlens_test

/// Skips the running test where the shared samples are absent.
#define SKIP_WITHOUT_SHARED()                                                                \
  if (!std::filesystem::exists(thriftlens_test::shared_dir() / "README.md"))                 \
  GTEST_SKIP() << "the shared samples are not at " << thriftlens_test::shared_dir().string() \
               << " (set THRIFTLENS_SHARED)"
