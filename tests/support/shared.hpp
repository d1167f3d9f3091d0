// shared: the folder of the sample data: the larger external set if it is present, else tests/data/samples,
// which has the same layout.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace thriftlens_test {

/// May be absent.
inline std::filesystem::path shared_dir() {
  if (const char* set = std::getenv("THRIFTLENS_SHARED"); set != nullptr && *set != '\0') return set;
  return std::filesystem::path(THRIFTLENS_SOURCE_DIR) / ".." / "shared";
}
/// Wire vectors, payloads and invalid IDL.
inline std::filesystem::path samples_dir() {
  const std::filesystem::path shared = shared_dir();
  if (std::filesystem::exists(shared / "vectors" / "open" / "manifest.json")) return shared;
  return std::filesystem::path(THRIFTLENS_TEST_DATA) / "samples";
}
inline std::filesystem::path vectors_dir() { return samples_dir() / "vectors" / "open"; }
inline std::filesystem::path corpus_dir() { return shared_dir() / "corpus"; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The number of vectors of a section ("valid", "malicious", "envelope") in the manifest.
inline std::size_t vector_count(const std::string& section) {
  const std::string manifest = read_file(vectors_dir() / "manifest.json"), key = '"' + section + "\":";
  const std::size_t at = manifest.find(key, manifest.find("\"counts\":{"));
  if (at == std::string::npos) throw std::runtime_error("no count of " + section);
  return std::stoul(manifest.substr(at + key.size(), 12));
}

}  // namespace thriftlens_test

/// Skips the running test if the corpus of third-party IDL is absent.
#define SKIP_WITHOUT_CORPUS()                                                                          \
  if (!std::filesystem::exists(thriftlens_test::corpus_dir() / "open" / "MANIFEST.tsv"))               \
  GTEST_SKIP() << "the corpus of third-party IDL is not at " << thriftlens_test::corpus_dir().string() \
               << " (tests/data/README.md says how to make one)"
