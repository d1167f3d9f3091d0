// samples: literal records, and the result of reading them as lines of text.
#pragma once

#include <thriftlens/records/records.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

/// Binary: {1: i8 = n}.
inline std::string number(char n) { return std::string("\x03\0\x01", 3) + n + '\0'; }
/// Compact: the same.
inline std::string compact_number(char n) { return std::string("\x13") + n + '\0'; }

inline std::string hex_of(thriftlens::byte_view bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

inline std::string line_of(const thriftlens::record& of) {
  std::string out =
      std::to_string(of.number) + " @" + std::to_string(of.offset) + "+" + std::to_string(of.size);
  if (of.message)
    out += " " + std::string(of.message->name) + "/" + std::string(to_string(of.message->type)) + "/" +
           std::to_string(of.message->sequence_id) + "/" + std::string(to_string(of.protocol));
  return out + " " + (of.is_null ? "null" : hex_of(of.bytes));
}

/// Takes all records that are there now; false after an error that ends the stream.
inline bool drain(thriftlens::records& from, std::vector<std::string>& lines) {
  for (;;) {
    thriftlens::record actual;
    const thriftlens::result<bool> outcome = from.try_next(actual);
    if (!outcome) {
      lines.push_back(outcome.error().what());
      if (!from.can_continue()) return false;
    } else if (*outcome) {
      lines.push_back(line_of(actual));
    } else {
      return true;
    }
  }
}

/// The lines of an input in chunks of that many bytes; 0: complete and borrowed.
inline std::vector<std::string> lines_of(std::string_view bytes, const thriftlens::records_options& options,
                                         std::size_t chunk = 0) {
  std::vector<std::string> lines;
  if (chunk == 0) {
    thriftlens::records complete(thriftlens::byte_view(bytes), options);
    drain(complete, lines);
    return lines;
  }
  thriftlens::records in(options);
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    in.feed(thriftlens::byte_view(bytes.substr(at, chunk)));
    if (!drain(in, lines)) return lines;
  }
  in.finish();
  drain(in, lines);
  return lines;
}

}  // namespace thriftlens_test
