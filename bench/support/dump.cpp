// Writes Small and Medium for the contestants in other languages.
#include "dump.hpp"

#include "json_messages.hpp"

#include <fstream>

void bench::dump(const std::string& folder) {
  for (const payload& each : payloads()) {
    if (each.name != "small" && each.name != "medium") continue;
    std::ofstream(folder + '/' + each.name + ".bin", std::ios::binary) << each.binary[0];
    std::ofstream(folder + '/' + each.name + ".json", std::ios::binary) << json_messages(each)[0];
  }
}
