// source_set: the texts that a load took, as values. Never a path that has to exist: file names are there
// for messages and program names.
#pragma once

#include <thriftlens/idl/program.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

struct source_file {
  std::string file{};  ///< how messages name it; its base name is the program's
  std::string text{};  ///< IDL
  std::vector<std::uint32_t>
      includes{};  ///< index of the file that each of its includes means, in their order

  friend bool operator==(const source_file&, const source_file&) = default;
};

/// The root first.
struct source_set {
  std::vector<source_file> files{};

  friend bool operator==(const source_set&, const source_set&) = default;
};

/// Those of a load that succeeded. Copies the texts.
[[nodiscard]] inline source_set sources_of(const program_set& loaded) {
  source_set all;
  all.files.reserve(loaded.programs.size());
  for (const program& each : loaded.programs) {
    source_file& made = all.files.emplace_back(source_file{each.file, std::string(each.source)});
    for (const include& to : each.includes) made.includes.push_back(to.program);
  }
  return all;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
