// vectors: the rows of the sample vectors' manifest, found by plain text search.
#pragma once

#include "support/shared.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

/// The bytes of a vector; those that end in .gz are unpacked by gzip.
inline std::string read_vector(const std::string& file) {
  const std::filesystem::path path = vectors_dir() / file;
  if (path.extension() != ".gz") return read_file(path);
  std::FILE* pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("gzip");
  std::string bytes;
  char block[65536];
  for (std::size_t size = 0; (size = std::fread(block, 1, sizeof block, pipe)) != 0;)
    bytes.append(block, size);
  if (pclose(pipe) != 0) throw std::runtime_error("gzip");
  return bytes;
}

struct vector_row {
  std::string json;

  /// The string after the last `"key":"`, or "".
  [[nodiscard]] std::string text(const std::string& key) const {
    const std::string original = '"' + key + "\":\"";
    const std::size_t at = json.rfind(original);
    if (at == std::string::npos) return "";
    const std::size_t from = at + original.size();
    return json.substr(from, json.find('"', from) - from);
  }
  [[nodiscard]] long number(const std::string& key) const {
    const std::string original = '"' + key + "\":";
    const std::size_t at = json.rfind(original);
    return at == std::string::npos ? 0 : std::strtol(json.c_str() + at + original.size(), nullptr, 10);
  }
  [[nodiscard]] bool has(const std::string& piece) const { return json.find(piece) != std::string::npos; }
};

/// The rows of "envelope" or "malicious".
inline std::vector<vector_row> vector_rows(const std::string& section) {
  const std::string manifest = read_file(vectors_dir() / "manifest.json");
  const std::size_t begin = manifest.find('"' + section + "\":[{");
  if (begin == std::string::npos) throw std::runtime_error("no such section: " + section);
  const std::size_t end = manifest.find("}],\"", begin);
  std::vector<vector_row> rows;
  // Rows start with their alphabetically first key.
  const std::string start = section == "envelope" ? "{\"expect\":" : "{\"cat\":";
  for (std::size_t at = manifest.find(start, begin); at < end;) {
    const std::size_t next = manifest.find(start, at + 1);
    rows.push_back({manifest.substr(at, (next < end ? next : end) - at)});
    at = next;
  }
  return rows;
}

}  // namespace thriftlens_test
