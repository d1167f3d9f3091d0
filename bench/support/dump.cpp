// Writes Small and Medium for the contestants in other languages.
#include "dump.hpp"

#include "json_messages.hpp"

#include <fstream>

void bench::dump(const std::string& folder) {
  for (const payload& input : payloads()) {
    if (input.name != "small" && input.name != "medium") continue;
    std::ofstream(folder + '/' + input.name + ".bin", std::ios::binary) << input.binary[0];
    std::ofstream(folder + '/' + input.name + ".json", std::ios::binary) << json_messages(input)[0];
  }
}
