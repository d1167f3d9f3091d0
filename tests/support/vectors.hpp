// vectors: the sample wire vectors: valid ones in three protocols and malicious ones with their class.
#pragma once

#include "support/shared.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

struct valid_vector {
  std::string id, schema, structure;
  std::string binary, compact;  ///< wire bytes
  std::string tjson;            ///< the text in Apache's JSON protocol, if there is one
};
struct malicious_vector {
  std::string id, cat, expect, protocol, schema, structure, bytes, surface;
};

namespace detail {
// Large vectors are stored compressed.
inline std::string vector_bytes(const std::string& file) {
  const std::filesystem::path path = vectors_dir() / file;
  if (path.extension() != ".gz") return read_file(path);
  std::string bytes;
  FILE* in = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (in == nullptr) throw std::runtime_error("cannot unpack " + path.string());
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, in)) bytes.append(block, count);
  if (pclose(in) != 0) throw std::runtime_error("cannot unpack " + path.string());
  return bytes;
}
inline std::string picked(std::string_view record, std::string_view key) {
  const std::string wanted = '"' + std::string(key) + "\":\"";
  const std::size_t at = record.find(wanted);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + wanted.size();
  return std::string(record.substr(begin, record.find('"', begin) - begin));
}
// Calls `use` with the text of each record of the list under `key`; a record begins with `start`.
template <class Use>
void for_each_record(std::string_view text, std::string_view key, std::string_view start, Use use) {
  std::size_t at = text.find('"' + std::string(key) + "\":[");
  if (at == std::string_view::npos) return;
  const std::size_t end = text.find("}],\"", at);
  at = text.find(start, at);
  while (at != std::string_view::npos && at < end) {
    const std::size_t next = text.find(start, at + start.size());
    use(text.substr(at, (next < end ? next : end) - at));
    at = next;
  }
}
}  // namespace detail

inline const std::vector<valid_vector>& valid_vectors() {
  static const std::vector<valid_vector> all = [] {
    std::vector<valid_vector> made;
    const std::string text = read_file(vectors_dir() / "manifest.json") + "}],\"";
    detail::for_each_record(text, "valid", "{\"encodings\":", [&](std::string_view record) {
      const std::size_t compact = record.find("\"compact\":{"), tjson = record.find("\"tjson\":{");
      made.push_back({detail::picked(record, "id"), detail::picked(record, "schema"),
                      detail::picked(record, "struct"), detail::vector_bytes(detail::picked(record, "file")),
                      detail::vector_bytes(detail::picked(record.substr(compact), "file")),
                      tjson == std::string_view::npos
                          ? std::string()
                          : detail::vector_bytes(detail::picked(record.substr(tjson), "file"))});
    });
    if (made.size() != vector_count("valid")) throw std::runtime_error("not all valid vectors were read");
    return made;
  }();
  return all;
}

/// The malicious ones of a surface: "thrift" (one struct in Binary or Compact), "json", …
inline std::vector<malicious_vector> malicious_vectors_of(std::string_view surface) {
  std::vector<malicious_vector> made;
  const std::string text = read_file(vectors_dir() / "manifest.json");
  detail::for_each_record(text, "malicious", "{\"cat\":", [&](std::string_view record) {
    if (detail::picked(record, "surface") != surface) return;
    made.push_back({detail::picked(record, "id"), detail::picked(record, "cat"),
                    detail::picked(record, "expect"), detail::picked(record, "protocol"),
                    detail::picked(record, "schema"), detail::picked(record, "struct"),
                    detail::vector_bytes(detail::picked(record, "file")), std::string(surface)});
  });
  if (made.empty()) throw std::runtime_error("no malicious vectors of " + std::string(surface));
  return made;
}

/// Those that are one struct in Binary or Compact.
inline const std::vector<malicious_vector>& malicious_vectors() {
  static const std::vector<malicious_vector> all = malicious_vectors_of("thrift");
  return all;
}

}  // namespace thriftlens_test
