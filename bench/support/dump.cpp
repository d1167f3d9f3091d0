// Writes payloads for the contestants in other languages: Small and Medium as one message and its JSON, those
// that vary as frames (big-endian length, message) and lines of JSON.
#include "dump.hpp"

#include "json_messages.hpp"

#include <fstream>

namespace {

void write_frame(std::ostream& out, const std::string& message) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.put(static_cast<char>(static_cast<std::uint32_t>(message.size()) >> shift));
  out << message;
}

}  // namespace

void bench::dump(const std::string& folder) {
  for (const payload& input : payloads()) {
    const std::string file = folder + '/' + input.name;
    if (input.holds == kind::sparse) {
      std::ofstream frames(file + ".frames", std::ios::binary), lines(file + ".jsonl", std::ios::binary);
      for (const std::string& message : input.binary) write_frame(frames, message);
      for (const std::string& text : json_messages(input)) lines << text << '\n';
    } else if (input.name == "small" || input.name == "medium") {
      std::ofstream(file + ".bin", std::ios::binary) << input.binary[0];
      std::ofstream(file + ".json", std::ios::binary) << json_messages(input)[0];
    }
  }
}
